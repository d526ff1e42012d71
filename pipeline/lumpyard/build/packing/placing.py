"""Where each lump's stored bytes go, found while the sizes are still coming in (design.md, sections 4 and 8).

Lumps lie in directory order, each at the next multiple of its alignment. `dedupe` leaves that layout knowingly: the
first entry of equal stored bytes places them, and each placed range serves at most 16 entries, so that the
specification's cap (the sum of all lump sizes is at most 16 times the file) holds by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

UNKNOWN = 2**64 - 1  # a stored size that no worker has published yet
ENTRIES_PER_RANGE = 16


class Placer:
    """Offsets of the first lumps of an archive, as far as sizes are known.

    `sizes` (and, under dedupe, `contents`: 32 bytes that tell stored bytes apart) may be memory that other processes
    fill in; a size is published last, so a lump whose size is known is known whole.
    """

    def __init__(
        self, sizes: Sequence[int], alignments: Sequence[int], start: int, contents: memoryview | None = None
    ) -> None:
        self._sizes = sizes
        self._alignments = alignments
        self._contents = contents
        self._ranges: dict[bytes, tuple[int, int]] = {}  # contents -> offset, entries that it serves so far
        self.end = start  # first byte after what is placed
        self.offsets: list[int] = []  # of the lumps placed so far, in directory order
        self.shared: set[int] = set()  # lumps whose bytes an earlier lump placed

    def advance(self) -> int:
        """Place every lump whose predecessors' sizes are all known; how many lumps are placed then."""
        sizes, alignments, offsets, end = self._sizes, self._alignments, self.offsets, self.end
        contents = self._contents
        for index in range(len(offsets), len(sizes)):
            size = sizes[index]
            if size == UNKNOWN:
                break
            alignment = alignments[index]
            key = b"" if contents is None or not size else bytes(contents[index * 32 : index * 32 + 32])
            if key:
                seen = self._ranges.get(key)
                if seen is not None and seen[1] < ENTRIES_PER_RANGE and seen[0] % alignment == 0:
                    self._ranges[key] = (seen[0], seen[1] + 1)
                    offsets.append(seen[0])
                    self.shared.add(index)
                    continue
            offset = -(-end // alignment) * alignment
            offsets.append(offset)
            end = offset + size
            if key:
                self._ranges[key] = (offset, 1)
        self.end = end
        return len(offsets)
