"""Ogg with Vorbis or Opus: pages, whose packets say more. Little-endian.

page    "OggS", version u8, flags u8 (2: first of its stream, 4: last), position i64, serial u32, number u32,
        CRC-32 u32, segments u8, size u8 of each segment; then the segments' data
Vorbis  01 "vorbis", version u32 0, channels u8, rate u32, three bit rates i32, block sizes u8, framing u8
Opus    "OpusHead", version u8, channels u8, samples to skip u16, input rate u32, gain i16, mapping u8, …

The first packet of each stream is alone on its first page; streams may run side by side or follow one
another. The CRC of first pages is checked, of other pages only that they follow each other: a CRC over all
bytes takes seconds in Python. Source: RFC 3533 (Ogg), section 6; Vorbis I specification, section 4.2.2; RFC
7845 (Opus in Ogg), sections 4 and 5.1.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.rule.kinds import need, unsupported
from lumpyard_rules.sound.clip import Clip

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNATURE = b"OggS"

_PAGE = Struct("<4sBBqIIIB")
_FIRST, _LAST = 2, 4
_VORBIS = Struct("<7xIBIiiiBB")
_OPUS = Struct("<8xBBHIhB")
_OPUS_RATE = 48000  # positions count samples at this rate, whatever the input had
_OTHERS = {b"\x7fFLAC": "FLAC", b"Speex   ": "Speex", b"\x80theora": "Theora video", b"BBCD": "Dirac video"}
_SKELETON = b"fishead\0"  # a stream that describes the others


class _Page(NamedTuple):
    """A page of which all bytes are there."""

    at: int
    end: int
    body: int  # offset of the segments' data
    flags: int
    position: int
    serial: int
    crc: int
    segments: bytes  # their sizes


class _Stream(NamedTuple):
    """A stream's identification."""

    rate: int
    channels: int
    skip: int  # samples at its start that are not heard


def check_ogg(data: bytes) -> Clip:
    """The sound that the first Vorbis or Opus stream gives; pages follow each other to the file's end."""
    streams: dict[int, _Stream] = {}
    positions: dict[int, int] = {}
    others: list[str] = []
    page = None
    for page in _pages(data):
        if page.flags & _FIRST:
            _identify(data, page, streams, others)
        if page.serial in streams and page.position > 0:
            positions[page.serial] = page.position
    if not streams:
        raise unsupported(
            f"the file holds {' and '.join(others) or 'no start of a stream'}; Vorbis or Opus is expected"
        )
    first = next(iter(streams.values()))
    seconds = sum(
        (max(0, at - streams[serial].skip)) / streams[serial].rate for serial, at in positions.items()
    )
    ended = page is not None and page.flags & _LAST
    notes = () if ended else ("the last page does not end its stream; the file may be cut off",)
    return Clip(first.rate, first.channels, seconds if positions else None, notes)


def _pages(data: bytes) -> Iterator[_Page]:
    """All pages of the file."""
    at = 0
    while at < len(data):
        need(
            data.startswith(SIGNATURE, at),
            f"a page is expected at offset {at}, found bytes {data[at : at + 4].hex(' ')}",
        )
        page = _page(data, at)
        yield page
        at = page.end


def _page(data: bytes, at: int) -> _Page:
    """The page that starts here."""
    body = at + _PAGE.size
    need(body <= len(data), f"the file ends inside the header of the page at offset {at}; it is cut off")
    _, version, flags, position, serial, _, crc, number = _PAGE.unpack_from(data, at)
    need(version == 0, f"the page at offset {at} has version {version}, not 0")
    segments = data[body : body + number]
    body += number
    end = body + sum(segments)
    need(
        len(segments) == number and end <= len(data),
        f"the file ends inside the page at offset {at}; it is cut off",
    )
    return _Page(at, end, body, flags, position, serial, crc, segments)


def _identify(data: bytes, page: _Page, streams: dict[int, _Stream], others: list[str]) -> None:
    """Note what a stream's first page says of it."""
    found = _crc(data[page.at : page.at + 22] + bytes(4) + data[page.at + 26 : page.end])
    need(
        page.crc == found,
        f"CRC of the page at offset {page.at} is 0x{page.crc:08x}, its bytes give 0x{found:08x}",
    )
    packet = data[page.body : page.end]
    need(bool(packet), f"the first page of stream {page.serial} is empty")
    if packet.startswith(b"\x01vorbis"):
        _check_alone(page, "Vorbis")
        streams[page.serial] = _vorbis(packet)
    elif packet.startswith(b"OpusHead"):
        _check_alone(page, "Opus")
        streams[page.serial] = _opus(packet)
    elif not packet.startswith(_SKELETON):
        names = (name for start, name in _OTHERS.items() if packet.startswith(start))
        others.append(next(names, f"a codec that starts with {packet[:8].hex(' ')}"))


def _check_alone(page: _Page, codec: str) -> None:
    """An identification is one packet, and nothing else is on its page."""
    alone = page.segments[-1] < 255 and all(size == 255 for size in page.segments[:-1])
    need(alone, f"the {codec} identification is not alone on the first page")


def _vorbis(packet: bytes) -> _Stream:
    """What a Vorbis identification says."""
    need(
        len(packet) == _VORBIS.size, f"the Vorbis identification has {len(packet)} bytes, not {_VORBIS.size}"
    )
    version, channels, rate, _, _, _, blocks, framing = _VORBIS.unpack_from(packet)
    need(version == 0, f"Vorbis version {version}, not 0")
    need(channels > 0, "the Vorbis identification says 0 channels")
    need(rate > 0, "the Vorbis identification says 0 samples a second")
    short, long = blocks & 15, blocks >> 4
    need(
        6 <= short <= long <= 13,
        f"Vorbis block sizes 2^{short} and 2^{long}; they are 2^6 to 2^13, the first not larger",
    )
    need(framing & 1 == 1, "the framing bit of the Vorbis identification is 0")
    return _Stream(rate, channels, 0)


def _opus(packet: bytes) -> _Stream:
    """What an Opus identification says."""
    need(len(packet) >= _OPUS.size, f"the Opus identification has {len(packet)} bytes, below {_OPUS.size}")
    version, channels, skip, _, _, mapping = _OPUS.unpack_from(packet)
    need(version & 0xF0 == 0, f"Opus version {version}; up to 15 can be read")
    need(channels > 0, "the Opus identification says 0 channels")
    need(mapping > 0 or channels <= 2, f"{channels} channels with Opus mapping 0, which has 1 or 2")
    right = _OPUS.size + (2 + channels if mapping else 0)
    need(
        len(packet) >= right,
        f"the Opus identification has {len(packet)} bytes, but {channels} channels need {right}",
    )
    return _Stream(_OPUS_RATE, channels, skip)


def _crc_table() -> tuple[int, ...]:
    """The table of Ogg's CRC: polynomial 0x04c11db7, highest bit first."""
    table = []
    for byte in range(256):
        value = byte << 24
        for _ in range(8):
            value = (value << 1 ^ 0x04C11DB7 if value & 0x80000000 else value << 1) & 0xFFFFFFFF
        table.append(value)
    return tuple(table)


_TABLE = _crc_table()


def _crc(data: bytes) -> int:
    """Ogg's CRC of a page whose CRC field is zero (RFC 3533, section 6: start value and final XOR are 0)."""
    value = 0
    for byte in data:
        value = (value << 8 & 0xFFFFFFFF) ^ _TABLE[value >> 24 ^ byte]
    return value
