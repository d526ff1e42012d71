"""How near a map is to the limits of an engine, as far as the map alone decides.

The first engines read numbers of records as signed 16-bit ones; later ones as unsigned, up to what the map's format can
say. UDMF has no such limits. Moving things (plats, visible walls) are not counted: play decides about them.

Source: the released source of Doom (p_setup.c, p_spec.h, doomstat.h); the formats' field sizes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.model import UDMF
from lumpyard.maps.tables.games import VANILLA
from lumpyard.maps.tables.line_types import find_line_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.maps.model import DoomMap, NodeTree, Number

_SIGNED, _UNSIGNED = 32_767, 65_535
_LEAVES = 32_767  # bit 15 of a node's child says that it is a subsector
_BLOCKMAP_BYTES = 65_536
_DEATHMATCH_STARTS, _SCROLLERS = 10, 64
_START = 11  # type of a deathmatch start, in all games
_FORMS_OF_16_BITS = frozenset({"none", "vanilla"})


class Use(NamedTuple):
    """How much of a limit is used."""

    name: str
    used: int
    most: int

    @property
    def percent(self) -> float:
        """Of the limit."""
        return 100 * self.used / self.most


def uses(
    level: DoomMap, target: str, game: str, size: tuple[Number, Number], tree: NodeTree
) -> Sequence[Use]:
    """The limits of a target for a map of such a size with such nodes, in the order of the map's lumps."""
    if level.format == UDMF:
        return ()
    most = _SIGNED if target == VANILLA else _UNSIGNED
    found = [
        Use("lines", len(level.lines), most),
        Use("sides", len(level.sides), most),
        Use("vertices", len(level.vertices), most),
        Use("sectors", len(level.sectors), most),
        Use("width", int(size[0]), _UNSIGNED if target != VANILLA else _SIGNED),
        Use("height", int(size[1]), _UNSIGNED if target != VANILLA else _SIGNED),
    ]
    if level.nodes in _FORMS_OF_16_BITS:
        found += [
            Use("segs", len(tree.segs), most),
            Use("subsectors", len(tree.subsectors), _LEAVES),
            Use("nodes", len(tree.nodes), _LEAVES),
        ]
    if target == VANILLA:
        starts = sum(thing.type == _START for thing in level.things)
        found += [
            Use("blockmap bytes", len(level.lumps.get("BLOCKMAP", b"")), _BLOCKMAP_BYTES),
            Use("deathmatch starts", starts, _DEATHMATCH_STARTS),
            Use("scrolling lines", _scrollers(level, game), _SCROLLERS),
        ]
    return found


def _scrollers(level: DoomMap, game: str) -> int:
    rows = (find_line_type(line.special, game, VANILLA) for line in level.lines if line.special)
    return sum(row is not None and row.kind == "scroll" for row in rows)
