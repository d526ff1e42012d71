"""An archive that is being written, as all its workers see it: made before they are forked (`worker`)."""

from __future__ import annotations

import mmap
from array import array
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.build.lumps.encode import RAW, codec_label
from lumpyard.build.lumps.slots import by_recipe
from lumpyard.build.packing.placing import UNKNOWN, Placer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.lumps.slots import Arranged
    from lumpyard.build.shapes import Slot
    from lumpyard.disk import NewFile

CHUNK_SIZE = 1 << 20  # raw bytes; more lumps at once do not make a chunk cheaper
CHUNK_LUMPS = 128
STREAM_FROM = 4 << 20  # raw bytes from which a lump that stays raw goes through in pieces
_ID = 32  # bytes that tell stored bytes apart under dedupe


class Stream(NamedTuple):
    """A source that is stored as it is, too large to hold."""

    path: str
    size: int


class Job:
    """Lumps in directory order, with shared memory in which workers publish how large they became."""

    def __init__(
        self,
        lumps: Arranged,
        keys: Sequence[int],
        raw_sizes: Sequence[int],
        stats: bytes,
        file: NewFile,
        start: int,
        *,
        dedupe: bool,
        ledger: bool,
    ) -> None:
        self.lumps = lumps
        self.keys = keys
        self.stats = stats  # a STAT block for the first source of each lump, in the plan's order
        alignments = {key: recipe.alignment for key, recipe in lumps.all_recipes.items()}
        self.alignments = by_recipe(lumps.recipes, alignments)
        self.file = file
        self.start = start
        self.ledger = ledger  # whether workers write the ledger's lines
        self.streams = _streams(lumps, raw_sizes)
        count = len(lumps)
        self.sizes = memoryview(mmap.mmap(-1, max(8, count * 8))).cast("Q")[:count]
        self.sizes[:] = memoryview(UNKNOWN.to_bytes(8, "little") * count).cast("Q")
        self.contents = memoryview(mmap.mmap(-1, max(1, count * _ID))) if dedupe else None
        self.chunks = _chunks(self.streams, raw_sizes)
        self.needs = [
            0 if chunk.start in self.streams else _need(raw_sizes[chunk.start : chunk.stop])
            for chunk in self.chunks
        ]
        self.stopped = False  # a worker thread failed: the others stop waiting for it

    def publish(self, index: int, size: int, content: bytes = b"") -> None:
        """Tell everybody how large a lump became; what it is goes first, since a size that is known is known whole."""
        if self.contents is not None:
            self.contents[index * _ID : (index + 1) * _ID] = content
        self.sizes[index] = size

    def publish_all(self, chunk: range, sizes: Sequence[int]) -> None:
        """The same for all lumps of a chunk."""
        self.sizes[chunk.start : chunk.stop] = memoryview(array("Q", sizes))

    def placer(self) -> Placer:
        """A fresh look at where lumps go."""
        return Placer(self.sizes, self.alignments, self.start, self.contents)


def _streams(lumps: Arranged, raw_sizes: Sequence[int]) -> dict[int, Stream]:
    if max(raw_sizes, default=0) < STREAM_FROM:
        return {}
    large = [index for index, size in enumerate(raw_sizes) if size >= STREAM_FROM]
    streams = {index: _stream(lumps[index], raw_sizes[index]) for index in large}
    return {index: stream for index, stream in streams.items() if stream is not None}


def _stream(slot: Slot, raw_size: int) -> Stream | None:
    lump = slot.lump
    if lump.recipe.rule.verbatim and codec_label(lump.recipe.encoding, raw_size) == RAW:
        return Stream(lump.sources[0], raw_size)
    return None


def _need(raw_sizes: Sequence[int]) -> int:
    """Bytes of memory that making some lumps takes: all sources, room for the largest's block, and the block."""
    return sum(raw_sizes) + 2 * max(raw_sizes)


def _chunks(streams: dict[int, Stream], raw_sizes: Sequence[int]) -> list[range]:
    """Runs of lumps that one worker takes at a time; a stream goes alone."""
    chunks, first, size = [], 0, 0
    for index, raw_size in enumerate(raw_sizes):
        alone = index in streams
        if alone and first < index:
            chunks.append(range(first, index))
            first, size = index, 0
        size += raw_size
        if alone or size >= CHUNK_SIZE or index - first + 1 >= CHUNK_LUMPS:
            chunks.append(range(first, index + 1))
            first, size = index + 1, 0
    if first < len(raw_sizes):
        chunks.append(range(first, len(raw_sizes)))
    return chunks
