"""What is wrong with the lumps that a map is read from; the reading says it, here it gets its id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.model import UDMF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.problems import MapFinding

_GL_NAME = 5  # GL_ and the name are a lump's name of 8 characters
_IDS = {
    "missing": "lump-missing",
    "size": "lump-size",
    "order": "lump-order",
    "foreign": "lump-foreign",
    "repeated": "lump-repeated",
    "format": "map-format",
    "nodes": "nodes-format",
    "syntax": "textmap-syntax",
    "field": "textmap-field",
}


def check(survey: Survey) -> Iterator[MapFinding]:
    """Damage of the map, and a name that leaves no room for GL nodes."""
    level = survey.level
    for broken in level.damage:
        id_ = _IDS.get(broken.code, "lump-unreadable")
        if id_ == "lump-foreign" and level.format == UDMF:
            id_ = "lump-in-text-map"
        where = ""
        if broken.offset is not None:
            where = f" line {broken.offset}" if broken.lump == "TEXTMAP" else f" at byte {broken.offset}"
        yield found(id_, f"{broken.lump}{where}: {broken.message}", "lump")
    if level.gl_nodes.startswith("v") and len(level.name) > _GL_NAME:
        message = f"there are GL lumps, but GL_{level.name} is longer than 8 characters; {_GL_NAME} are left for a name"
        yield found("gl-name-long", message)
