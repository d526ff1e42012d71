"""All checks of a map: the id of what they find, its level, the targets that it matters for, and what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.problems import ERROR, INFO, WARNING, MapFinding
from lumpyard.maps.tables.games import TARGETS, VANILLA

if TYPE_CHECKING:
    from lumpyard.maps.model import Number


class Check(NamedTuple):
    """What a finding's id stands for."""

    id: str
    level: str
    targets: tuple[str, ...]
    what: str


_ONLY_VANILLA = (VANILLA,)

CHECKS = (
    # structure
    Check("lump-unreadable", ERROR, TARGETS, "the archive cannot give a lump of the map"),
    Check("lump-missing", ERROR, TARGETS, "THINGS, LINEDEFS, SIDEDEFS, VERTEXES or SECTORS is not there"),
    Check("lump-size", ERROR, TARGETS, "a lump is no whole number of records"),
    Check("lump-order", ERROR, TARGETS, "lumps stand in another order than engines count on"),
    Check("lump-foreign", ERROR, TARGETS, "a lump that is no map's stands inside the map"),
    Check("lump-repeated", ERROR, TARGETS, "a lump is there twice"),
    Check("lump-in-text-map", WARNING, TARGETS, "a lump between TEXTMAP and ENDMAP that is no map's"),
    Check("map-format", ERROR, TARGETS, "a format that is not read, or records of another format than lumps say"),
    Check("textmap-syntax", ERROR, TARGETS, "TEXTMAP breaks UDMF's grammar"),
    Check("textmap-field", WARNING, TARGETS, "a field of TEXTMAP is missing, or has a value of another type"),
    Check("map-repeated", ERROR, TARGETS, "two maps of one archive have one name"),
    Check("gl-name-long", WARNING, TARGETS, "a map with GL lumps has a name of more than 5 characters"),
    Check("map-crowded", WARNING, TARGETS, "so many lines in one place that lines are not compared with each other"),
    # references
    Check("line-vertex", ERROR, TARGETS, "a line's vertex is not there"),
    Check("line-side", ERROR, TARGETS, "a line's side is not there"),
    Check("side-sector", ERROR, TARGETS, "a side's sector is not there"),
    Check("line-no-front", ERROR, TARGETS, "a line has a back side and no front side"),
    Check("line-no-sides", ERROR, TARGETS, "a line has no sides"),
    Check("side-shared", INFO, TARGETS, "sides are used by several lines: to edit one edits the others"),
    # geometry
    Check("line-zero-length", ERROR, TARGETS, "a line starts and ends in one point"),
    Check("lines-crossing", ERROR, TARGETS, "two lines cross"),
    Check("lines-overlapping", WARNING, TARGETS, "two lines lie on each other"),
    Check("vertex-on-line", WARNING, TARGETS, "a line ends on another, which is not split there"),
    Check("vertex-duplicate", WARNING, TARGETS, "two vertices of lines are at one point"),
    Check("vertex-unused", WARNING, TARGETS, "a vertex is of no line and no seg"),
    Check("sector-unclosed", ERROR, TARGETS, "a sector's lines do not go round it"),
    Check("sector-unconnected", INFO, TARGETS, "no way leads from player 1's start into a sector"),
    Check("sector-ceiling-low", WARNING, TARGETS, "a ceiling is under its floor"),
    Check("line-two-sided-flag", WARNING, TARGETS, "a line is flagged as two-sided and has no back side"),
    Check("line-not-blocking", INFO, TARGETS, "a one-sided line is not flagged as blocking"),
    # textures
    Check("texture-unknown", ERROR, TARGETS, "a wall's texture is in no mounted archive"),
    Check("flat-unknown", ERROR, TARGETS, "a floor's or ceiling's flat is in no mounted archive"),
    Check("texture-missing-middle", INFO, TARGETS, "one-sided walls without a texture"),
    Check("texture-missing-lower", INFO, TARGETS, "steps without a texture"),
    Check("texture-missing-upper", INFO, TARGETS, "ceilings' edges without a texture"),
    Check("medusa", WARNING, _ONLY_VANILLA, "a two-sided line's middle texture has patches over each other"),
    Check("tutti-frutti", INFO, _ONLY_VANILLA, "a wall is higher than its texture, which is not 128 high"),
    Check("switch-twice", INFO, _ONLY_VANILLA, "a switch has a switch's texture in two places; one changes"),
    # things
    Check("start-missing", ERROR, TARGETS, "player 1 has no start"),
    Check("thing-unknown", WARNING, TARGETS, "a thing that the game has not"),
    Check("thing-stuck", WARNING, TARGETS, "a monster or start is inside a solid wall"),
    Check("thing-outside", WARNING, TARGETS, "a thing is outside the map"),
    Check("deathmatch-starts", INFO, _ONLY_VANILLA, "more than 10 deathmatch starts; the rest is ignored"),
    # specials
    Check("special-unknown", WARNING, TARGETS, "a line's special that the target does not know"),
    Check("sector-type-unknown", WARNING, TARGETS, "a sector type that the target does not know"),
    Check("tag-missing", WARNING, TARGETS, "a special that acts on tagged sectors or lines has tag 0"),
    Check("tag-without-sector", WARNING, TARGETS, "a special acts on a tag that no sector or line has"),
    Check("door-one-sided", WARNING, TARGETS, "a door that is pressed has no sector behind it"),
    Check("sector-tag-unused", INFO, TARGETS, "a sector's tag that no line's special acts on"),
    Check("line-tag-unused", INFO, TARGETS, "a line has a tag and no special"),
    Check("key-missing", ERROR, TARGETS, "a lock whose key is not there, on some skill or in some mode"),
    Check("teleport-without-destination", WARNING, TARGETS, "a teleport's tagged sectors have no destination"),
    Check("teleport-on-some-skills", INFO, TARGETS, "a teleport's destination is not there on a skill or in a mode"),
    Check("exit-missing", ERROR, TARGETS, "nothing ends the level, on some skill or in some mode"),
    Check("exit-unconnected", WARNING, TARGETS, "no way leads from the starts to an exit"),
    # what engines and node builders make
    Check("nodes-missing", INFO, TARGETS, "no nodes: they have to be built before most engines run the map"),
    Check("nodes-format", ERROR, TARGETS, "nodes of a form that is not known, or that do not decode"),
    Check("seg-reference", ERROR, TARGETS, "a seg's vertex, line or side is not there"),
    Check("subsector-reference", ERROR, TARGETS, "a subsector's segs are not there"),
    Check("node-tree", ERROR, TARGETS, "the nodes are no tree that has each subsector once"),
    Check("seg-side", WARNING, TARGETS, "a seg runs against the side of the line that it says it is of"),
    Check("reject-size", WARNING, _ONLY_VANILLA, "REJECT is shorter than the sectors need; the first engines crash"),
    Check("reject-long", INFO, TARGETS, "REJECT has more bytes than the sectors need"),
    Check("reject-hides", WARNING, TARGETS, "REJECT hides sectors that share an open line: it is of another map"),
    Check("blockmap-empty", INFO, TARGETS, "no BLOCKMAP: the engine makes its own"),
    Check("blockmap-extended", INFO, TARGETS, "a 32-bit BLOCKMAP (XBM1), which is not looked into"),
    Check("blockmap-truncated", ERROR, TARGETS, "BLOCKMAP ends within its header or its offsets"),
    Check("blockmap-offset", ERROR, TARGETS, "a cell's list starts outside BLOCKMAP, or in front of the lists"),
    Check("blockmap-unended", ERROR, TARGETS, "a list runs past the end of BLOCKMAP"),
    Check("blockmap-line", ERROR, TARGETS, "a list names a line that is not there"),
    Check("blockmap-no-zero", WARNING, TARGETS, "lists do not start with 0; some engines skip the first line"),
    Check("blockmap-tangled", ERROR, TARGETS, "lists share words, too many for an accident"),
    Check("blockmap-grid", ERROR, TARGETS, "the grid does not hold all lines"),
    Check("blockmap-missing", ERROR, TARGETS, "a line is not in all of its cells, or in none though things can hit it"),
    Check("blockmap-line-absent", INFO, TARGETS, "lines in no cell at all, which nothing can hit"),
    Check("blockmap-sliver", INFO, TARGETS, "a line is not in a cell that it only just comes into; zdbsp rounds so"),
    Check("blockmap-extra", INFO, TARGETS, "a line is in cells that it does not go through"),
    Check("blockmap-wide", WARNING, TARGETS, "more than 511 columns or rows: positions overflow"),
    # limits
    Check("limit-blockmap", WARNING, _ONLY_VANILLA, "a BLOCKMAP of more than 65,536 bytes"),
    Check("limit-segs", WARNING, _ONLY_VANILLA, "more than 32,767 segs"),
    Check("limit-sides", WARNING, _ONLY_VANILLA, "more than 32,767 sides"),
    Check("limit-vertices", WARNING, _ONLY_VANILLA, "more than 32,767 vertices"),
    Check("limit-size", WARNING, _ONLY_VANILLA, "more than 32,767 map units from one end to the other"),
    Check("limit-platforms", WARNING, _ONLY_VANILLA, "more than 30 platforms can move at once"),
    Check("limit-scrollers", WARNING, _ONLY_VANILLA, "more than 64 lines scroll"),
    # of the file beside a WAD that says for which maps it was built
    Check("record-missing", WARNING, TARGETS, "the file of fingerprints beside the WAD has none of the map"),
    Check("record-changed", WARNING, TARGETS, "the map was changed since its fingerprint was recorded"),
    Check("record-renumbered", WARNING, TARGETS, "REJECT or the sectors' numbers are others than recorded"),
    # of what a build keeps, or could not make
    Check("reject-stale", WARNING, TARGETS, "builds only: REJECT hides what is seen, and is made anew"),
    Check("reject-doubtful", WARNING, TARGETS, "builds only: REJECT hides a little of what is seen, and is kept"),
    Check("reject-in-part", WARNING, TARGETS, "builds only: there were too few steps to look from all sectors"),
    # of the checks themselves
    Check("ignore-unused", WARNING, TARGETS, "a finding that is to be ignored is not there"),
)  # fmt: skip

BY_ID = {check.id: check for check in CHECKS}
IDS = tuple(BY_ID)
OF_BUILDS = frozenset(
    {"reject-stale", "reject-doubtful", "reject-in-part"}
)  # no check of the map alone finds them


def found(
    id_: str,
    message: str,
    kind: str = "map",
    number: int | None = None,
    place: tuple[Number, Number] | None = None,
) -> MapFinding:
    """A finding with the level of its id; `place` in map units."""
    x, y = place or (None, None)
    return MapFinding(id_, BY_ID[id_].level, message, kind, number, x, y)
