"""The maps of an archive in a size report: one row each, in text, Markdown and a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.console import markdown, pages
from lumpyard.console.escape import escape_name
from lumpyard.console.sizes import share_text
from lumpyard.console.tables import Column, render_table
from lumpyard.maps.statistics import SKILLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.statistics import Statistics
    from lumpyard.report.maps import ArchiveMaps, MapSize

_ITEMS = frozenset({"weapon", "ammo", "health", "armor", "powerup", "key"})  # kinds of what a player picks up
_FIRST, *_OTHERS = SKILLS
_TITLES = ("things", f"monsters, {_FIRST}", *_OTHERS, "items", "secrets", "limit used most")


class _Row(NamedTuple):
    name: str  # not escaped
    cells: tuple[str, ...]  # one for each of _TITLES


def maps_text(maps: ArchiveMaps, width: int | None) -> Iterator[str]:
    """Lines for an archive's part of the text; safe to print."""
    columns = [Column("map", cut=True), *(Column(title, right=True) for title in _TITLES)]
    rows = [(escape_name(row.name), *row.cells) for row in map(_row, maps.maps)]
    if rows:
        yield ""
        yield from render_table(columns, rows, width, indent="  ")
    yield from (f"  {escape_name(note)}" for note in maps.notes)


def maps_markdown(maps: ArchiveMaps) -> Iterator[str]:
    """Lines of Markdown."""
    rows = [[markdown.code(row.name), *row.cells] for row in map(_row, maps.maps)]
    lines = list(markdown.table(("map", *_TITLES), rows, right=range(1, len(_TITLES) + 1))) if rows else []
    for note in maps.notes:
        lines += ["", markdown.code(note)]
    yield ""
    yield from markdown.details(f"Maps ({maps.found:,})", lines)


def maps_page(maps: ArchiveMaps) -> Iterator[str]:
    """Markup of a page."""
    titles = [("map", ""), *((title, "n") for title in _TITLES)]
    rows = [
        pages.row([(row.name, "name"), *((cell, "n") for cell in row.cells)]) for row in map(_row, maps.maps)
    ]
    notes = [pages.element("p", note, "faint") for note in maps.notes]
    body = [*(pages.table(titles, rows) if rows else ()), *notes]
    yield from pages.details(f"Maps ({maps.found:,})", body)


def _row(one: MapSize) -> _Row:
    numbers = one.numbers
    monsters = numbers.kinds.get("monster", {}).get("single", {})
    items = sum(each.total for each in numbers.types if each.kind in _ITEMS)
    cells = (
        f"{numbers.records['things']:,}",
        *(f"{monsters.get(skill, 0):,}" for skill in SKILLS),
        f"{items:,}",
        f"{numbers.secrets:,}",
        _limit(numbers),
    )
    return _Row(one.title, cells)


def _limit(numbers: Statistics) -> str:
    """The limit that is used most, of several the first; `-` for a map that has none."""
    if not numbers.limits:
        return "-"
    most = max(numbers.limits, key=lambda use: use.percent)
    return f"{most.name} {share_text(most.used, most.most)}"
