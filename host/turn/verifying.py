"""Shell: the sums of an episode that is over, to be checked by hand. In: `verify CC-12`. Out: a letter with each value.

From what the contestants gave and a link of the season's chain to the seed, its commitment, and the streams of numbers.
"""

from dataclasses import dataclass, field

from host.engine import record
from host.engine.chain import hashed
from host.engine.chance import Chance, Stream, commitment
from host.store.episodes import episode_known_to
from host.store.seasons import place_in_chain
from host.table.letters import write
from host.table.play import has_todays_rules, load_play, record_file, record_lines
from host.table.served import Request, Served

MOST_HASHES = 60
"""Hashes on the way to the end of a chain that a letter lists; of more, as many as that, the first and the last ones. Its file
has all of them."""
FIRST_NUMBERS = 4
_ANY = 1 << 64


@dataclass(frozen=True)
class _Noting(Chance):
    """Chance that keeps which streams were asked for."""

    labels: dict[str, None] = field(default_factory=dict)

    def stream(self, label: str) -> Stream:
        """A stream, noted."""
        self.labels[label] = None
        return super().stream(label)


def sheet(request: Request) -> Served | None:
    """Send the sums of the episode that is named; None where none is."""
    code = "-".join(request.named.upper().replace("-", " ").split())
    if not any(each.isdigit() for each in code):
        return None
    episode = episode_known_to(request.work.session, code, request.contestant.id)
    if episode is None:
        return Served((f"There is no episode {code}. Write verify and the code of an episode, such as verify CC-1.",))
    if episode.over_at is None:
        return Served((f"{code} is still being played. Its seed is told when it is over, and can be checked then.",))
    play = load_play(episode)
    seat = play.seat_of(request.contestant.id)
    names = play.names if seat else play.public_names
    content = record_file(request.work.session, play, names)
    place = place_in_chain(request.work.session, episode)
    if place and names != play.names:
        return Served((f"Somebody who played {code} is private, so only who played it gets its sums.",))
    lines, hashes = list[str](), list[str]()
    if place is not None:
        lines += [
            "# What each seat gave",
            *(f"- {name}: {each}" for name, each in zip(names, place.given, strict=True)),
        ]
        lines += [f"# Link {place.number} of the chain, and its SHA-256, again and again to the published end"]
        ways = [hashed(place.link, 0)]
        for _ in range(place.number):
            ways.append(hashed(ways[-1], 1))
        hashes = [f"- {at}: {each.hex()}" for at, each in enumerate(ways)]
        lines += hashes
        lines += ["# The seed: HMAC-SHA-256, its key the link, its message what was given, joined by line feeds"]
    else:
        lines += ["# The seed, which was drawn by chance, as this episode has no link of a chain"]
    lines += [f"- {episode.seed.hex()}", "# The commitment: the SHA-256 of the seed"]
    lines += [f"- {commitment(episode.seed)}, and {episode.commitment} was promised in each first letter"]
    if has_todays_rules(episode):
        chance = _Noting(episode.seed)
        replay = record.Replay(play.game, play.header, chance)
        for line in record_lines(request.work.session, episode):
            replay.step(line)
        lines.append("# The first numbers of each stream, before they are cut to size")
        for label in tuple(chance.labels):
            stream = chance.stream(label)
            lines.append(f"- {label}: {' '.join(str(stream.below(_ANY)) for _ in range(FIRST_NUMBERS))}")
    passed_over = set(hashes[MOST_HASHES // 2 : -MOST_HASHES // 2]) if len(hashes) > MOST_HASHES else set()
    write(
        request.turn,
        request.contestant,
        f"The sums of {code}",
        f"The values of {code} from its beginning to its cards; the attached text has all of them, unbroken. How to reckon them "
        "stands on the page about the record's format.",
        about=play.game,
        tail=tuple(each for each in lines if each not in passed_over),
        attachment=(f"{code}.jsonl", content),
        calendar=((f"{code}.txt", "\n".join(lines).encode(), "text/plain; charset=utf-8"),),
    )
    return Served(is_settled=True)
