"""A size report as one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.console.pages import bar, details, element, page, row, sign_class, table, text
from lumpyard.console.signed import signed_bytes
from lumpyard.console.size_words import (
    SINCE,
    duplicate_text,
    duplicates_text,
    facts_of,
    heading,
    release_text,
    rows_of,
)
from lumpyard.console.sizes import share_text
from lumpyard.report.maps import NO_MAPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.console.size_words import Row
    from lumpyard.report.measure import SizeReport
    from lumpyard.report.sizes import ArchiveSize

_MOST_ROWS = 500  # of one table
_MOST_DUPLICATES = 200
_TITLES = [
    ("lumps", "n spare"),
    ("raw", "n spare"),
    ("stored", "n spare"),
    ("in the file", "n"),
    ("share", "n"),
]


def size_page(report: SizeReport) -> str:
    """The page."""
    return page("Sizes of archives", _body(report))


def _body(report: SizeReport) -> Iterator[str]:
    yield element(
        "h1", f"{report.size:,} bytes in {len(report.archives):,} archive{'s' * (len(report.archives) != 1)}"
    )
    if len(report.archives) > 1:
        largest = max(archive.size for archive in report.archives)
        rows = [
            row(
                [
                    (archive.path, "name"),
                    (f"{archive.size:,}", "n"),
                    (share_text(archive.size, report.size), "n"),
                ],
                more=bar(archive.size, largest),
            )
            for archive in report.archives
        ]
        yield from table([("archive", ""), ("bytes", "n"), ("share", "n"), ("", "bar")], rows)
    for archive in report.archives:
        yield from _archive(archive)
    if report.duplicates:
        yield element("h2", "Duplicates")
        yield element("p", f"{duplicates_text(report.duplicates)}.", "faint")
        found = [
            row([(f"{one.cost:,}", "n"), (duplicate_text(one, 20), "name")])
            for one in report.duplicates[:_MOST_DUPLICATES]
        ]
        yield from table([("cost", "n"), ("lumps", "")], found)
        yield from _more(len(report.duplicates), _MOST_DUPLICATES)
    for archive_id in report.missing:
        yield element("p", f"{archive_id} was never built.", "faint")


def _archive(archive: ArchiveSize) -> Iterator[str]:
    yield element("h2", heading(archive))
    release = release_text(archive)
    yield element("p", f"{release[:1].upper()}{release[1:]}.", "faint")
    facts = list(facts_of(archive))
    if facts:
        yield "<ul>"
        yield from (element("li", fact) for fact in facts)
        yield "</ul>"
    for what, groups in (("set", archive.sets), ("type", archive.types), ("folder", archive.folders)):
        body = _table(archive, what, rows_of(archive, groups, _MOST_ROWS))
        yield from details(f"By {what}", body, is_open=what == "set")
    rows = [
        row(
            [
                (lump.name, "name"),
                (lump.type, "spare"),
                (f"{lump.raw_size:,}", "n spare"),
                (f"{lump.bytes:,}", "n"),
            ],
            more=bar(lump.bytes, archive.largest[0].bytes),
        )
        for lump in archive.largest
    ]
    if rows:
        titles = [("lump", ""), ("type", "spare"), ("raw", "n spare"), ("in the file", "n"), ("", "bar")]
        yield from details("Largest lumps", table(titles, rows))
    if archive.grown:
        yield from details(f"Changed since the release ({len(archive.grown):,})", _grown(archive))
    if archive.maps != NO_MAPS:
        from lumpyard.console.size_maps import maps_page  # noqa: PLC0415 - of archives with maps only

        yield from maps_page(archive.maps)


def _table(archive: ArchiveSize, what: str, rows: Sequence[Row]) -> Iterable[str]:
    since = archive.release is not None and not archive.release.is_same
    titles = [(what, ""), *_TITLES, *([(SINCE, "n")] if since else []), ("", "bar")]
    largest = max((one.bytes for one in rows[:-1]), default=0)
    found = []
    for one in rows:
        name, *cells = one.cells(archive.size, since=since)
        classes = [class_name for _, class_name in _TITLES]
        if since:
            classes.append("n" if one.released is None else sign_class(one.bytes - one.released))
        is_sum = one is rows[-1]
        kind = "sum" if is_sum else "part" if one.lumps is None else ""
        more = '<td class="bar"></td>' if is_sum else bar(one.bytes, largest)
        found.append(row([(name, "name"), *zip(cells, classes, strict=True)], kind, more))
    return table(titles, found)


def _grown(archive: ArchiveSize) -> Iterator[str]:
    ordered = sorted(archive.grown, key=lambda lump: (-abs(lump.growth), lump.name))
    rows = [
        row(
            [
                (lump.name, "name"),
                (f"{lump.released:,}" if lump.released else "new", "n spare"),
                (f"{lump.bytes:,}" if lump.bytes else "gone", "n spare"),
                (signed_bytes(lump.growth), sign_class(lump.growth)),
            ]
        )
        for lump in ordered[:_MOST_ROWS]
    ]
    yield from table([("lump", ""), ("then", "n spare"), ("now", "n spare"), ("change", "n")], rows)
    yield from _more(len(ordered), _MOST_ROWS)


def _more(every: int, shown: int) -> Iterator[str]:
    if every > shown:
        yield f'<p class="faint">{text(f"and {every - shown:,} more")}</p>'
