"""A plan cut into triangles along its lines, exactly: the corners are the map's own points, in whole numbers.

A mesh is a dictionary of directed edges: `apex[u, v]` is the third corner of the triangle that has the edge u to v and
lies to its left. Every edge has a triangle on each side, but for the three of a triangle around everything, whose
corners are the last three points.

Points are added one by one, and edges are flipped until no circle through three corners has a fourth one in it
(Lawson); then edges that cross a line are flipped until the line is one (Sloan). A line that would cross another one is
left out, and so is one for which no steps are left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Point = tuple[int, int]
    Edge = tuple[int, int]

MAX_STEPS = 5_000_000  # edges that are looked at to make lines edges; no known map needs a tenth
FAR_POINTS = 3  # behind all others: the triangle around everything
_STRIP = 16  # strips of points that are added upwards and downwards in turn, so that the next one is near


class Mesh:
    """Triangles over points, which are all different."""

    def __init__(self, points: Sequence[Point]) -> None:
        far = 4 * (1 + max((max(abs(x), abs(y)) for x, y in points), default=0))
        known = len(points)
        self.points: list[Point] = [*points, (-3 * far, -far), (3 * far, -far), (0, 3 * far)]
        self.apex: dict[Edge, int] = {}
        self._left = MAX_STEPS
        self.fixed: set[Edge] = set()  # both directions of each edge that is a line
        self._near = [0] * (known + FAR_POINTS)  # for each point one that an edge goes to
        self._set(known, known + 1, known + 2)
        last = (known, known + 1)
        for point in _walk_order(points):
            last = self._add(point, last)

    def turn(self, a: int, b: int, c: int) -> int:
        """Above 0 where c is left of the line from a to b, 0 on it, below 0 right of it."""
        (ax, ay), (bx, by), (cx, cy) = self.points[a], self.points[b], self.points[c]
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

    def _set(self, a: int, b: int, c: int) -> None:
        apex, near = self.apex, self._near
        apex[a, b], apex[b, c], apex[c, a] = c, a, b
        near[a], near[b], near[c] = b, c, a

    def _add(self, point: int, start: Edge) -> Edge:
        """Put a point into the triangle, or onto the edge, where it is; an edge beside it."""
        apex, turn = self.apex, self.turn
        u, v = start
        while True:  # walk to the triangle of the point; circles of a Delaunay mesh let no walk go round
            w = apex[u, v]
            if turn(v, w, point) < 0:
                u = w
            elif turn(w, u, point) < 0:
                v = w
            elif turn(u, v, point) < 0:
                u, v = v, u
            else:
                break
        w = apex[u, v]
        outer = [(u, v), (v, w), (w, u)]
        for a, b in outer:
            if turn(a, b, point) == 0:
                c = apex[b, a]
                del apex[a, b], apex[b, a]
                outer = [each for each in outer if each != (a, b)] + [(a, c), (c, b)]
                break
        for a, b in outer:
            self._set(a, b, point)
        while outer:
            a, b = outer.pop()
            ahead = apex.get((b, a))
            if ahead is not None and self._in_circle(a, b, point, ahead):
                self._flip(a, b)
                outer += [(a, ahead), (ahead, b)]
        return point, self._near[point]

    def _in_circle(self, a: int, b: int, c: int, d: int) -> bool:
        (x, y), points = self.points[d], self.points
        ax, ay = points[a][0] - x, points[a][1] - y
        bx, by = points[b][0] - x, points[b][1] - y
        cx, cy = points[c][0] - x, points[c][1] - y
        return (
            (ax * ax + ay * ay) * (bx * cy - cx * by)
            - (bx * bx + by * by) * (ax * cy - cx * ay)
            + (cx * cx + cy * cy) * (ax * by - bx * ay)
        ) > 0

    def _flip(self, a: int, b: int) -> Edge:
        """Exchange the edge between two triangles for the other diagonal."""
        c, d = self.apex.pop((a, b)), self.apex.pop((b, a))
        self._set(a, d, c)
        self._set(d, b, c)
        return d, c

    def add_line(self, start: int, end: int) -> list[Edge]:
        """Make a line an edge, or a row of edges over the points on it; these, or none where it crosses another."""
        parts: list[Edge] = []
        at = start
        while at != end:
            if self._left < 0:
                return []
            onto, crossed = self._crossed(at, end)
            if any(edge in self.fixed for edge in crossed):
                return []
            if not self._clear(at, onto, crossed):
                return []
            parts.append((at, onto))
            at = onto
        for a, b in parts:
            self.fixed |= {(a, b), (b, a)}
        return parts

    def _crossed(self, start: int, end: int) -> tuple[int, list[Edge]]:
        """The first point on the way to another, which may be that one; and the edges that are crossed before."""
        apex, turn, points = self.apex, self.turn, self.points
        (sx, sy), (ex, ey) = points[start], points[end]
        v = self._near[start]
        while True:  # round the start
            self._left -= 1
            w = apex[start, v]
            if v == end:
                return end, []
            side = turn(start, end, v)
            if side == 0 and (points[v][0] - sx) * (ex - sx) + (points[v][1] - sy) * (ey - sy) > 0:
                return v, []
            if side < 0 < turn(start, end, w):
                break
            v = w
        crossed = []
        right, left = v, w
        while True:
            crossed.append((right, left))
            ahead = apex[left, right]
            side = turn(start, end, ahead)
            if ahead == end or side == 0:
                return ahead, crossed
            if side > 0:
                left = ahead
            else:
                right = ahead

    def _clear(self, start: int, end: int, crossed: list[Edge]) -> bool:
        """Flip edges until none is crossed."""
        turn, apex = self.turn, self.apex
        ahead = crossed[::-1]
        while ahead:
            self._left -= 1
            if self._left < 0:
                return False
            a, b = ahead.pop()
            c, d = apex[a, b], apex[b, a]
            if turn(c, d, b) <= 0 or turn(d, c, a) <= 0:  # no convex quadrangle; others first
                ahead.insert(0, (a, b))
                continue
            self._flip(a, b)
            if {c, d} & {start, end}:
                continue
            if (turn(start, end, c) > 0) != (turn(start, end, d) > 0):
                ahead.insert(0, (c, d))
        return True


def _walk_order(points: Sequence[Point]) -> list[int]:
    """Numbers of points in strips, upwards and downwards in turn."""
    if not points:
        return []
    west = min(x for x, _ in points)
    wide = max(max(x for x, _ in points) - west, 1)
    strips = max(1, min(int(len(points) ** 0.5), len(points) // _STRIP + 1))

    def place(point: int) -> tuple[int, int, int]:
        x, y = points[point]
        strip = (x - west) * strips // wide
        return strip, -y if strip % 2 else y, point

    return sorted(range(len(points)), key=place)
