"""How an archive of a format is laid out: the order of its lumps, where they start, and what goes around them.

An EWAD has its directory in front, sorted by key. All others have a header in front, lumps back to back in the plan's
order, and the directory behind the last; the archive hash of those is XXH64, with seed 0, of the whole file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from lumpyard.disk import PIECE
from lumpyard.errors import CookError, Place, Problem
from lumpyard.hashing import content_hash_parts, name_keys
from lumpyard.manifest.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.archives.writing import NewLump
    from lumpyard.build.earlier.record import Rows
    from lumpyard.build.lumps.slots import Slots
    from lumpyard.build.shapes import Slot
    from lumpyard.disk import NewFile
    from lumpyard.plan.model import ArchivePlan

    Read = Callable[[int, int], bytes]  # so many bytes from an offset on


class Finished(NamedTuple):
    """What is known of an archive once all of it is written."""

    archive_hash: int
    seed: int
    size: int


class Layout(Protocol):
    """The layout of one archive."""

    @property
    def order(self) -> Sequence[int]:
        """Index in the plan's order of each lump of the directory."""
        ...

    @property
    def keys(self) -> Sequence[int]:
        """The key of each lump of the directory."""
        ...

    @property
    def start(self) -> int:
        """Where the first lump starts, before its alignment."""
        ...

    def foresee(self, raw_sizes: Sequence[int]) -> None:
        """CookError where it is known before anything is made that the format can't hold it."""
        ...

    def finish(self, file: NewFile, rows: Rows, end: int) -> Finished:
        """Write all but the lumps, which end at `end`; CookError where the format can't hold them after all."""
        ...


def layout_of(plan: ArchivePlan, slots: Slots) -> Layout:
    """The layout of an archive of these lumps."""
    return EwadLayout(plan, slots) if FORMATS[plan.format].holds_all else FlatLayout(plan, slots)


class EwadLayout:
    """A `Layout` of an EWAD."""

    def __init__(self, plan: ArchivePlan, slots: Slots) -> None:
        from lumpyard.archives.ewad.layout import head_size, order_names  # noqa: PLC0415 - of what is written

        self._plan = plan
        self._names = _names(slots)
        self._ordering = order_names(self._names, plan.seed)
        self.order = self._ordering.order
        self.keys = self._ordering.keys
        self.start = head_size(self._names, named=not plan.strip)

    def foresee(self, raw_sizes: Sequence[int]) -> None:
        """Nothing is too large for an EWAD."""

    def finish(self, file: NewFile, rows: Rows, end: int) -> Finished:
        """Write header, directory and string table."""
        from lumpyard.archives.ewad.writer import encode_head  # noqa: PLC0415 - as above

        head = encode_head(
            self._ordering,
            self._names,
            offsets=rows.column("offset"),
            stored_sizes=rows.column("stored_size"),
            raw_sizes=rows.column("raw_size"),
            content_hashes=rows.column("content_hash"),
            fourccs=rows.column("fourcc"),
            schemas=rows.column("schema"),
            flags=rows.column("flags"),
            alignment=self._plan.alignment,
            named=not self._plan.strip,
        )
        file.write_at(0, [head])
        return Finished(int.from_bytes(head[48:56], "little"), self._ordering.seed, end)


class FlatLayout:
    """A `Layout` of any other format."""

    def __init__(self, plan: ArchivePlan, slots: Slots) -> None:
        from lumpyard.archives.writing import WRITERS  # noqa: PLC0415 - of what is written

        self._plan = plan
        self._slots = slots
        self._names = _names(slots)
        self._writer = WRITERS[plan.format]
        self.order = range(len(slots))
        self.keys = name_keys(self._names, 0)  # no key is in the file; the ledger has them as of seed 0
        self.start = self._writer.header_size

    def foresee(self, raw_sizes: Sequence[int]) -> None:
        """Refuse what is too large, where all sizes are known: nothing is to be cooked or compressed."""
        from lumpyard.archives import writing  # noqa: PLC0415 - as above

        if all(_is_size_known(slot) for slot in self._slots):
            sized = zip(self._names, raw_sizes, strict=True)
            self._check([writing.NewLump(name, size, size) for name, size in sized])

    def finish(self, file: NewFile, rows: Rows, end: int) -> Finished:
        """Write header and directory."""
        from lumpyard.archives import writing  # noqa: PLC0415 - as above

        columns = map(rows.column, ("stored_size", "raw_size", "flags"))
        lumps = [
            writing.NewLump(name, stored_size, raw_size, bool(flags), slot.lump.kind)
            for name, slot, stored_size, raw_size, flags in zip(
                self._names, self._slots, *columns, strict=True
            )
        ]
        self._check(lumps)
        directory = self._writer.directory(lumps, rows.column("offset"))
        file.write_at(end, [directory])
        file.write_at(0, [self._writer.header(len(lumps), end)])
        size = end + len(directory)
        return Finished(file_hash(file.read_at, size), 0, size)

    def _check(self, lumps: Sequence[NewLump]) -> None:
        """Refuse what only sizes, or names known after cooking, tell (the plan has checked the names it knew)."""
        faults = [fault for fault in self._writer.check(lumps) if fault.verdict != "ok"]
        if faults:
            at = f"archive {self._plan.id} can't be {self._plan.format}"
            problems = []
            for fault in faults:
                source = self._plan.path if fault.entry is None else self._slots[fault.entry].lump.sources[0]
                problems.append(Problem(Place(source), "E0613", f"{at}: {fault.message}"))
            raise CookError(problems)


def _is_size_known(slot: Slot) -> bool:
    recipe = slot.lump.recipe
    return recipe.encoding.codec == "none" and (recipe.rule.verbatim or slot.cooked is not None)


def file_hash(read: Read, size: int) -> int:
    """XXH64, with seed 0, of a whole file: the archive hash where the format has none of its own."""
    return content_hash_parts(_pieces(read, size))


def _pieces(read: Read, size: int) -> Iterator[bytes]:
    step = 8 * PIECE
    for at in range(0, size, step):
        yield read(at, min(step, size - at))


def _names(slots: Slots) -> list[bytes]:
    return [name.encode("utf-8", "surrogateescape") for name in slots.names]
