"""Whole chunks that an earlier archive holds just as the new one is to: the way of nearly all lumps after an edit.

Twenty thousand lumps looked at one by one cost more than reading them. So what is known of each is compared by the
column, a chunk at a time: the same names in the same order, the same digests of sources, the same terms. Then all else
that is told of a lump is the same too, and its stored bytes are copied in one go. What does not fit takes the long way.
"""

from __future__ import annotations

from itertools import count, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.build.earlier.record import DIGEST_SIZE, FACTS
from lumpyard.build.lumps.slots import by_recipe
from lumpyard.build.shapes import Copy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.earlier.keeping import OldArchive
    from lumpyard.build.earlier.record import Rows
    from lumpyard.build.lumps.making import Maker
    from lumpyard.build.lumps.slots import Arranged

_MOST_PADDING = 64 << 10  # alignment from which padding is a hole, which must not be copied as zeros


class Spliced(NamedTuple):
    """A chunk that is copied whole."""

    first: int  # its first lump in the earlier archive
    stop: int
    where: Copy


class Splice:
    """An earlier archive, held against the lumps of the new one in directory order."""

    def __init__(self, lumps: Arranged, rows: Rows, archive: OldArchive, maker: Maker) -> None:
        places = dict(zip(rows.names, count(), strict=False))
        self.rows = rows
        self._archive = archive
        self._known = maker.world.known
        self._at = list(map(places.get, lumps.names, repeat(-1)))
        self._paths = lumps.paths
        marks = {
            number: maker.terms(recipe).mark if recipe.rule.verbatim else None
            for number, recipe in lumps.all_recipes.items()
        }
        self._marks = tuple(by_recipe(lumps.recipes, marks))
        for field in ("offset", *FACTS):
            rows.column(field)  # unpacked here once, and not in each worker

    def take(self, chunk: range) -> Spliced | None:
        """Where the lumps of a chunk lie; None where something of them is not as it was."""
        at = self._at[chunk.start : chunk.stop]
        first, stop = at[0], at[0] + len(at)
        if first < 0 or at != list(range(first, stop)):
            return None
        known = self._known
        digests = b"".join([known.get(path, b"") for path in self._paths[chunk.start : chunk.stop]])
        if digests != self.rows.packed_column("raw_digest")[first * DIGEST_SIZE : stop * DIGEST_SIZE]:
            return None
        if self._marks[chunk.start : chunk.stop] != self.rows.column("terms")[first:stop]:
            return None
        where = self._range(first, stop)
        return None if where is None else Spliced(first, stop, where)

    def _range(self, first: int, stop: int) -> Copy | None:
        """One range of the earlier archive; None where the lumps do not lie one behind the other in it."""
        offsets, sizes = self.rows.column("offset"), self.rows.column("stored_size")
        alignment = self._archive.alignment
        start = end = offsets[first]
        for offset, size in zip(offsets[first:stop], sizes[first:stop], strict=True):
            if not 0 <= offset - end < alignment:
                return None
            end = offset + size
        return Copy(self._archive.file.fd, start, end - start, alignment)

    def facts(self, spliced: Spliced) -> list[Any]:
        """All that is told of a chunk's lumps, by the column."""
        return [self.rows.column(field)[spliced.first : spliced.stop] for field in FACTS]

    def copies(self, spliced: Spliced) -> list[Copy]:
        """Where each lump of a chunk lies."""
        offsets, sizes = self.rows.column("offset"), self.rows.column("stored_size")
        fd, alignment = self._archive.file.fd, self._archive.alignment
        pairs = zip(offsets[spliced.first : spliced.stop], sizes[spliced.first : spliced.stop], strict=True)
        return [Copy(fd, offset, size, alignment) for offset, size in pairs]


def find_splice(lumps: Arranged, alignments: Sequence[int], maker: Maker) -> Splice | None:
    """An archive of an earlier build that chunks may be taken from; None where there is none that can be trusted."""
    if maker.world.restless or max(alignments, default=_MOST_PADDING) >= _MOST_PADDING:
        return None
    for number, record in maker.reuse.given:
        archive = maker.kept.archive(number)
        if (
            archive is not None
            and archive.trusted
            and record.encoder == maker.encoder
            and archive.alignment < _MOST_PADDING
        ):
            return Splice(lumps, record.rows, archive, maker)
    return None
