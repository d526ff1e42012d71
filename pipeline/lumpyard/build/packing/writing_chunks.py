"""Writing the lumps of a chunk to their places: neighbours in one go, with the padding between them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from lumpyard.build.shapes import Copy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.build.packing.placing import Placer
    from lumpyard.build.packing.splice import Splice, Spliced
    from lumpyard.disk import NewFile

HOLE = 64 << 10  # bytes of padding from which it is left as a hole

Piece = bytes | Copy | None  # stored bytes: in memory, elsewhere, or in the archive already


class ChunkWriter:
    """Writes into an archive's file where a worker's placer says."""

    def __init__(self, file: NewFile, placer: Placer) -> None:
        self._file = file
        self._placer = placer

    def write(self, chunk: range, pieces: Sequence[Piece]) -> None:
        """Write a chunk's lumps: neighbours in one go, with the padding between them."""
        offsets, shared = self._placer.offsets, self._placer.shared
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

    def write_spliced(self, chunk: range, spliced: Spliced, splice: Splice) -> None:
        """Copy a chunk whole; lump by lump where the new archive has other paddings."""
        offsets = self._placer.offsets[chunk.start : chunk.stop]
        copies = splice.copies(spliced)
        shift = offsets[0] - spliced.where.offset
        if all(offset - copy.offset == shift for offset, copy in zip(offsets, copies, strict=True)):
            where = spliced.where
            self._file.copy_from(where.descriptor, where.offset, offsets[0], where.size)
        else:
            self._write_copies(zip(offsets, copies, strict=True))

    def _write_bytes(self, run: Iterable[tuple[int, Any]]) -> None:
        pieces: list[bytes] = []
        start = end = 0
        for offset, piece in run:
            if pieces and offset - end >= HOLE:
                self._file.write_at(start, pieces)
                pieces = []
            if not pieces:
                start = offset
            elif offset > end:
                pieces.append(bytes(offset - end))
            pieces.append(piece)
            end = offset + len(piece)
        self._file.write_at(start, pieces)

    def _write_copies(self, run: Iterable[tuple[int, Any]]) -> None:
        file = self._file
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
    return same and 0 <= gap < min(piece.alignment, HOLE)
