"""Beams: the straight lines that go over one row of gates after another (`maps.sight_cells`, `maps.sight`).

A beam is known by the corners that all of its lines keep on their left, and those that they keep on their right, as two
taut chains from the back to the front. The line that bends most to the left touches the first corner of the right chain
and the last of the left one; that which bends most to the right the other two.

Numbers are floats: whole ones as long as all corners are the plan's own, so that nothing is rounded then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.maps.sight_cells import Gate, Point

    Chain = tuple[Point, ...]
    Beam = tuple[Chain, Chain]  # lefts, rights

_SAME = 1e-3  # units between points that are one
_NEAR = 1.0  # of `_depth`: no corner of the plan that is behind a gate is nearer


def beam_over(right: Point, left: Point, gate: Gate) -> Beam | None:
    """The lines over a piece, whose ends are given as seen from behind it, and then out by a gate of its cell."""
    (x, y), (u, v) = right, (gate.right, gate.left)
    dx, dy = left[0] - x, left[1] - y
    from_right = dx * (u[1] - y) - dy * (u[0] - x)  # above 0 behind the piece
    from_left = dx * (v[1] - y) - dy * (v[0] - x)
    if from_right >= 0 and from_left >= 0:
        return None
    if max(_depth(right, gate), _depth(left, gate)) < _NEAR:
        return _all_over(gate)
    if from_right > 0 or from_left > 0:  # what lies behind is cut off
        part = from_right / (from_right - from_left)
        cut = u[0] + (v[0] - u[0]) * part, u[1] + (v[1] - u[1]) * part
        u, v = (cut, v) if from_right > 0 else (u, cut)
    return (v,) if _is_same(left, v) else (left, v), (u,) if _is_same(right, u) else (right, u)


def _is_same(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) < _SAME


def bent(chain: Chain, point: Point, side: int) -> Chain:
    """A chain with one more corner at its end; `side` is -1 of a left chain, 1 of a right one."""
    x, y = point
    last = len(chain)
    while last > 1:
        (ax, ay), (bx, by) = chain[last - 2], chain[last - 1]
        if side * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 0:
            break
        last -= 1
    return (*chain[:last], point)


def rest(chain: Chain, point: Point, side: int) -> Chain:
    """A chain from the corner on that the outermost line to a point of the other chain touches.

    `side` is that other one's.
    """
    x, y = point
    first = 0
    while first + 1 < len(chain):
        (ax, ay), (bx, by) = chain[first], chain[first + 1]
        if side * ((x - ax) * (by - ay) - (y - ay) * (bx - ax)) >= 0:
            break
        first += 1
    return chain[first:]


def is_within(beam: Beam, other: Beam) -> bool:
    """Whether all lines of a beam are surely lines of another one over the same gate."""
    (lefts, rights), (other_lefts, other_rights) = beam, other
    if len(other_lefts) == 1 == len(other_rights):
        return True
    if len(lefts) == 1 == len(rights):
        return False
    # As in `_is_beside`, for all corners at once: a fifth of all work is here.
    (ax, ay), (bx, by) = lefts[0], rights[-1]
    run, rise = bx - ax, by - ay
    (cx, cy), (dx, dy) = rights[0], lefts[-1]
    across, up = dx - cx, dy - cy
    for x, y in other_lefts:
        is_right = run * (y - ay) < rise * (x - ax) or across * (y - cy) < up * (x - cx)
        if is_right and (x, y) not in lefts:
            return False
    for x, y in other_rights:
        is_left = run * (y - ay) > rise * (x - ax) or across * (y - cy) > up * (x - cx)
        if is_left and (x, y) not in rights:
            return False
    return _is_beyond(other_lefts, lefts, 1) and _is_beyond(other_rights, rights, -1)


def union(one: Beam, other: Beam, gate: Gate) -> Beam:
    """A beam with all lines of two over one gate, and with others."""
    if _is_all(one) or _is_all(other):
        return _all_over(gate)
    (one_lefts, one_rights), (other_lefts, other_rights) = one, other
    lefts = {
        point
        for point in one_lefts
        if point in other_lefts or _is_beside(point, other_lefts, other_rights, 1)
    }
    lefts |= {point for point in other_lefts if _is_beside(point, one_lefts, one_rights, 1)}
    rights = {
        point
        for point in one_rights
        if point in other_rights or _is_beside(point, other_rights, other_lefts, -1)
    }
    rights |= {point for point in other_rights if _is_beside(point, one_rights, one_lefts, -1)}
    left_chain = rest(_chain(lefts, gate, gate.left, -1), gate.right, 1)
    right_chain = rest(_chain(rights, gate, gate.right, 1), gate.left, -1)
    if max(_depth(left_chain[0], gate), _depth(right_chain[0], gate)) < _NEAR:
        return _all_over(gate)
    return left_chain, right_chain


def _all_over(gate: Gate) -> Beam:
    """All lines over a gate. No other beam has lines in both directions along its gate, nor one corner on each side."""
    return (gate.left,), (gate.right,)


def _is_all(beam: Beam) -> bool:
    return len(beam[0]) == 1 == len(beam[1])


def _is_beside(point: Point, near: Chain, far: Chain, side: int) -> bool:
    """Whether no line of a beam has a point on the other side than the near chain; `side` is 1 of a left chain."""
    x, y = point
    (ax, ay), (bx, by) = near[0], far[-1]
    if side * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 0:
        return False
    (ax, ay), (bx, by) = far[0], near[-1]
    if side * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 0:
        return False
    return _is_beyond((point,), near, side)


def _is_beyond(points: Chain, chain: Chain, side: int) -> bool:
    """Whether points are beyond all parts of a chain, or corners of it."""
    for x, y in points:
        ax, ay = chain[0]
        for bx, by in chain[1:]:
            if side * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 0 and (x, y) not in chain:
                return False
            ax, ay = bx, by
    return True


def _chain(points: Iterable[Point], gate: Gate, last: Point, side: int) -> Chain:
    """The taut chain of points of one side, which ends at a gate."""
    ahead = sorted(
        (point for point in points if point != last), key=lambda point: (-_depth(point, gate), point)
    )
    chain: Chain = ()
    for point in (*ahead, last):
        chain = bent(chain, point, side)
    return chain


def _depth(point: Point, gate: Gate) -> float:
    """How far behind a gate a point is, in some unit."""
    (ux, uy), (vx, vy) = gate.right, gate.left
    return (vx - ux) * (point[1] - uy) - (vy - uy) * (point[0] - ux)
