"""Edge: letters as the store keeps them. In: a finished message. Out: few bytes, and the message from them, as it was.

Letters are much alike, so each is packed beside a dictionary of what letters say (`dictionaries`, written by
`python -m tests.letters.dictionary`). The first byte is the dictionary's number. What is packed with one can be read with no
other: a file that was released is never changed and stays for ever, and letters that look otherwise get the next number.
"""

import functools
import zlib
from pathlib import Path

FOLDER = Path(__file__).parent / "dictionaries"
NEWEST = 1
"""The dictionary that letters are packed with now."""
_LEVEL = 3
"""Each step above costs more time than the bytes are worth that it saves: 0.09 ms and 1,275 bytes; at 6 0.15 and 1,150."""


def pack(message: bytes) -> bytes:
    """A message in few bytes."""
    packer = _packer(NEWEST).copy()
    return bytes((NEWEST,)) + packer.compress(message) + packer.flush()


def unpack(packed: bytes) -> bytes:
    """The message as it was. Raises `ValueError` where these bytes are not of a message, or not whole."""
    try:
        unpacker = zlib.decompressobj(zdict=_dictionary(packed[0]))
        message = unpacker.decompress(packed[1:])
    except (IndexError, OSError, zlib.error) as error:
        raise ValueError(f"This is no packed letter: {error}") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("This is no packed letter, or not a whole one.")
    return message


@functools.cache
def _packer(number: int) -> "zlib._Compress":
    """A packer that knows its dictionary, to be copied: to look through the dictionary is half of the work on a letter."""
    return zlib.compressobj(_LEVEL, zdict=_dictionary(number))


@functools.cache
def _dictionary(number: int) -> bytes:
    return (FOLDER / f"{number}.bin").read_bytes()
