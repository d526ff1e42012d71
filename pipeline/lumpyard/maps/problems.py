"""What a check of a map found, as a value: a stable id, a level, and the place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lumpyard.maps.model import Number

ERROR, WARNING, INFO = "error", "warning", "info"
LEVELS = (ERROR, WARNING, INFO)


class MapFinding(NamedTuple):
    """One thing that is wrong or odd in a map."""

    id: str  # kebab-case, of the catalogue of checks
    level: str  # ERROR, WARNING or INFO
    message: str  # one line: what was found, and what would be right
    object: str = "map"  # line, side, vertex, sector, thing, seg, lump, map
    number: int | None = None  # the object's, in its lump
    x: Number | None = None  # map units; a line's start, a sector's westmost vertex
    y: Number | None = None
