"""Numbers about a map, as tables for people and as plain data for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.console.escape import escape_name
from lumpyard.console.sizes import count_text, share_text
from lumpyard.console.tables import Column, render_table
from lumpyard.maps.statistics import MODES, SKILLS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lumpyard.maps.statistics import Statistics

_SHOWN = 10  # of types, textures and flats
_WORDS = {"single": "single player", "coop": "co-op", "deathmatch": "deathmatch"}


def statistics_text(numbers: Statistics) -> Iterator[str]:
    """Lines of text, safe to print."""
    records = ", ".join(
        count_text(many, kind.rstrip("s") if kind != "vertices" else "vertex", kind)
        for kind, many in numbers.records.items()
    )
    size = f"{numbers.width:,.10g} by {numbers.height:,.10g} units"
    yield f"{escape_name(numbers.name)}: {numbers.game} on {numbers.target}, {size}"
    yield f"  {records}"
    yield f"  {count_text(numbers.secrets, 'secret')}, {count_text(numbers.specials, 'line')} with a special"
    yield ""
    yield from _kinds(numbers)
    yield from _types(numbers)
    yield from _names("textures", numbers.textures)
    yield from _names("flats", numbers.flats)
    yield from _limits(numbers)


def statistics_data(numbers: Statistics) -> dict[str, Any]:
    """The numbers as plain data for JSON."""
    return {
        "game": numbers.game,
        "target": numbers.target,
        "width": numbers.width,
        "height": numbers.height,
        "records": dict(numbers.records),
        "secrets": numbers.secrets,
        "specials": numbers.specials,
        "kinds": {
            kind: {mode: dict(row) for mode, row in table.items()} for kind, table in numbers.kinds.items()
        },
        "types": [each._asdict() for each in numbers.types],
        "textures": dict(numbers.textures),
        "flats": dict(numbers.flats),
        "limits": [{**use._asdict(), "percent": round(use.percent, 1)} for use in numbers.limits],
    }


def _kinds(numbers: Statistics) -> Iterator[str]:
    titles = [
        f"{_WORDS[mode]}, {skill}" if skill == next(iter(SKILLS)) else skill
        for mode in MODES
        for skill in SKILLS
    ]
    rows = [
        (kind, *(f"{table[mode][skill]:,}" for mode in MODES for skill in SKILLS))
        for kind, table in numbers.kinds.items()
    ]
    yield from _table([Column("things"), *(Column(title, right=True) for title in titles)], rows)


def _types(numbers: Statistics) -> Iterator[str]:
    rows = [(f"{each.total:,}", f"{each.name} ({each.type})", each.kind) for each in numbers.types[:_SHOWN]]
    yield from _table([Column("number", right=True), Column("type"), Column("kind")], rows)


def _names(title: str, names: Mapping[str, int]) -> Iterator[str]:
    rows = [(f"{many:,}", escape_name(name)) for name, many in list(names.items())[:_SHOWN]]
    more = len(names) - _SHOWN
    if more > 0:
        rows.append(("", f"and {more:,} more"))
    yield from _table([Column("number", right=True), Column(title)], rows)


def _limits(numbers: Statistics) -> Iterator[str]:
    rows = [
        (use.name, f"{use.used:,}", f"{use.most:,}", share_text(use.used, use.most)) for use in numbers.limits
    ]
    columns = [
        Column(f"limits of {numbers.target}"),
        *(Column(word, right=True) for word in ("used", "most", "")),
    ]
    yield from _table(columns, rows)


def _table(columns: list[Column], rows: list[Any]) -> Iterator[str]:
    if rows:
        yield from render_table(columns, rows, indent="  ")
        yield ""
