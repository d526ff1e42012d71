"""A size report as text; every table adds up to its file, and every line is safe to print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.console.escape import escape_name
from lumpyard.console.signed import signed_bytes
from lumpyard.console.size_words import (
    SINCE,
    TITLES,
    Row,
    duplicate_text,
    duplicates_text,
    facts_of,
    heading,
    release_text,
    rows_of,
)
from lumpyard.console.tables import Column, render_table
from lumpyard.report.maps import NO_MAPS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.console.terminal import Terminal
    from lumpyard.report.measure import SizeReport
    from lumpyard.report.sizes import ArchiveSize

MOST_ROWS = 15  # groups of a table; `--all` shows all
MOST_LUMPS = 10
_BAR = 16  # cells
_ROOM = 88  # cells that a table with bars takes


def size_report_text(report: SizeReport, terminal: Terminal, *, show_all: bool = False) -> Iterator[str]:
    """Lines of text."""
    for number, archive in enumerate(report.archives):
        if number:
            yield ""
        yield from _archive(archive, terminal, show_all=show_all)
    if report.duplicates:
        yield ""
        yield terminal.paint(f"duplicates: {duplicates_text(report.duplicates)}", "bold")
        shown = report.duplicates if show_all else report.duplicates[:MOST_LUMPS]
        rows = [[f"{one.cost:,}", duplicate_text(one)] for one in shown]
        columns = [Column("cost", right=True), Column("lumps", cut=True)]
        yield from render_table(columns, rows, terminal.width, indent="  ")
        yield from _more(len(report.duplicates), len(shown))
    if len(report.archives) > 1:
        yield ""
        yield terminal.paint(f"all archives: {report.size:,} bytes", "bold")
    for archive_id in report.missing:
        yield ""
        yield f"{archive_id} was never built; `doit ship` or `doit` builds it"


def _archive(archive: ArchiveSize, terminal: Terminal, *, show_all: bool) -> Iterator[str]:
    yield terminal.paint(escape_name(heading(archive)), "bold")
    yield f"  {release_text(archive)}"
    yield from (f"  {fact}" for fact in facts_of(archive))
    most = None if show_all else MOST_ROWS
    for what, groups in (("set", archive.sets), ("type", archive.types), ("folder", archive.folders)):
        if len(groups) > 1 or what == "set":
            yield ""
            yield from _table(archive, what, rows_of(archive, groups, most), terminal)
    if archive.largest:
        shown = archive.largest if show_all else archive.largest[:MOST_LUMPS]
        yield ""
        columns = [
            Column("largest", cut=True),
            *(Column(title, right=True) for title in ("raw", "in the file")),
        ]
        rows = [[escape_name(lump.name), f"{lump.raw_size:,}", f"{lump.bytes:,}"] for lump in shown]
        yield from render_table(columns, rows, terminal.width, indent="  ")
    yield from _grown(archive, terminal, show_all=show_all)
    if archive.maps != NO_MAPS:
        from lumpyard.console.size_maps import maps_text  # noqa: PLC0415 - of archives with maps only

        yield from maps_text(archive.maps, terminal.width)


def _table(archive: ArchiveSize, what: str, rows: Sequence[Row], terminal: Terminal) -> Iterator[str]:
    """Rows with a bar each on a terminal."""
    since = archive.release is not None and not archive.release.is_same
    titles = [*TITLES, *([SINCE] if since else [])]
    columns = [Column(what, cut=True), *(Column(title, right=True) for title in titles)]
    cells = [row.cells(archive.size, since=since) for row in rows]
    if terminal.width is not None and terminal.width >= _ROOM:
        columns.append(Column(""))
        largest = max(row.bytes for row in rows[:-1]) if len(rows) > 1 else 0
        for row, texts in zip(rows, cells, strict=True):
            texts.append("" if row is rows[-1] or not largest else "█" * -(-_BAR * row.bytes // largest))
    title, *lines = render_table(columns, cells, terminal.width, indent="  ")
    yield terminal.paint(title, "dim")
    for row, line in zip(rows, lines, strict=True):
        style = "bold" if row is rows[-1] else "dim" if row.lumps is None else ""
        yield terminal.paint(line, style) if style else line


def _grown(archive: ArchiveSize, terminal: Terminal, *, show_all: bool) -> Iterator[str]:
    """The lumps that grew or shrank most."""
    if not archive.grown:
        return
    ordered = sorted(archive.grown, key=lambda lump: (-abs(lump.growth), lump.name))
    shown = ordered if show_all else ordered[:MOST_LUMPS]
    yield ""
    columns = [Column("changed since the release", cut=True), Column("bytes", right=True), Column("")]
    rows = []
    for lump in shown:
        word = "new" if not lump.released else "gone" if not lump.bytes else ""
        rows.append([escape_name(lump.name), signed_bytes(lump.growth), word])
    yield from render_table(columns, rows, terminal.width, indent="  ")
    yield from _more(len(ordered), len(shown))


def _more(every: int, shown: int) -> Iterator[str]:
    if every > shown:
        yield f"  and {every - shown:,} more (--all shows them)"
