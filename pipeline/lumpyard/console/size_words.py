"""What a size report says in words, and its tables as rows of text, for every way in which it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.console.escape import escape_name
from lumpyard.console.signed import signed_bytes, signed_percent
from lumpyard.console.sizes import count_text, percent_text, share_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.report.duplicates import Duplicate
    from lumpyard.report.sizes import ArchiveSize, Group

TITLES = ("lumps", "raw", "stored", "in the file", "share")
SINCE = "since the release"


class Row(NamedTuple):
    """One row of a table that adds up to the file."""

    name: str
    lumps: int | None  # None: a part of the file that is no lump
    raw_size: int
    stored_size: int
    bytes: int
    released: int | None

    def cells(self, size: int, *, since: bool) -> list[str]:
        """Name and numbers; `size` is the file's."""
        counts = ["", "", ""]
        if self.lumps is not None:
            counts = [f"{self.lumps:,}", f"{self.raw_size:,}", f"{self.stored_size:,}"]
        change = "" if self.released is None else signed_bytes(self.bytes - self.released)
        return [
            escape_name(self.name),
            *counts,
            f"{self.bytes:,}",
            share_text(self.bytes, size),
            *([change] if since else []),
        ]


def rows_of(archive: ArchiveSize, groups: Sequence[Group], most: int | None = None) -> list[Row]:
    """Rows that add up to the file: the groups, the largest first, what is left of them, the parts, the file."""
    shown = list(groups if most is None or len(groups) <= most + 1 else groups[:most])
    rows = [Row(*group[:5], group.released) for group in shown]
    rest = groups[len(shown) :]
    if rest:
        known = [group.released for group in rest if group.released is not None]
        rows.append(
            Row(
                f"{len(rest):,} more",
                sum(group.lumps for group in rest),
                sum(group.raw_size for group in rest),
                sum(group.stored_size for group in rest),
                sum(group.bytes for group in rest),
                sum(known) if len(known) == len(rest) else None,
            )
        )
    release = archive.release
    old = None if release is None else release.parts
    for part, size in archive.parts.items():
        if size or (old and old[part]):
            rows.append(Row(part, None, 0, 0, size, None if old is None else old[part]))
    totals = (archive.lumps, archive.raw_size, archive.stored_size, archive.size)
    rows.append(Row("file", *totals, None if release is None else release.size))
    return rows


def heading(archive: ArchiveSize) -> str:
    """What an archive is."""
    return f"{archive.path}: {archive.size:,} bytes, {archive.format}, {count_text(archive.lumps, 'lump')}"


def release_text(archive: ArchiveSize) -> str:
    """How it compares with the last release."""
    release = archive.release
    if release is None:
        return "never released: archives.lock has no block of it"
    if release.is_same:
        return "it is the release in archives.lock"
    growth = archive.size - release.size
    percent = signed_percent(growth, release.size)
    change = f"{signed_bytes(growth)} bytes" + (f" ({percent})" if percent else "")
    return f"{change} since the release in archives.lock, which has {count_text(release.lumps, 'lump')}"


def facts_of(archive: ArchiveSize) -> Iterator[str]:
    """What compression and shared places save."""
    if archive.saved or archive.compressed:
        change = f"saves {archive.saved:,}" if archive.saved >= 0 else f"adds {-archive.saved:,}"
        share = percent_text(abs(archive.saved), archive.raw_size)
        yield (
            f"compression {change} bytes, {share} of {archive.raw_size:,};"
            f" {archive.compressed:,} of {count_text(archive.lumps, 'lump')} are compressed"
        )
    if archive.shared:
        yield f"equal lumps that share a place save {archive.shared:,} bytes"
    if archive.dedupe_saves:
        yield f"dedupe would save {archive.dedupe_saves:,} bytes: equal lumps would share one place"


def duplicates_text(duplicates: Sequence[Duplicate]) -> str:
    """What all duplicates come to."""
    cost = sum(one.cost for one in duplicates)
    extra = sum(len(one.lumps) - 1 for one in duplicates)
    return f"{count_text(extra, 'lump')} more than once, which {'costs' if extra == 1 else 'cost'} {cost:,} bytes"


def duplicate_text(one: Duplicate, most: int = 4) -> str:
    """The lumps of one content."""
    names = [f"{archive}:{escape_name(name)}" for archive, name in one.lumps]
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{size_text(one.raw_size)} {len(names)} times: {', '.join(names[:most])}{more}"
