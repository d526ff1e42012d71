"""What a diff shows of maps: names for things, and a picture of what changed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lumpyard.console.escape import escape_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.maps.diff import MapDiff
    from lumpyard.maps.model import DoomMap
    from lumpyard.report.map_changes import MapChange

_SIZE = 1000  # pixels of a picture's longer side
_MADE = frozenset(("SEGS", "SSECTORS", "NODES", "REJECT", "BLOCKMAP", "ZNODES"))  # by node builders
_TARGET = "zdoom"  # the engines that know most things


def is_long(change: MapChange) -> bool:
    """Whether there is more to say of a map than one line."""
    return bool(change.diff)


def short_changes(maps: Sequence[MapChange]) -> dict[str, list[str]]:
    """What there is to say of all other maps, and the names of those that it is true of."""
    found: dict[str, list[str]] = {}
    for change in maps:
        if not is_long(change):
            found.setdefault(_short(change), []).append(change.name)
    return found


def _short(change: MapChange) -> str:
    if change.status != "changed":
        return f"map {change.status}"
    if change.diff is None:
        return "not compared"
    lumps = ", ".join(map(escape_name, change.lumps))
    if {*change.lumps} <= _MADE or all(lump.startswith("GL_") for lump in change.lumps):
        return f"nothing that the map means has changed; only {lumps}, which a node builder makes"
    return f"nothing that the map means has changed; only numbers, order or unused bytes of {lumps}"


def thing_names(level: DoomMap) -> Callable[[int], str]:
    """Names for the things of a map, by its game as far as that can be guessed."""
    from lumpyard.maps.checks.guessing import guess_game  # noqa: PLC0415 - few archives have maps
    from lumpyard.maps.tables.things import things  # noqa: PLC0415

    known = things(guess_game(level), _TARGET)

    def name(number: int) -> str:
        row = known.get(number)
        return f"{row.name} ({number})" if row else f"unknown thing ({number})"

    return name


def compared(change: MapChange) -> tuple[MapDiff, DoomMap, DoomMap]:
    """What changed in a map of which `is_long` is true, and the map before and after."""
    assert change.diff is not None
    assert change.old is not None
    assert change.new is not None
    return change.diff, change.old, change.new


def map_lines(change: MapChange, most: int | None, *, markdown: bool = False) -> Iterator[str]:
    """What changed in a map that means something else than it did; `most` changes, or all."""
    from lumpyard.console.map_changes import (  # noqa: PLC0415 - few archives have maps
        map_diff_markdown,
        map_diff_text,
    )

    diff, old, new = compared(change)
    render = map_diff_markdown if markdown else map_diff_text
    return render(diff, old, new, thing_names(new), sys.maxsize if most is None else most)


def map_picture(change: MapChange) -> str:
    """What changed in a map as SVG."""
    from lumpyard.maps.drawing import DrawOptions, draw_svg  # noqa: PLC0415 - of pages alone
    from lumpyard.maps.marks import diff_marks  # noqa: PLC0415

    diff, old, new = compared(change)
    return draw_svg(new, DrawOptions(size=_SIZE, marks=diff_marks(diff, old, new)))
