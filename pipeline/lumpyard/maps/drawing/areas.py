"""Sectors as filled areas: by light, height or tag, secret ones, and those that REJECT hides from a chosen one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.drawing.kinds import is_secret
from lumpyard.maps.drawing.loops import edges_of, rings_by_role
from lumpyard.maps.drawing.palette import HEIGHTS, HUES, STEPS
from lumpyard.maps.drawing.shapes import Area

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.maps.drawing.kinds import Rules
    from lumpyard.maps.drawing.options import DrawOptions
    from lumpyard.maps.drawing.plan import Plan
    from lumpyard.maps.model import DoomMap, Sector

_HIGHEST = 1 << 20  # map units


def sector_areas(
    level: DoomMap, plan: Plan, options: DrawOptions, rules: Rules
) -> tuple[list[Area], list[str]]:
    """The areas of all sectors that are to be filled, and what could not be done."""
    notes: list[str] = []
    roles: dict[int, str] = {}
    edges = edges_of(plan.lines)
    if "sectors" in options.layers:
        roles = dict(zip(edges, _fills(level, list(edges), options.fill), strict=True))
    if options.reject_from is not None:
        seen = _seen_from(level, options.reject_from)
        if seen is None:
            notes.append(f"no REJECT for sector {options.reject_from}")
        else:
            roles = {sector: seen[sector] for sector in edges}
    elif "secrets" in options.layers:
        roles |= {sector: "secret" for sector in edges if is_secret(level.sectors[sector], rules)}
    rings = rings_by_role(edges, roles)
    order = sorted(rings, key=_order)
    return [Area("secrets" if role == "secret" else "sectors", role, rings[role]) for role in order], notes


def _order(role: str) -> tuple[str, int]:
    kind, _, step = role.rpartition("-")
    return (kind, int(step)) if step.isdigit() else (role, 0)


def _fills(level: DoomMap, numbers: Sequence[int], fill: str) -> list[str]:
    """A role for each of some sectors."""
    sectors = [level.sectors[number] for number in numbers]
    if fill == "light":
        return [f"light-{min(max(int(sector.light), 0), 255) * STEPS // 256}" for sector in sectors]
    if fill == "tags":
        tags = {
            tag: place for place, tag in enumerate(sorted({sector.tag for sector in sectors if sector.tag}))
        }
        return [f"hue-{tags[sector.tag] % HUES}" if sector.tag else "plain" for sector in sectors]
    if fill in {"floor", "ceiling"}:
        low, high = height_range(heights_of(level.sectors, fill))
        return [_height_role(height, low, high) for height in heights_of(sectors, fill)]
    return ["plain"] * len(sectors)


def heights_of(sectors: Sequence[Sector], fill: str) -> list[int]:
    """The heights of floors or ceilings, as far as an engine has such."""
    heights = (sector.floor_height if fill == "floor" else sector.ceiling_height for sector in sectors)
    return [min(max(height, -_HIGHEST), _HIGHEST) for height in heights]


def height_range(heights: Sequence[int]) -> tuple[int, int]:
    """The lowest and highest height that has a colour of its own.

    The outermost twentieths have not: they are often sectors that only tell the engine something.
    """
    ordered = sorted(heights)
    if not ordered:
        return 0, 0
    cut = len(ordered) // 20
    return ordered[cut], ordered[-1 - cut]


def _height_role(height: int, low: int, high: int) -> str:
    if low == high:
        return f"height-{HEIGHTS // 2}"
    return f"height-{(min(max(height, low), high) - low) * (HEIGHTS - 1) // (high - low)}"


def _seen_from(level: DoomMap, sector: int) -> list[str] | None:
    """A role for every sector: whether REJECT lets what is in `sector` see it; None where it doesn't say."""
    table, sectors = level.lumps.get("REJECT", b""), len(level.sectors)
    first = sector * sectors
    if not 0 <= sector < sectors or len(table) * 8 < first + sectors:
        return None
    hidden = [table[bit >> 3] >> (bit & 7) & 1 for bit in range(first, first + sectors)]
    roles = ["reject-hidden" if bit else "reject-seen" for bit in hidden]
    roles[sector] = "reject-from"
    return roles
