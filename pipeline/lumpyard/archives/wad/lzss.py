"""Whether a lump looks compressed, as in the WADs of Doom for the Jaguar and the PlayStation.

There the highest bit of a name's first byte says that the lump is compressed by LZSS and that its size is the raw size.
Other WADs have such names for no reason, so a lump is taken for compressed only when its bytes decode to exactly that
size. It is never decompressed: its bytes stay as they are in the file.

A flag byte, lowest bit first, says of each of the eight items behind it what it is: 0 a literal byte; 1 a copy of two
bytes, twelve bits of distance less one and four bits of length less one, where a length of one ends the lump.
"""

from __future__ import annotations

MAX_RAW_SIZE = 1 << 20  # bytes of a lump worth decoding: the whole cartridge has 4 MiB
MAX_WORK = 1 << 22  # bytes decoded for one archive, 2 s at most


def is_flagged(name: bytes) -> bool:
    """Whether a name's first byte has its highest bit set, and no other byte has."""
    return name[:1] >= b"\x80" and name[1:].isascii()


def decodes(data: memoryview, raw_size: int) -> bool:
    """Whether the start of some bytes is one stream that decodes to exactly so many."""
    made = place = 0
    flags = 1
    while place < len(data) and made <= raw_size:
        if flags == 1:  # the mark above the eight flags has come down
            flags = data[place] | 0x100
            place += 1
            continue
        copy, flags = flags & 1, flags >> 1
        if not copy:
            made += 1
            place += 1
            continue
        if place + 1 >= len(data):
            return False
        distance = (data[place] << 4 | data[place + 1] >> 4) + 1
        length = (data[place + 1] & 15) + 1
        place += 2
        if length == 1:
            return made == raw_size
        if distance > made:
            return False
        made += length
    return False
