"""A size report as Markdown, for a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.console.markdown import code, details, table
from lumpyard.console.signed import signed_bytes
from lumpyard.console.size_words import (
    SINCE,
    TITLES,
    duplicates_text,
    facts_of,
    release_text,
    rows_of,
)
from lumpyard.console.sizes import count_text
from lumpyard.report.maps import NO_MAPS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.report.duplicates import Duplicate
    from lumpyard.report.measure import SizeReport
    from lumpyard.report.sizes import ArchiveSize

MOST_ROWS = 20
_MOST_NAMES = 4  # of one content


def size_report_markdown(report: SizeReport, *, show_all: bool = False) -> Iterator[str]:
    """Lines of Markdown."""
    most = None if show_all else MOST_ROWS
    for number, archive in enumerate(report.archives):
        if number:
            yield ""
        yield from _archive(archive, most)
    if report.duplicates:
        shown = report.duplicates[:most]
        rows = [[f"{one.cost:,}", f"{one.raw_size:,}", _names(one)] for one in shown]
        lines = list(table(("cost", "raw", "lumps"), rows, right=(0, 1)))
        if len(shown) < len(report.duplicates):
            lines += ["", f"and {len(report.duplicates) - len(shown):,} more"]
        yield ""
        yield from details(f"Duplicates: {duplicates_text(report.duplicates)}", lines)
    for archive_id in report.missing:
        yield ""
        yield f"{code(archive_id)} was never built."


def _archive(archive: ArchiveSize, most: int | None) -> Iterator[str]:
    yield f"### {code(archive.path)}: {archive.size:,} bytes"
    yield ""
    yield f"{archive.format}, {count_text(archive.lumps, 'lump')}; {release_text(archive)}."
    facts = list(facts_of(archive))
    if facts:
        yield ""
        yield from (f"- {fact}" for fact in facts)
    since = archive.release is not None and not archive.release.is_same
    titles = [*TITLES, *([SINCE] if since else [])]
    for what, groups in (("set", archive.sets), ("type", archive.types), ("folder", archive.folders)):
        rows = [row.cells(archive.size, since=since) for row in rows_of(archive, groups, most)]
        lines = list(table((what, *titles), [[code(row[0]), *row[1:]] for row in rows], right=range(1, 8)))
        yield ""
        yield from lines if what == "set" else details(f"By {what}", lines)
    rows = [[code(lump.name), f"{lump.raw_size:,}", f"{lump.bytes:,}"] for lump in archive.largest]
    if rows:
        yield ""
        yield from details("Largest", list(table(("lump", "raw", "in the file"), rows, right=(1, 2))))
    if archive.grown:
        ordered = sorted(archive.grown, key=lambda lump: (-abs(lump.growth), lump.name))[:most]
        rows = [[code(lump.name), signed_bytes(lump.growth)] for lump in ordered]
        yield ""
        summary = f"Changed since the release ({len(archive.grown):,})"
        yield from details(summary, list(table(("lump", "bytes"), rows, right=(1,))))
    if archive.maps != NO_MAPS:
        from lumpyard.console.size_maps import maps_markdown  # noqa: PLC0415 - of archives with maps only

        yield from maps_markdown(archive.maps)


def _names(one: Duplicate) -> str:
    names = ", ".join(code(f"{archive}:{name}") for archive, name in one.lumps[:_MOST_NAMES])
    return names + (f" and {len(one.lumps) - _MOST_NAMES:,} more" if len(one.lumps) > _MOST_NAMES else "")
