"""The methods of one sector, or of a file that is a single unit, undone one after the other.

The first byte of a compressed sector is a set of methods. The writer applied them from the last of this table to the
first, so they are undone from the first to the last:

    0x10   bzip2
    0x08   PKWARE DCL ("implode")
    0x02   zlib
    0x01   Huffman
    0x80   ADPCM, stereo
    0x40   ADPCM, mono
    0x20   sparse

0x12 alone is LZMA from format version 2 on; in version 1, which has no LZMA, it is zlib within bzip2. 0x04 is no
method. docs/mpq.md says more.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lumpyard.archives.mpq.codecs import adpcm, explode, huffman, sparse, standard
from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

_LZMA = 0x12
_LZMA_SINCE = 2
_BZIP2_SIGNATURE = b"BZh"
_STAGES: tuple[tuple[int, Callable[[memoryview, int], bytes]], ...] = (
    (0x10, standard.bunzip2),
    (0x08, explode.explode),
    (0x02, standard.inflate),
    (0x01, huffman.decode),
    (0x80, partial(adpcm.decode, channels=2)),
    (0x40, partial(adpcm.decode, channels=1)),
    (0x20, sparse.expand),
)
_MOST = 2**30  # bytes; a sector has at most 16 MiB, and no single unit was seen that is near it
_MOST_BETWEEN = 2**31 - 2  # what decompressors of every machine take as a limit
_KNOWN = 0x10 | 0x08 | 0x02 | 0x01 | 0x80 | 0x40 | 0x20


def decompress(data: Buffer, size: int, *, version: int) -> bytes:
    """The raw bytes of a compressed sector, exactly `size` of them, in an archive of that format version.

    `data` starts with the methods. MalformedError when a method's stream is broken (its code is the method's: zlib,
    bzip2, lzma, pkware, huffman, adpcm, sparse), the bytes are more or fewer (code `size`), or no method is named
    (code `method`); UnsupportedError (code `method`) for unknown methods, (code `size`) above 1 GiB, or as the
    method says.
    """
    _check_size(size)
    stored = memoryview(data).cast("B")
    if not stored:
        raise MalformedError("there is no byte that names the compression methods", "method")
    return _exactly(size, _undo(stored[0], stored[1:], size, version))


def imploded(data: Buffer, size: int) -> bytes:
    """The raw bytes of a sector of a file with the flag IMPLODE, exactly `size`; errors as in `decompress`."""
    _check_size(size)
    return _exactly(size, explode.explode(memoryview(data).cast("B"), size))


def _undo(methods: int, stored: memoryview, size: int, version: int) -> bytes:
    if methods == _LZMA and version >= _LZMA_SINCE:
        return standard.unlzma(stored, size)
    if methods == _LZMA and stored[: len(_BZIP2_SIGNATURE)] != _BZIP2_SIGNATURE:
        raise MalformedError(
            "compression methods 0x12 are bzip2 and zlib in format version 1, and these bytes are no bzip2; LZMA is"
            f" read from version {_LZMA_SINCE} on",
            "bzip2",
        )
    if methods & ~_KNOWN:
        raise UnsupportedError(
            f"compression methods 0x{methods:02x}: 0x{methods & ~_KNOWN:02x} is none that is known", "method"
        )
    stages = [decode for method, decode in _STAGES if methods & method]
    if not stages:
        raise MalformedError("compression methods 0x00: a compressed sector names at least one", "method")
    for decode in stages[:-1]:
        stored = memoryview(decode(stored, _most_between(size)))
    return stages[-1](stored, size)


def _most_between(size: int) -> int:
    """How many bytes may pass from one method to the next: a method may lengthen what it cannot shorten."""
    return min(2 * size + 1024, _MOST_BETWEEN)


def _check_size(size: int) -> None:
    if size > _MOST:
        raise UnsupportedError(f"a sector of {size} bytes is not read; the most is {_MOST}", "size")


def _exactly(size: int, raw: bytes) -> bytes:
    if len(raw) != size:
        raise MalformedError(
            f"the sector decodes to {len(raw)} bytes, not to the {size} that it stands for", "size"
        )
    return raw
