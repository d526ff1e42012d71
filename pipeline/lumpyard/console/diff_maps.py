"""What a diff shows of maps: names for things, and a picture of what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.maps.model import DoomMap
    from lumpyard.report.map_changes import MapChange

_SIZE = 1000  # pixels of a picture's longer side
_TARGET = "zdoom"  # the engines that know most things


def thing_names(level: DoomMap) -> Callable[[int], str]:
    """Names for the things of a map, by its game as far as that can be guessed."""
    from lumpyard.maps.checks.guessing import guess_game  # noqa: PLC0415 - few archives have maps
    from lumpyard.maps.tables.things import things  # noqa: PLC0415

    known = things(guess_game(level), _TARGET)

    def name(number: int) -> str:
        row = known.get(number)
        return f"{row.name} ({number})" if row else f"unknown thing ({number})"

    return name


def map_picture(change: MapChange) -> str:
    """What changed in a map as SVG."""
    from lumpyard.maps.drawing import DrawOptions, draw_svg  # noqa: PLC0415 - of pages alone
    from lumpyard.maps.marks import diff_marks  # noqa: PLC0415

    assert change.diff is not None
    assert change.old is not None
    assert change.new is not None
    return draw_svg(
        change.new, DrawOptions(size=_SIZE, marks=diff_marks(change.diff, change.old, change.new))
    )
