"""The shapes of a map's plan, layer by layer, from the ground up, and how many of each there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.drawing.areas import sector_areas
from lumpyard.maps.drawing.changes import mark_shapes
from lumpyard.maps.drawing.cuts import cut_shapes, node_cuts
from lumpyard.maps.drawing.kinds import is_key, is_there, rules_of, special_role, thing_role, wall_role
from lumpyard.maps.drawing.overlays import block_cells, grid_lines, grid_numbers
from lumpyard.maps.drawing.shapes import Strokes, Symbols
from lumpyard.maps.drawing.sizes import sizes_at
from lumpyard.maps.drawing.tags import NO_LINKS, find_links, link_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.maps.drawing.kinds import Rules
    from lumpyard.maps.drawing.options import DrawOptions
    from lumpyard.maps.drawing.plan import Plan, PlanLine
    from lumpyard.maps.drawing.shapes import Area, Segment, Shape
    from lumpyard.maps.drawing.sizes import Sizes
    from lumpyard.maps.drawing.tags import Links
    from lumpyard.maps.model import DoomMap, Thing

WIDTHS = {  # pixels at the usual scale, in the order they are painted
    "flat": 0.7,
    "ceiling": 0.9,
    "floor": 1.1,
    "door": 1.8,
    "wall": 2.0,
    "broken": 2.6,
    "special": 2.2,
    "teleport": 2.2,
    "lock-any": 3.4,
    "lock-green": 3.4,
    "lock-yellow": 3.4,
    "lock-red": 3.4,
    "lock-blue": 3.4,
    "exit-secret": 3.4,
    "exit": 3.4,
}
_SYMBOLS = {  # symbol and size, in the order they are painted
    "decoration": ("dot", 0.5),
    "unknown": ("square", 0.7),
    "ammo": ("square", 0.55),
    "health": ("dot", 0.6),
    "powerup": ("plus", 0.9),
    "weapon": ("diamond", 0.95),
    "monster": ("dart", 1.0),
    "deathmatch": ("ring", 1.0),
    "teleport": ("hollow-diamond", 1.0),
    "start": ("hollow-dart", 1.3),
    "player": ("dart", 1.6),
}
_KEY = ("key", 1.3)
_MARKERS = ("exit-secret", "exit")
_MOST_MARKERS = 100  # no map has ten exits; each is compared with all before


class Content(NamedTuple):
    """What a picture shows of a map, before it is known how large."""

    rules: Rules
    areas: Sequence[Area]
    lines: Mapping[str, tuple[str, Sequence[PlanLine]]]  # layer and lines by role, as they are painted
    things: Mapping[str, Sequence[Thing]]  # keys as `key lock-blue`
    blocks: Sequence[Shape]  # cells of BLOCKMAP
    cuts: Mapping[int, Sequence[Segment]]  # of NODES, by how early
    links: Links  # of tags
    notes: Sequence[str]  # what cannot be shown


def content_of(level: DoomMap, plan: Plan, options: DrawOptions) -> Content:
    """What of a map is to be shown."""
    rules, on = rules_of(level, options.game), frozenset(options.layers)
    areas, notes = sector_areas(level, plan, options, rules)
    return Content(
        rules,
        areas,
        _lines_by_role(level, plan, rules, on),
        _things_by_role(level, plan, rules, options),
        list(block_cells(level, plan)) if "blockmap" in on else (),
        node_cuts(level, plan) if "nodes" in on else {},
        find_links(level, plan, rules) if "tags" in on else NO_LINKS,
        [*plan.lost, *notes],
    )


def draw_content(plan: Plan, content: Content, options: DrawOptions, scale: float) -> list[Shape]:
    """All shapes of a plan, from the ground up, at a scale in pixels a map unit."""
    sizes, on = sizes_at(scale, options.size), frozenset(options.layers)
    shapes: list[Shape] = [*content.areas, *content.blocks]
    if "grid" in on:
        shapes += grid_lines(plan, scale, sizes)
    shapes += _strokes(content.lines, sizes)
    shapes += cut_shapes(content.cuts, sizes)
    shapes += link_shapes(content.links, sizes)
    shapes += _symbols(content.things, sizes)
    shapes += _markers(content.lines, sizes)
    if "grid" in on:
        shapes += grid_numbers(plan, scale, sizes)
    if "diff" in on and options.marks:
        shapes += mark_shapes(plan, options.marks, sizes)
    return shapes


def _lines_by_role(
    level: DoomMap, plan: Plan, rules: Rules, on: frozenset[str]
) -> dict[str, tuple[str, list[PlanLine]]]:
    """Layer and lines of each role, in the order they are painted."""
    found: dict[str, tuple[str, list[PlanLine]]] = {}
    for line in plan.lines:
        role = special_role(line.line, rules)
        layer = _layer_of(role)
        if layer not in on:
            role = wall_role(line, level)
            layer = "walls" if role in {"wall", "broken"} else "steps"
        if layer in on:
            found.setdefault(role, (layer, []))[1].append(line)
    return {role: found[role] for role in WIDTHS if role in found}


def _layer_of(role: str) -> str:
    if role.startswith("lock-"):
        return "locks"
    return {"exit": "exits", "exit-secret": "exits", "teleport": "teleports", "special": "specials"}.get(
        role, ""
    )


def _strokes(lines: Mapping[str, tuple[str, Sequence[PlanLine]]], sizes: Sizes) -> Iterator[Shape]:
    for role, (layer, found) in lines.items():
        ends = [(line.x1, line.y1, line.x2, line.y2) for line in found]
        width = round(WIDTHS[role] * sizes.line, 2)
        if layer in {"locks", "exits"}:
            yield Strokes(layer, "ground", round(width + 2 * sizes.line, 2), ends)
        yield Strokes(layer, role, width, ends)


def _things_by_role(level: DoomMap, plan: Plan, rules: Rules, options: DrawOptions) -> dict[str, list[Thing]]:
    found: dict[str, list[Thing]] = {}
    for thing in plan.things:
        role = thing_role(thing, rules)
        layer = "starts" if role in {"start", "deathmatch"} else "things"
        if layer in options.layers and is_there(thing, level, options.skill, options.mode):
            found.setdefault(f"key {role}" if is_key(thing, rules) else role, []).append(thing)
    keys = sorted(role for role in found if role.startswith("key "))
    return {role: found[role] for role in (*_SYMBOLS, *keys) if role in found}


def symbol_of(role: str) -> tuple[str, float]:
    """The symbol of a role of things, and its size in radii."""
    return _SYMBOLS.get(role, _KEY)


def _symbols(shown: Mapping[str, Sequence[Thing]], sizes: Sizes) -> Iterator[Shape]:
    for role, found in shown.items():
        symbol, size = symbol_of(role)
        layer = "starts" if role in {"start", "deathmatch"} else "things"
        places = [(thing.x, thing.y, int(thing.angle % 360 + 22.5) // 45 % 8) for thing in found]
        yield Symbols(layer, role.removeprefix("key "), symbol, round(size * sizes.symbol, 2), places)


def _markers(lines: Mapping[str, tuple[str, Sequence[PlanLine]]], sizes: Sizes) -> Iterator[Shape]:
    """A sign on every exit, since its line may be a few pixels long; lines beside each other share one."""
    radius = max(sizes.symbol * 1.7, 8.0)
    for role in _MARKERS:
        _, found = lines.get(role, ("", ()))
        places: list[tuple[float, float, int]] = []
        for line in found:
            x, y = (line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2
            if all(abs(x - other) + abs(y - above) > 128 for other, above, _ in places):
                places.append((x, y, 0))
            if len(places) == _MOST_MARKERS:
                break
        if places:
            yield Symbols("exits", role, "exit", round(radius, 2), places)
