"""Writing an archive's lumps: chunks of the directory order, each made by whoever claims it (design.md, section 4).

A worker makes the lumps of a chunk and publishes their stored sizes in memory that all workers share. As soon as the
sizes before a chunk are known its offset is known too, and its worker writes it there; nobody waits for a writer.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from xxhash import xxh64

from lumpyard import disk
from lumpyard.archives.identity import lump_piece
from lumpyard.build.cooking.tally import Account
from lumpyard.build.earlier.record import FACTS, pack_columns
from lumpyard.build.lumps.plain import PlainLumps
from lumpyard.build.packing.behind import WriteBehind
from lumpyard.build.packing.writing_chunks import ChunkWriter
from lumpyard.build.shapes import Copy
from lumpyard.build.workers.forking import is_left_alone
from lumpyard.errors import ProblemsError
from lumpyard.hashing import digest
from lumpyard.ledger import render_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.lumps.making import Maker
    from lumpyard.build.packing.job import Job, Stream
    from lumpyard.build.packing.splice import Splice, Spliced
    from lumpyard.build.packing.writing_chunks import Piece
    from lumpyard.build.workers.parallel import Claim, Send

HELD_LIMIT = 64 << 20  # stored bytes that a worker may hold until their place is known
MEMORY_LIMIT = 240_000_000  # bytes of what it holds and makes at once, unless one lump alone takes more
_NOTHING = bytes(disk.PIECE)
_SYNC_STEP = 5.0  # seconds of work that a power cut may cost
_WAIT = 0.0005  # seconds between looks at what other workers have published


Facts = tuple[Any, ...]  # in the order of record.FACTS
FAILED: Facts = (0, 0, 0, 0, 0, 0, bytes(32), bytes(32), b"", "", -1, None, None, (), "")


class Held(NamedTuple):
    """A chunk that is made and waits for its place."""

    number: int
    pieces: Sequence[Piece]
    columns: Sequence[Sequence[Any]]  # facts of all its lumps, in the order of record.FACTS
    account: tuple[Any, ...]
    spliced: Spliced | None = None  # a chunk that is copied whole has no pieces


class Worker:
    """One worker's loop over chunks."""

    def __init__(self, job: Job, maker: Maker, splice: Splice | None, claim: Claim, send: Send) -> None:
        self._job = job
        self._maker = maker
        self._splice = splice
        self._claim = claim
        self._send = send
        self._plain = PlainLumps(job, maker)
        self._placer = job.placer()
        self._writer = ChunkWriter(job.file, self._placer)
        self._account = Account()
        self._held: deque[Held] = deque()
        self._held_size = 0
        self._synced = time.monotonic()

    def run(self) -> None:
        """Make and write chunks until none is left."""
        try:
            while (number := self._claim()) is not None:
                self._flush(wait=self._held_size + self._job.needs[number] > MEMORY_LIMIT)
                self._take(number)
                self._flush(wait=self._held_size > HELD_LIMIT)
                self._sync_now_and_then()
            self._flush(wait=True)
            self._maker.blocks.sync()
        except BaseException:
            self._job.stopped = True
            raise

    def _sync_now_and_then(self) -> None:
        """Have blocks that were slow to make on the device soon after, but not one by one: that would cost a tenth."""
        now = time.monotonic()
        if now - self._synced > _SYNC_STEP:
            self._maker.blocks.sync()
            self._synced = now

    def _take(self, number: int) -> None:
        """Make the lumps of a chunk and publish their sizes; one that fails is empty, and the archive is not kept."""
        job = self._job
        chunk = job.chunks[number]
        pieces: Sequence[Piece] = ()
        spliced = self._splice.take(chunk) if self._splice else None
        quick = None if spliced else self._plain.make_chunk(chunk)
        columns: Sequence[Sequence[Any]]
        if self._splice and spliced:
            columns = self._splice.facts(spliced)
            job.publish_all(chunk, columns[0])
        elif quick:
            pieces, columns = quick
            self._held_size += sum(columns[0])
            job.publish_all(chunk, columns[0])
        else:
            pieces, facts = zip(*map(self._make_or_fail, chunk), strict=True)
            columns = list(zip(*facts, strict=True))
        self._held.append(Held(number, pieces, columns, self._account.take(self._maker), spliced))

    def _make_or_fail(self, index: int) -> tuple[Piece, Facts]:
        try:
            return self._make(index)
        except ProblemsError as error:
            self._account.fail(error)
            self._job.publish(index, 0, bytes(32))
            return b"", FAILED

    def _make(self, index: int) -> tuple[Piece, Facts]:
        job = self._job
        short = self._plain.make(index)
        if short is not None:
            piece, facts = short
            job.sizes[index] = facts[0]
            self._held_size += facts[0] if isinstance(piece, bytes) else 0
            return piece, facts
        slot = job.lumps[index]
        kept = self._maker.find_kept(slot)
        if kept is not None:
            place, facts = kept
            content = self._content(place) if job.contents is not None else b""
            if content is not None:
                job.publish(index, place.size, content)
                return place, facts
        stream = job.streams.get(index)
        if stream is not None:
            return None, self._stream(index, stream)
        stored, facts = self._maker.make(slot)
        self._held_size += len(stored)
        job.publish(index, len(stored), digest(stored) if job.contents is not None else b"")
        return stored, facts

    def _content(self, place: Copy) -> bytes | None:
        """What tells kept stored bytes apart under dedupe: their digest, since damage must not spread."""
        return self._maker.kept.digest_at(place.descriptor, place.offset, place.size)

    def _flush(self, *, wait: bool) -> None:
        """Write the held chunks whose place is known, and tell of them; all of them with `wait`."""
        while self._held:
            placed = self._placer.advance()
            while self._held and self._job.chunks[self._held[0].number].stop <= placed:
                held = self._held.popleft()
                self._write(held)
                self._tell(held)
            if not self._held or not wait:
                return
            self._await()

    def _write(self, held: Held) -> None:
        chunk = self._job.chunks[held.number]
        if self._splice and held.spliced:
            self._writer.write_spliced(chunk, held.spliced, self._splice)
        else:
            self._held_size -= sum(len(piece) for piece in held.pieces if isinstance(piece, bytes))
            self._writer.write(chunk, held.pieces)

    def _await(self) -> None:
        if self._job.stopped or is_left_alone():
            raise InterruptedError("another worker failed")
        time.sleep(_WAIT)

    def _tell(self, held: Held) -> None:
        """Send all there is to know of a chunk's lumps, in columns; what is the same for each is worked out here."""
        job, chunk = self._job, self._job.chunks[held.number]
        lumps, part = job.lumps, slice(chunk.start, chunk.stop)
        pieces = zip(chunk, held.pieces, strict=False)
        made = [index for index, piece in pieces if not isinstance(piece, Copy)]
        offsets, names = self._placer.offsets[part], lumps.names[part]
        stored_sizes, raw_sizes, hashes, fourccs, schemas, flags, raw_digests, cook_digests = held.columns[:8]
        lines = ""
        if job.ledger:
            lines = render_lines(
                [
                    job.keys[part], names, fourccs, schemas, flags, offsets,
                    stored_sizes, raw_sizes, hashes, raw_digests, cook_digests,
                    [recipe.set_id for recipe in lumps.recipes[part]], lumps.source_texts(part),
                ]
            )  # fmt: skip
        encoded = [name.encode("utf-8", "surrogateescape") for name in names]
        ids = list(map(lump_piece, encoded, fourccs, schemas, raw_sizes, raw_digests))
        packed = pack_columns(("offset", *FACTS), (offsets, *held.columns))
        self._send((held.number, packed, lines, ids, made, held.account))

    def _stream(self, index: int, stream: Stream) -> Facts:
        """Write a source that is stored as it is, in pieces, as soon as its place is known."""
        job, world = self._job, self._maker.world
        content = b""
        if job.contents is not None:
            for _ in world.pieces(stream.path):
                pass
            content = world.known[stream.path]
        job.publish(index, stream.size, content)
        while self._placer.advance() <= index:
            self._flush(wait=False)
            self._await()
        position = None if index in self._placer.shared else self._placer.offsets[index]
        return self._maker.stream_facts(job.lumps[index], stream.size, self._pour(stream, position))

    def _pour(self, stream: Stream, position: int | None) -> tuple[bytes, int]:
        """Digest and content hash of a source whose pieces are written from `position` on (nowhere: shared bytes)."""
        world, content = self._maker.world, xxh64()
        behind = None if position is None or not self._job.ledger else WriteBehind(self._job.file, position)
        for piece in world.pieces(stream.path):
            content.update(piece)
            if position is not None:
                if piece != _NOTHING[: len(piece)]:  # what is never written is zero and takes no room
                    self._job.file.write_at(position, [piece])
                position += len(piece)
            if behind and position is not None:
                behind.reach(position)
        return world.known[stream.path], content.intdigest()
