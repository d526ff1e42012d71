"""What acts on what: a link from every line with a tag to the sectors that have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.drawing.kinds import tags_of
from lumpyard.maps.drawing.loops import edges_of
from lumpyard.maps.drawing.shapes import Label, Strokes, Symbols
from lumpyard.maps.drawing.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.drawing.kinds import Rules
    from lumpyard.maps.drawing.plan import Plan
    from lumpyard.maps.drawing.shapes import Point, Segment, Shape
    from lumpyard.maps.drawing.sizes import Sizes
    from lumpyard.maps.model import DoomMap

_MOST = 4000  # links, and tags; with more than that nothing could be seen


class Links(NamedTuple):
    """What acts on what."""

    links: Sequence[Segment]  # from a line's middle to a sector's
    tags: Sequence[tuple[Point, int]]  # of sectors, in their middles


NO_LINKS = Links((), ())


def find_links(level: DoomMap, plan: Plan, rules: Rules) -> Links:
    """Links from the middle of a line to the middle of each sector that it acts on, and the tags there."""
    middles: dict[int, list[Point]] = {}
    tags: list[tuple[Point, int]] = []
    for sector, edges in sorted(edges_of(plan.lines).items()):
        tag = level.sectors[sector].tag
        if tag:
            middle = middle_of(edges)
            middles.setdefault(tag, []).append(middle)
            tags.append((middle, tag))
    links: list[Segment] = []
    for line in plan.lines:
        for tag in tags_of(line.line, rules):
            start = (line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2
            links += [(*start, *end) for end in middles.get(tag, ())]
        if len(links) > _MOST:
            break
    return Links(links[:_MOST], tags[:_MOST])


def link_shapes(found: Links, sizes: Sizes) -> Iterator[Shape]:
    """Links and tags as shapes."""
    if found.links:
        yield Strokes("tags", "tag", round(1.2 * sizes.line, 2), found.links, 60)
        starts = dict.fromkeys((x, y, 0) for x, y, _, _ in found.links)
        yield Symbols("tags", "tag", "dot", round(0.45 * sizes.symbol, 2), list(starts))
    for (x, y), tag in found.tags:
        yield Label(
            "tags",
            "tag",
            x,
            y,
            round(sizes.text * 0.85, 2),
            shown(str(tag), 12),
            "middle",
            bold=True,
            rim=True,
        )


def middle_of(edges: Sequence[tuple[Point, Point]]) -> Point:
    """A point inside a sector: the middle of its widest part at half of its height."""
    ys = sorted({y for edge in edges for _, y in edge})
    if len(ys) < 2:
        (x1, y1), (x2, y2) = edges[0]
        return (x1 + x2) / 2, (y1 + y2) / 2
    half = (ys[0] + ys[-1]) / 2
    below = max(y for y in ys[:-1] if y <= half)
    y = (below + ys[ys.index(below) + 1]) / 2  # between two points' heights, so that no point is hit
    crossings = sorted(
        x1 + (x2 - x1) * (y - y1) / (y2 - y1) for (x1, y1), (x2, y2) in edges if (y1 > y) != (y2 > y)
    )
    spans = list(zip(crossings[::2], crossings[1::2], strict=False))
    if not spans:
        return edges[0][0]
    west, east = max(spans, key=lambda span: span[1] - span[0])
    return (west + east) / 2, y
