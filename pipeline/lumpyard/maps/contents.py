"""Records of a map in terms that do not hang on numbers: ends of lines as points, and keys to find the same again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from lumpyard.maps.diff import Point
    from lumpyard.maps.model import DoomMap, Extra, Line, Number, Side

    Key = Callable[[int], Hashable]


class LineKeys(NamedTuple):
    """What lines of one map are found by in another; `contents` are flags, special, tag and what is on the sides."""

    exact: Key  # ends, contents, and the contents of the sectors on the sides
    whole: Key  # ends and contents
    ends: Key
    ends_either_way: Key
    from_start: Key  # contents and the start
    to_end: Key
    length: Key  # contents, length and direction; None where an end is unknown
    middle: Callable[[int], tuple[float, float] | None]


class ThingKeys(NamedTuple):
    """What things of one map are found by in another."""

    whole: Key
    spot: Key  # place and type
    place: Callable[[int], Point]
    kind: Key  # type and flags


def ends(world: DoomMap, number: int) -> tuple[Point | None, Point | None]:
    """Start and end of a line; None for a vertex that is not there."""
    line = world.lines[number]
    return point(world, line.v1), point(world, line.v2)


def point(world: DoomMap, vertex: int) -> Point | None:
    """Where a vertex is; None where there is none of this number."""
    if not 0 <= vertex < len(world.vertices):
        return None
    found = world.vertices[vertex]
    return found.x, found.y


def side(world: DoomMap, number: int | None) -> Side | None:
    """A side by number; None where a line has none or names one that is not there."""
    if number is None or not 0 <= number < len(world.sides):
        return None
    return world.sides[number]


def is_turned(old: DoomMap, ours: int, new: DoomMap, theirs: int) -> bool:
    """Whether a line goes the other way in the new map."""
    before, after = ends(old, ours), ends(new, theirs)
    return before != after and before == after[::-1]


def counted_lines(world: DoomMap) -> list[int]:
    """The lines that mean something: node builders and editors drop those without length."""
    found = []
    for number in range(len(world.lines)):
        start, end = ends(world, number)
        if start != end or start is None:
            found.append(number)
    return found


def counted_sectors(world: DoomMap) -> list[int]:
    """The sectors that some line faces; node builders and editors drop all others."""
    lines = (world.lines[number] for number in counted_lines(world))
    sides = (side(world, number) for line in lines for number in (line.front, line.back))
    faced = {found.sector for found in sides if found is not None}
    return [number for number in range(len(world.sectors)) if number in faced]


def sector_key(world: DoomMap, number: int) -> Hashable:
    """All that a sector's record says."""
    sector = world.sectors[number]
    return (*sector[:-1], frozen(sector.extra))


def sector_places(world: DoomMap) -> dict[int, Point]:
    """Where each sector is told to be: its westmost vertex, of several the southmost; none without lines."""
    found: dict[int, Point] = {}
    for number, line in enumerate(world.lines):
        places = [place for place in ends(world, number) if place is not None]
        for each in (side(world, line.front), side(world, line.back)):
            if each is not None and places:
                found[each.sector] = min(*places, found.get(each.sector, places[0]))
    return found


def extent(world: DoomMap) -> tuple[Number, Number]:
    """Width and height of all lines together, in map units; 0 where there are none."""
    places = list(used_vertices(world))
    if not places:
        return 0, 0
    xs, ys = [place[0] for place in places], [place[1] for place in places]
    return max(xs) - min(xs), max(ys) - min(ys)


def used_vertices(world: DoomMap) -> dict[Point, int]:
    """The vertices that lines use, by place; of several at one place the first."""
    used = sorted({vertex for line in world.lines for vertex in (line.v1, line.v2)})
    found: dict[Point, int] = {}
    for vertex in used:
        place = point(world, vertex)
        if place is not None:
            found.setdefault(place, vertex)
    return found


def line_keys(world: DoomMap) -> LineKeys:
    """The keys of a map's lines."""
    lines = range(len(world.lines))
    both = [ends(world, number) for number in lines]
    inner = [_line_contents(world, world.lines[number]) for number in lines]

    def length(number: int) -> Hashable:
        start, end = both[number]
        if start is None or end is None:
            return None
        return inner[number], end[0] - start[0], end[1] - start[1]

    def middle(number: int) -> tuple[float, float] | None:
        start, end = both[number]
        if start is None or end is None:
            return None
        return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2

    def around(number: int) -> Hashable:
        line = world.lines[number]
        return tuple(_sector_contents(world, side(world, each)) for each in (line.front, line.back))

    return LineKeys(
        lambda number: (both[number], inner[number], around(number)),
        lambda number: (both[number], inner[number]),
        both.__getitem__,
        lambda number: frozenset(both[number]),
        lambda number: None if both[number][0] is None else (both[number][0], inner[number]),
        lambda number: None if both[number][1] is None else (both[number][1], inner[number]),
        length,
        middle,
    )


def thing_keys(world: DoomMap) -> ThingKeys:
    """The keys of a map's things."""
    things = world.things
    return ThingKeys(
        lambda number: (*things[number][:-1], frozen(things[number].extra)),
        lambda number: (things[number].x, things[number].y, things[number].type),
        lambda number: (things[number].x, things[number].y),
        lambda number: (things[number].type, things[number].flags),
    )


def frozen(extra: Extra) -> Hashable:
    """UDMF's fields of a record as a key."""
    return tuple(sorted(extra.items())) if extra else ()


def _line_contents(world: DoomMap, line: Line) -> Hashable:
    sides = tuple(_side_contents(world, number) for number in (line.front, line.back))
    return line.flags, line.special, line.tag, line.args, frozen(line.extra), sides


def _sector_contents(world: DoomMap, found: Side | None) -> Hashable:
    if found is None or not 0 <= found.sector < len(world.sectors):
        return None
    return sector_key(world, found.sector)


def _side_contents(world: DoomMap, number: int | None) -> Hashable:
    found = side(world, number)
    if found is None:
        return number
    return (*found[:5], frozen(found.extra))
