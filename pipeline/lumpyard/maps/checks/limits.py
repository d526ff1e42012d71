"""What the first engines had no room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.model import UDMF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.problems import MapFinding

MAX_NUMBER = 32767  # of segs, sides and vertices: read as signed
MAX_SIZE = 32767  # map units between the outermost vertices, in 16.16 numbers
MAX_BLOCKMAP = 65536  # bytes: offsets were read as signed numbers of words
MAX_PLATFORMS = 30
MAX_SCROLLERS = 64
_SCROLL = frozenset({48})  # the special of the first engines


def check(survey: Survey) -> Iterator[MapFinding]:
    """Each limit that the map goes over."""
    level = survey.level
    segs = len(level.lumps.get("SEGS", b"")) // 12
    counts = [
        ("limit-segs", "segs", segs),
        ("limit-sides", "sides", len(level.sides)),
        ("limit-vertices", "vertices", len(level.vertices)),
    ]
    for id_, what, many in counts:
        if many > MAX_NUMBER:
            yield found(id_, f"{many} {what}; at most {MAX_NUMBER} are possible")
    size = len(level.lumps.get("BLOCKMAP", b"")) if level.format != UDMF else 0
    if size > MAX_BLOCKMAP:
        yield found(
            "limit-blockmap", f"BLOCKMAP has {size} bytes; at most {MAX_BLOCKMAP} are possible", "lump"
        )
    yield from _size(survey)
    yield from _moving(survey)


def _size(survey: Survey) -> Iterator[MapFinding]:
    used = [end for end in survey.ends if end]
    if not used:
        return
    xs = [end.x1 for end in used] + [end.x2 for end in used]
    ys = [end.y1 for end in used] + [end.y2 for end in used]
    across = (max(xs) - min(xs), max(ys) - min(ys))
    if max(across) > MAX_SIZE:
        message = (
            f"the map is {across[0]} by {across[1]} map units; at most {MAX_SIZE} either way are possible"
        )
        yield found("limit-size", message)


def _moving(survey: Survey) -> Iterator[MapFinding]:
    moving = [use for use in survey.uses if use.kind == "platform" and not survey.actions]
    tags = {tag for use in moving for tag in use.sector_tags}
    platforms = {sector for tag in tags for sector in survey.tagged.get(tag, ())}
    if len(platforms) > MAX_PLATFORMS:
        message = f"{len(platforms)} platforms can move at once; at most {MAX_PLATFORMS} are possible"
        yield found("limit-platforms", message)
    scrolling = [use.line for use in survey.uses if use.special in _SCROLL and not survey.actions]
    if len(scrolling) > MAX_SCROLLERS:
        message = f"{len(scrolling)} lines scroll; at most {MAX_SCROLLERS} are possible"
        yield found("limit-scrollers", message, "line", scrolling[MAX_SCROLLERS],
                    survey.line_place(scrolling[MAX_SCROLLERS]))  # fmt: skip
