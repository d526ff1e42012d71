"""The bytes of lumps that go into a page, up to a budget of what they take there.

All lumps that are taken are one run of bytes, palettes first, then the smallest, which makes the most lumps that can be
looked at. The run is cut into chunks, and each is a block; a lump may lie in several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import ArchiveError
from lumpyard.explore.blocks import encode_block
from lumpyard.explore.kinds import is_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lumpyard.explore.subject import Subject

CHUNK = 256 * 1024  # bytes of the run; unpacked in some milliseconds
_HEAD = 96  # bytes; there may be a hundred thousand of them
_PALETTES = frozenset({"PLAYPAL", "PALETTE", "gfx/palette.lmp"})


class Embedded(NamedTuple):
    """What came of it. Rows count over all archives."""

    blocks: Sequence[str]  # the chunks in their order
    offsets: Sequence[int]  # of each row in the run; -1 where it was left out
    unread: Sequence[tuple[int, str]]  # row and message of lumps that cannot be decoded
    size: int  # letters of the blocks
    heads: Mapping[int, bytes] = {}  # by row, the first bytes of lumps that the archive holds in another form


def embed(
    subjects: Sequence[Subject], budget: int, progress: Callable[[int], None] = lambda _size: None
) -> Embedded:
    """As many lumps as the budget has room for; `progress` hears of raw bytes that were looked at."""
    places = [(subject, entry) for subject in subjects for entry in range(len(subject.paths))]
    offsets = [-1] * len(places)
    taken: list[int] = []
    unread: list[tuple[int, str]] = []
    heads: dict[int, bytes] = {}
    run = _Run(budget)
    for row in _order(places):
        if run.full:
            break
        subject, entry = places[row]
        try:
            data = subject.archive.read(entry)
        except ArchiveError as error:
            unread.append((row, str(error)))
            continue
        offsets[row] = run.end
        taken.append(row)
        if not is_plain(subject.archive, entry):
            heads[row] = bytes(data[:_HEAD])
        run.add(data)
        progress(len(data))
    run.finish()
    for row in taken:
        subject, entry = places[row]
        if offsets[row] + subject.archive.lumps[entry].raw_size > run.there:
            offsets[row] = -1
    return Embedded(run.blocks, offsets, sorted(unread), run.size, heads)


class _Run:
    """Bytes one after the other, in chunks, until a block has no room."""

    def __init__(self, budget: int) -> None:
        self.blocks: list[str] = []
        self.size = 0  # letters of the blocks
        self.there = 0  # bytes in the blocks
        self.full = budget <= 0
        self._budget = budget
        self._pending = bytearray()
        self._whole = 0  # bytes of it that are whole lumps, before the one that is being taken

    @property
    def end(self) -> int:
        """Where the next bytes will be."""
        return self.there + len(self._pending)

    def add(self, data: bytes | memoryview) -> None:
        """Take bytes, a chunk at a time; once it is full, none."""
        view = memoryview(data)
        at = 0
        self._whole = len(self._pending)
        while at < len(view) and not self.full:
            piece = view[at : at + CHUNK - len(self._pending)]
            self._pending += piece
            at += len(piece)
            if len(self._pending) == CHUNK:
                self._flush()
                self._whole = 0

    def finish(self) -> None:
        """Take what is pending."""
        self._whole = 0
        if self._pending and not self.full:
            self._flush()

    def _flush(self) -> None:
        block = encode_block(self._pending)
        if self.size + len(block) > self._budget:
            self.full = True
            del self._pending[self._whole :]  # what was taken before may have room without the last
            block = encode_block(self._pending)
            if not self._pending or self.size + len(block) > self._budget:
                return
        self.blocks.append(block)
        self.size += len(block)
        self.there += len(self._pending)
        self._pending.clear()


def _order(places: Sequence[tuple[Subject, int]]) -> Iterator[int]:
    """All rows that have bytes, in the order in which they are taken; palettes come first."""
    sizes = [subject.archive.lumps[entry].raw_size for subject, entry in places]
    ranks = [
        (subject.paths[entry] not in _PALETTES, size)
        for (subject, entry), size in zip(places, sizes, strict=True)
    ]
    return (row for row in sorted(range(len(places)), key=ranks.__getitem__) if sizes[row])
