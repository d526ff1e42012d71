"""What differs between two archives, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.convert.model import ORIGIN_NAME, ORIGIN_TYPE

if TYPE_CHECKING:
    from lumpyard.report.inventory import Inventory

ADDED, REMOVED, CHANGED, RENAMED = "added", "removed", "changed", "renamed"
RETYPED, RESCHEMED, REENCODED, MOVED, SAME = "retyped", "reschemed", "reencoded", "moved", "same"
STATUSES = (ADDED, REMOVED, CHANGED, RENAMED, RETYPED, RESCHEMED, REENCODED, MOVED, SAME)
MEANT = STATUSES[:6]  # what is not layout or compression alone


class Change(NamedTuple):
    """One lump of either archive, or the same lump of both."""

    status: str
    name: str  # in the new archive; of what was removed, in the old one
    old: int | None  # indices in the directories
    new: int | None
    old_bytes: int  # of the file
    new_bytes: int
    old_name: str = ""  # of what was renamed
    also: tuple[str, ...] = ()  # further statuses that are true of it

    @property
    def delta(self) -> int:
        """By how many bytes the file is larger for it."""
        return self.new_bytes - self.old_bytes


class Total(NamedTuple):
    """A row of the totals: the lumps of one status, or a part of the file that is no lump."""

    what: str  # of STATUSES or PARTS
    lumps: int  # 0 of parts
    old_bytes: int
    new_bytes: int

    @property
    def delta(self) -> int:
        """By how many bytes the file is larger for them."""
        return self.new_bytes - self.old_bytes


class Fact(NamedTuple):
    """Something of an archive as a whole that differs."""

    what: str  # format, alignment, seed, names, order, or bytes (those that are in no lump)
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ArchiveDiff:
    """All that differs; `totals` are all rows, also those without a difference."""

    old: Inventory
    new: Inventory
    changes: list[Change]  # of every status but `same`: by status, then by name; what moved as it stands
    totals: list[Total]
    facts: list[Fact] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what could not be found out
    by_content: bool = False  # layout, compression and format count for nothing

    @property
    def delta(self) -> int:
        """By how many bytes the new file is larger: the sum of the totals."""
        return self.new.size - self.old.size

    def content_only(self) -> ArchiveDiff:
        """The same without layout, compression and format: those lumps are as they were, and nothing else differs.

        What an EWAD's origin lump takes counts as directory: it has what another format's directory had.
        """
        meant = [change for change in self.changes if self._is_meant(change)]
        rows = {total.what: total for total in self.totals}
        for change in self.changes:
            if change.status in MEANT and not self._is_meant(change):
                lost, kept = rows[change.status], rows["directory"]
                size = change.old_bytes, change.new_bytes
                rows[change.status] = Total(
                    lost.what, lost.lumps - 1, lost.old_bytes - size[0], lost.new_bytes - size[1]
                )
                rows["directory"] = Total(
                    kept.what, kept.lumps, kept.old_bytes + size[0], kept.new_bytes + size[1]
                )
        for what in (REENCODED, MOVED):
            lost, same = rows[what], rows[SAME]
            rows[SAME] = Total(SAME, *(one + other for one, other in zip(same[1:], lost[1:], strict=True)))
            rows[what] = Total(what, 0, 0, 0)
        return replace(self, changes=meant, totals=list(rows.values()), facts=[], by_content=True)

    def differs(self, *, by_content: bool = False) -> bool:
        """Whether anything does; with `by_content`, anything but layout, compression and format."""
        if by_content or self.by_content:
            return any(map(self._is_meant, self.changes))
        return bool(self.changes or self.facts or any(total.delta for total in self.totals))

    def _is_meant(self, change: Change) -> bool:
        """Whether a change is one of content: of a lump that is more than a note on where others once stood."""
        if change.status not in MEANT or change.name != ORIGIN_NAME:
            return change.status in MEANT
        old = None if change.old is None else self.old.lumps[change.old].fourcc
        new = None if change.new is None else self.new.lumps[change.new].fourcc
        return {old, new} - {None} != {ORIGIN_TYPE}
