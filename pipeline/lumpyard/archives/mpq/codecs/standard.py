"""What zlib, bzip2 and LZMA streams hold, by the standard library, never more than a given size.

LZMA in an MPQ is a header and a stream:

    u8       filter, always 0
    u8       (pb * 5 + lp) * 9 + lc
    u32      dictionary size
    u64      raw size
    ...      LZMA stream, with or without an end mark
"""

from __future__ import annotations

import zlib
from struct import Struct
from typing import TYPE_CHECKING

from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from typing import Protocol

    class _Decompressor(Protocol):
        """What zlib's, bz2's and lzma's decompressors share."""

        @property
        def eof(self) -> bool:
            """Whether the end of the stream was met and its checksum holds."""
            ...

        def decompress(self, data: memoryview, max_length: int, /) -> bytes:
            """At most so many bytes of what the data holds."""
            ...


_LZMA_HEADER = Struct("<BBIQ")
_ALONE_HEADER = Struct("<BIQ")  # of an .lzma file: the same without the filter
_MIN_DICTIONARY = 4096  # of LZMA
_LAST_PROPERTIES = (4 * 5 + 4) * 9 + 8
_MAX_LITERAL_BITS = 4  # lc + lp that liblzma reads
_UNKNOWN_SIZE = 2**64 - 1  # then the stream has an end mark


def inflate(data: memoryview, limit: int) -> bytes:
    """The raw bytes of a zlib stream; MalformedError (code `zlib`) when broken, cut, or of more than `limit`."""
    try:
        return _whole(zlib.decompressobj(), data, limit, "zlib")
    except zlib.error as error:
        raise MalformedError(f"the zlib stream of {len(data)} bytes is broken ({error})", "zlib") from None


def bunzip2(data: memoryview, limit: int) -> bytes:
    """The raw bytes of a bzip2 stream; MalformedError (code `bzip2`) as with `inflate`."""
    try:
        from bz2 import BZ2Decompressor  # noqa: PLC0415 - Python can be built without it
    except ImportError:
        raise UnsupportedError("this Python was built without bzip2", "bzip2") from None
    try:
        return _whole(BZ2Decompressor(), data, limit, "bzip2")
    except (OSError, ValueError) as error:
        raise MalformedError(f"the bzip2 stream of {len(data)} bytes is broken ({error})", "bzip2") from None


def unlzma(data: memoryview, limit: int) -> bytes:
    """The raw bytes of a header and an LZMA stream, as many as the header says.

    MalformedError (code `lzma`) when they are broken, cut, or of more than `limit`; UnsupportedError (code `lzma`)
    for filters and for parameters that liblzma does not read.
    """
    if len(data) < _LZMA_HEADER.size:
        raise MalformedError(
            f"{len(data)} bytes are too few for an LZMA header of {_LZMA_HEADER.size} bytes", "lzma"
        )
    filter_id, properties, dictionary, size = _LZMA_HEADER.unpack_from(data)
    _check_parameters(filter_id, properties)
    if size > limit:
        raise MalformedError(
            f"the LZMA header says {size} raw bytes, but at most {limit} belong here", "lzma"
        )
    # No stream looks back further than its start, so a dictionary of 4 GiB need not be made for 4 KiB.
    dictionary = max(_MIN_DICTIONARY, min(dictionary, size))
    stream = data[_LZMA_HEADER.size :]
    raw = _unlzma(_ALONE_HEADER.pack(properties, dictionary, size), stream, size)
    if raw is None:  # older versions of liblzma take no end mark where the size is known
        raw = _unlzma(_ALONE_HEADER.pack(properties, dictionary, _UNKNOWN_SIZE), stream, size)
    if raw is None or len(raw) != size:
        raise MalformedError(
            f"the LZMA stream of {len(stream)} bytes is broken, cut, or not of the stated {size} raw bytes",
            "lzma",
        )
    return raw


def _check_parameters(filter_id: int, properties: int) -> None:
    if filter_id:
        raise UnsupportedError(f"LZMA filter {filter_id} is not read; only 0, none, is", "lzma")
    if properties > _LAST_PROPERTIES:
        raise MalformedError(
            f"{properties} is no properties byte of LZMA; the last is {_LAST_PROPERTIES}", "lzma"
        )
    lc, lp = properties % 9, properties // 9 % 5
    if lc + lp > _MAX_LITERAL_BITS:
        raise UnsupportedError(f"LZMA with lc {lc} and lp {lp} is not read; their sum is at most 4", "lzma")


def _unlzma(header: bytes, stream: memoryview, size: int) -> bytes | None:
    """What an .lzma file of this header and stream holds; None where it does not end properly."""
    try:
        from lzma import FORMAT_ALONE, LZMADecompressor, LZMAError  # noqa: PLC0415 - as in bunzip2
    except ImportError:
        raise UnsupportedError("this Python was built without LZMA", "lzma") from None
    decoder = LZMADecompressor(FORMAT_ALONE)
    try:
        decoder.decompress(header, 0)
        raw = decoder.decompress(stream, size + 1)
    except LZMAError:
        return None
    return raw if decoder.eof else None


def _whole(decoder: _Decompressor, data: memoryview, limit: int, method: str) -> bytes:
    raw = decoder.decompress(data, limit + 1)
    if len(raw) > limit:
        raise MalformedError(
            f"the {method} stream holds more than the {limit} raw bytes that belong here", method
        )
    if not decoder.eof:
        raise MalformedError(f"the {method} stream ends early, after {len(raw)} raw bytes", method)
    return raw
