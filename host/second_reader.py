"""Edge: the second reader. In: a question, and a reply that names nobody. Out: the command that a language model takes it for.

It speaks OpenAI's chat completions with the endpoint of `[reader]`, within that section's time and `MAX_BYTES`. Whatever comes
back counts only where it is one of the commands, to the letter.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass

from host.config import SecondReader
from host.engine.words import table
from host.errors import PodiumError

MAX_BYTES = 262_144
"""Bytes of an answer; a longer one is not read on."""
NONE = "none"


class SecondReaderError(PodiumError):
    """The second reader gave no answer that can be used; the message says why."""


@dataclass(frozen=True)
class Ask:
    """The question as a letter put it, the commands that may be meant, by how they are put, and what the player typed."""

    question: str
    commands: Mapping[str, str]
    typed: str

    @property
    def text(self) -> str:
        """All of it, as the model reads it."""
        return "\n".join(("Question: " + self.question, "Commands:", *self.commands, "Reply:", self.typed))


SAMPLE = Ask("Do you keep the card, or draw another?", {"keep": "keep", "draw": "draw"}, "I will hold on to this one")
"""The question that `podium check` asks."""


async def choose(settings: SecondReader, ask: Ask) -> str:
    """The command that the second reader takes a reply for, empty for none of them. Raises `SecondReaderError`."""
    import httpx  # most hosts have no second reader

    messages = [
        {"role": "system", "content": table("host", "second_reader.toml")["task"]},
        {"role": "user", "content": ask.text},
    ]
    body = {"model": settings.model, "messages": messages, "temperature": 0, "stream": False}
    headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {settings.key}"} if settings.key else {})
    seconds = settings.timeout.total_seconds()
    may_have_proxy = settings.url.startswith("https")  # what is said within one's own network stays there
    answer = b""
    try:
        async with (
            asyncio.timeout(seconds),
            httpx.AsyncClient(timeout=seconds, trust_env=may_have_proxy) as client,
            client.stream("POST", settings.endpoint, json=body, headers=headers) as reply,
        ):
            async for part in reply.aiter_raw():  # never unpacked: what is small here may be huge then
                answer += part
                if len(answer) > MAX_BYTES:
                    raise SecondReaderError("its answer is too long")
    except (TimeoutError, httpx.TimeoutException):
        raise SecondReaderError(f"no answer within {seconds:g} s") from None
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise SecondReaderError(f"it cannot be reached, or broke off ({type(error).__name__})") from None
    if reply.status_code != httpx.codes.OK:
        raise SecondReaderError(f"it answered with HTTP status {reply.status_code}")
    try:
        said = str(json.loads(answer)["choices"][0]["message"]["content"]).strip()
    except (ValueError, TypeError, LookupError, RecursionError):
        raise SecondReaderError("its answer is no chat completion") from None
    if said not in ask.commands and said != NONE:
        raise SecondReaderError("its answer is none of the commands that it was given")
    return ask.commands.get(said, "")
