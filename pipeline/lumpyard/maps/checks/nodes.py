"""The nodes that the map was shipped with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.tree import check_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.model import NodeTree
    from lumpyard.maps.problems import MapFinding

_IDS = {"SEGS": "seg-reference", "SSECTORS": "subsector-reference", "NODES": "node-tree"}


def check(survey: Survey) -> Iterator[MapFinding]:
    """Whether there are nodes, whether they are a tree, and whether segs run along their lines."""
    level = survey.level
    tree = survey.tree
    known = {(broken.lump, broken.message) for broken in level.damage}
    for broken in tree.damage:
        if (broken.lump, broken.message) not in known:
            id_ = "lump-size" if broken.code == "size" else "nodes-format"
            yield found(id_, f"{broken.lump}: {broken.message}", "lump")
    if tree.kind == "none" and level.lines:
        message = "the map has no nodes; most engines need them built first (SEGS, SSECTORS, NODES)"
        yield found("nodes-missing", message)
    if tree.kind in {"none", "unknown"} or tree.damage:
        return
    for broken in check_tree(tree, len(level.lines)):
        yield found(_IDS.get(broken.lump, "node-tree"), broken.message, "lump")
    yield from _sides(survey, tree)


def _sides(survey: Survey, tree: NodeTree) -> Iterator[MapFinding]:
    """Segs that run the other way than the side of the line that they are said to be on."""
    points, ends = tree.vertices, survey.long_ends
    there, known = len(points), len(ends)
    for number, (v1, v2, _, line, side, _, _) in enumerate(tree.segs):
        if line is None or not (0 <= line < known and 0 <= v1 < there and 0 <= v2 < there):
            continue
        of = ends[line]
        if of is None:
            continue
        x1, y1, x2, y2 = of
        x, y = points[v1]
        end_x, end_y = points[v2]
        along = (end_x - x) * (x2 - x1) + (end_y - y) * (y2 - y1)
        if (along < 0 and side == 0) or (along > 0 and side == 1):
            message = f"seg {number} is said to be on the {'back' if side else 'front'} of line {line}, "
            message += "but runs the other way"
            yield found("seg-side", message, "seg", number, (x, y))
