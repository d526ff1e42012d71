"""Writing an archive's lumps: chunks of the directory order, each made by whoever claims it (design.md, section 4).

A worker makes the lumps of a chunk and publishes their stored sizes in memory that all workers share. As soon as the
sizes before a chunk are known its offset is known too, and its worker writes it there; nobody waits for a writer.
"""

from __future__ import annotations

import itertools
import mmap
import time
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from xxhash import xxh64

from lumpyard.build.encode import RAW, codec_label
from lumpyard.build.placing import UNKNOWN, Placer
from lumpyard.build.record import Facts
from lumpyard.errors import ProblemsError
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.build.making import Maker, Slot
    from lumpyard.build.parallel import Claim, Send
    from lumpyard.disk import NewFile
    from lumpyard.errors import Problem

CHUNK_SIZE = 1 << 20  # raw bytes; more lumps at once do not make a chunk cheaper
CHUNK_LUMPS = 128
STREAM_FROM = 4 << 20  # raw bytes from which a lump that stays raw goes through in pieces
HELD_LIMIT = 64 << 20  # stored bytes that a worker may hold until their place is known
_RAW_SIZE = Facts._fields.index("raw_size")
_HOLE = 64 << 10  # padding from which it is left as a hole
_WAIT = 0.0005  # seconds between looks at what other workers have published


class Copy(NamedTuple):
    """Stored bytes that lie in an archive of an earlier build."""

    descriptor: int
    offset: int
    size: int
    alignment: int  # of that archive
    contents: bytes  # what tells stored bytes apart under dedupe


Piece = bytes | Copy | None  # stored bytes, in memory, elsewhere, or in the archive already


class Stream(NamedTuple):
    """A source that is stored as it is, too large to hold."""

    path: str
    size: int


class Job:
    """An archive that is being written: what every worker sees. Made before workers are forked."""

    def __init__(
        self,
        slots: Sequence[Slot],
        copies: Sequence[Copy | None],
        alignments: Sequence[int],
        raw_sizes: Sequence[int],
        file: NewFile,
        start: int,
        *,
        dedupe: bool,
    ) -> None:
        self.slots = slots
        self.copies = copies
        self.alignments = alignments
        self.file = file
        self.start = start
        self.streams = [_stream(slot, size) for slot, size in zip(slots, raw_sizes, strict=True)]
        count = len(slots)
        self.sizes = memoryview(mmap.mmap(-1, max(8, count * 8))).cast("Q")[:count]
        self.contents = memoryview(mmap.mmap(-1, max(1, count * 32))) if dedupe else None
        for index, copy in enumerate(copies):
            if copy is None:
                self.sizes[index] = UNKNOWN
            else:
                if self.contents is not None:
                    self.contents[index * 32 : index * 32 + 32] = copy.contents
                self.sizes[index] = copy.size
        self.chunks = _chunks(copies, self.streams, raw_sizes)
        self.stopped = False  # a worker thread failed: the others stop waiting for it

    def placer(self) -> Placer:
        """A fresh look at where lumps go."""
        return Placer(self.sizes, self.alignments, self.start, self.contents)


def _stream(slot: Slot, raw_size: int) -> Stream | None:
    lump = slot.lump
    large = lump.recipe.rule.verbatim and raw_size >= STREAM_FROM
    if large and codec_label(lump.recipe.encoding, raw_size) == RAW:
        return Stream(lump.sources[0], raw_size)
    return None


def _chunks(
    copies: Sequence[Copy | None], streams: Sequence[Stream | None], raw_sizes: Sequence[int]
) -> list[range]:
    """Runs of lumps that one worker takes at a time; copies cost next to nothing, streams go alone."""
    chunks, first, size, lumps = [], 0, 0, 0
    for index, raw_size in enumerate(raw_sizes):
        alone = streams[index] is not None and copies[index] is None
        if alone and first < index:
            chunks.append(range(first, index))
            first, size, lumps = index, 0, 0
        if copies[index] is None:
            size += raw_size
            lumps += 1
        if alone or size >= CHUNK_SIZE or lumps >= CHUNK_LUMPS:
            chunks.append(range(first, index + 1))
            first, size, lumps = index + 1, 0, 0
    if first < len(raw_sizes):
        chunks.append(range(first, len(raw_sizes)))
    return chunks


class Worker:
    """One worker's loop over chunks."""

    def __init__(self, job: Job, maker: Maker, claim: Claim, send: Send) -> None:
        self._job = job
        self._maker = maker
        self._claim = claim
        self._send = send
        self._placer = job.placer()
        self._held: deque[tuple[range, list[Piece]]] = deque()
        self._held_size = 0

    def run(self) -> None:
        """Make and write chunks until none is left."""
        try:
            while (number := self._claim()) is not None:
                self._take(self._job.chunks[number])
                self._flush(wait=self._held_size > HELD_LIMIT)
            self._flush(wait=True)
        except BaseException:
            self._job.stopped = True
            raise

    def _take(self, chunk: range) -> None:
        """Make the lumps of a chunk and publish their sizes; one that fails is empty, and the archive is not kept."""
        copies, maker = self._job.copies, self._maker
        made: list[tuple[int, tuple[Any, ...]]] = []
        pieces: list[Piece] = []
        problems: list[Problem] = []
        exit_status = 0
        for index in chunk:
            if (copy := copies[index]) is not None:
                pieces.append(copy)
                continue
            try:
                piece, facts = self._make(index)
            except ProblemsError as error:
                problems += error.problems
                exit_status = max(exit_status, error.exit_status)
                piece = b""
            else:
                made.append((index, facts))
            pieces.append(piece)
            if piece is not None:
                self._publish(index, piece)
                self._held_size += len(piece)
        self._held.append((chunk, pieces))
        self._send(
            (
                made,
                list(map(tuple, maker.world.take_learned())),
                list(map(_plain, problems)),
                list(map(_plain, maker.take_warnings())),
                exit_status,
                *maker.counts.take(),
                sum(facts[_RAW_SIZE] for _, facts in made),
            )
        )

    def _make(self, index: int) -> tuple[bytes | None, tuple[Any, ...]]:
        stream = self._job.streams[index]
        if stream is not None:
            return None, self._stream(index, stream)
        return self._maker.make(self._job.slots[index])

    def _publish(self, index: int, stored: bytes) -> None:
        if self._job.contents is not None:
            self._job.contents[index * 32 : index * 32 + 32] = digest(stored)
        self._job.sizes[index] = len(stored)

    def _flush(self, *, wait: bool) -> None:
        """Write the held chunks whose place is known; all of them with `wait`."""
        while self._held:
            placed = self._placer.advance()
            while self._held and self._held[0][0].stop <= placed:
                chunk, pieces = self._held.popleft()
                self._write(chunk, pieces)
            if not self._held or not wait:
                return
            self._await()

    def _await(self) -> None:
        if self._job.stopped:
            raise InterruptedError("another worker failed")
        time.sleep(_WAIT)

    def _stream(self, index: int, stream: Stream) -> tuple[Any, ...]:
        """Write a source that is stored as it is, in pieces, as soon as its place is known."""
        job, world = self._job, self._maker.world
        if job.contents is not None:
            for _ in world.pieces(stream.path):
                pass
            job.contents[index * 32 : index * 32 + 32] = world.known[stream.path]
        job.sizes[index] = stream.size
        while self._placer.advance() <= index:
            self._flush(wait=False)
            self._await()
        position = None if index in self._placer.shared else self._placer.offsets[index]
        return self._maker.stream_facts(job.slots[index], stream.size, self._pour(stream, position))

    def _pour(self, stream: Stream, position: int | None) -> tuple[bytes, int]:
        """Digest and content hash of a source whose pieces are written from `position` on (nowhere: shared bytes)."""
        world, content = self._maker.world, xxh64()
        for piece in world.pieces(stream.path):
            content.update(piece)
            if position is not None:
                self._job.file.write_at(position, [piece])
                position += len(piece)
        return world.known[stream.path], content.intdigest()

    def _write(self, chunk: range, pieces: Sequence[Piece]) -> None:
        """Write a chunk's lumps: neighbours in one go, with the padding between them."""
        offsets, shared = self._placer.offsets, self._placer.shared
        self._held_size -= sum(len(piece) for piece in pieces if isinstance(piece, bytes))
        placed = [
            (offsets[index], piece)
            for index, piece in zip(chunk, pieces, strict=True)
            if piece is not None and index not in shared
        ]
        for is_copy, run in itertools.groupby(placed, lambda item: isinstance(item[1], Copy)):
            if is_copy:
                self._write_copies(run)
            else:
                self._write_bytes(run)

    def _write_bytes(self, run: Iterable[tuple[int, Any]]) -> None:
        pieces: list[bytes] = []
        start = end = 0
        for offset, piece in run:
            if pieces and offset - end >= _HOLE:
                self._job.file.write_at(start, pieces)
                pieces = []
            if not pieces:
                start = offset
            elif offset > end:
                pieces.append(bytes(offset - end))
            pieces.append(piece)
            end = offset + len(piece)
        self._job.file.write_at(start, pieces)

    def _write_copies(self, run: Iterable[tuple[int, Any]]) -> None:
        file = self._job.file
        whole: Copy | None = None
        target = 0
        for offset, piece in run:
            if whole is not None and _follows(whole, target, piece, offset):
                whole = whole._replace(size=piece.offset + piece.size - whole.offset)
                continue
            if whole is not None:
                file.copy_from(whole.descriptor, whole.offset, target, whole.size)
            whole, target = piece, offset
        if whole is not None:
            file.copy_from(whole.descriptor, whole.offset, target, whole.size)


def _follows(whole: Copy, target: int, piece: Copy, offset: int) -> bool:
    """Whether a kept lump lies behind the others in the new archive as it did in the old, with padding alone between.

    A gap below the old archive's alignment holds no other lump, since one would start at a multiple of it.
    """
    gap = piece.offset - (whole.offset + whole.size)
    same = piece.descriptor == whole.descriptor and offset - (target + whole.size) == gap
    return same and 0 <= gap < piece.alignment


def _plain(problem: Problem) -> tuple[Any, ...]:
    return tuple(problem.place), problem.code, problem.message, problem.hint
