"""Bytes packed by every method of MPQ sectors, by the tests' own writers and the standard library."""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from typing import TYPE_CHECKING, Any

from tests.builders import implode, mpq_adpcm, mpq_sparse
from tests.builders.mpq_huffman import huffman

from lumpyard.archives.mpq.codecs.weights import WEIGHTS  # constants of the format, not what is under test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

BZIP2, PKWARE, ZLIB, HUFFMAN, STEREO, MONO, SPARSE = 0x10, 0x08, 0x02, 0x01, 0x80, 0x40, 0x20
LZMA = 0x12
ORDER = (SPARSE, MONO, STEREO, HUFFMAN, ZLIB, PKWARE, BZIP2)  # in which a writer applies them
SHIFT = 5


def lzma_with_end_mark(raw: bytes, filters: Iterable[Mapping[str, Any]] | None = None) -> bytes:
    """An MPQ's header and an LZMA stream; Python writes no stream without an end mark."""
    alone = lzma.compress(raw, lzma.FORMAT_ALONE, filters=list(filters) if filters else None)
    return b"\0" + alone[:5] + struct.pack("<Q", len(raw)) + alone[13:]


def quiet(raw: bytes, channels: int) -> bytes:
    """ADPCM that says these samples exactly: each is as the one before in its channel."""
    samples = struct.unpack(f"<{len(raw) // 2}h", raw)
    firsts = samples[:channels]
    assert all(sample == firsts[number % channels] for number, sample in enumerate(samples)), "not quiet"
    return mpq_adpcm.stream(bytes([mpq_adpcm.REPEAT] * (len(samples) - channels)), firsts, SHIFT)


PACK: dict[int, Callable[[bytes], bytes]] = {
    BZIP2: bz2.compress,
    PKWARE: implode.implode,
    ZLIB: zlib.compress,
    HUFFMAN: lambda raw: huffman(raw, 7, WEIGHTS[7]),
    STEREO: lambda raw: quiet(raw, 2),
    MONO: lambda raw: quiet(raw, 1),
    SPARSE: mpq_sparse.sparse,
}


def pack(raw: bytes, methods: int) -> bytes:
    """A sector: the byte that names the methods, and what they make of the raw bytes one after the other."""
    packed = raw
    for method in ORDER:
        if methods & method:
            packed = PACK[method](packed)
    return bytes((methods,)) + packed
