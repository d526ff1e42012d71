"""Numbers about a map: what stands in it on each skill and in each mode, what covers it, how near its limits are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps import contents, nodes
from lumpyard.maps.checks.context import CheckContext
from lumpyard.maps.checks.modes import COOP, DEATHMATCH, SINGLE, is_present
from lumpyard.maps.checks.survey import Survey
from lumpyard.maps.drawing.kinds import Rules, is_secret
from lumpyard.maps.map_limits import Use, uses
from lumpyard.maps.tables.games import VANILLA
from lumpyard.maps.tables.things import KINDS, things

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lumpyard.maps.model import DoomMap, Number

UNKNOWN = "unknown"  # kind of a thing that the game has not
SKILLS = {"easy": 1, "medium": 2, "hard": 4}  # flags of things: skills 1 and 2, 3, 4 and 5
MODES = {"single": SINGLE, "coop": COOP, "deathmatch": DEATHMATCH}


class TypeCount(NamedTuple):
    """How many things of one type there are."""

    type: int
    name: str
    kind: str  # of the tables' kinds, or UNKNOWN
    total: int
    present: Mapping[str, Mapping[str, int]]  # by mode and skill


class Statistics(NamedTuple):
    """All numbers about one map."""

    name: str
    format: str
    game: str
    target: str
    width: Number  # map units, of the lines
    height: Number
    records: Mapping[str, int]  # things, lines, sides, vertices, sectors, segs, subsectors, nodes
    kinds: Mapping[str, Mapping[str, Mapping[str, int]]]  # things by kind, mode and skill
    types: Sequence[TypeCount]  # the most first
    secrets: int  # sectors
    specials: int  # lines that have one
    textures: Mapping[str, int]  # parts of sides that show each, the most first
    flats: Mapping[str, int]  # floors and ceilings
    limits: Sequence[Use]  # of the target


def measure(level: DoomMap, target: str = VANILLA, game: str | None = None) -> Statistics:
    """The numbers of a map as far as it can be read; `game` is guessed where nobody says it."""
    survey = Survey(level, CheckContext(target, game))
    game = survey.game
    tree = nodes.decode(level)
    records = {
        "things": len(level.things),
        "lines": len(level.lines),
        "sides": len(level.sides),
        "vertices": len(level.vertices),
        "sectors": len(level.sectors),
        "segs": len(tree.segs),
        "subsectors": len(tree.subsectors),
        "nodes": len(tree.nodes),
    }
    types = _types(survey)
    rules = Rules(game, survey.actions)
    width, height = contents.extent(level)
    return Statistics(
        level.name,
        level.format,
        game,
        target,
        width,
        height,
        records,
        _kinds(types),
        types,
        sum(is_secret(sector, rules) for sector in level.sectors),
        sum(line.special != 0 for line in level.lines),
        _ranked(name for side in level.sides for name in (side.upper, side.lower, side.middle)),
        _ranked(name for sector in level.sectors for name in (sector.floor, sector.ceiling)),
        uses(level, target, game, (width, height), tree),
    )


def _types(survey: Survey) -> list[TypeCount]:
    """Every type of thing, the most first."""
    known = things(survey.game, survey.target)
    of_type: dict[int, Counter[int]] = {}
    for thing in survey.level.things:
        of_type.setdefault(thing.type, Counter())[thing.flags] += 1
    found = []
    for number, flags in of_type.items():
        row = known.get(number)
        name, kind = (row.name, row.kind) if row else ("unknown thing", UNKNOWN)
        present = {
            mode: {
                skill: sum(many for bits, many in flags.items() if is_present(survey, bits, (bit, words)))
                for skill, bit in SKILLS.items()
            }
            for mode, words in MODES.items()
        }
        found.append(TypeCount(number, name, kind, flags.total(), present))
    return sorted(found, key=lambda each: (-each.total, each.type))


def _kinds(types: Sequence[TypeCount]) -> dict[str, dict[str, dict[str, int]]]:
    """The sums of the types by kind, in the tables' order; kinds that are not there are left out."""
    return {
        kind: {
            mode: {skill: sum(each.present[mode][skill] for each in some) for skill in SKILLS}
            for mode in MODES
        }
        for kind in (*KINDS, UNKNOWN)
        if (some := [each for each in types if each.kind == kind])
    }


def _ranked(names: Iterable[bytes]) -> dict[str, int]:
    """How often each name is there, the most first, without `-`; bytes that are not UTF-8 as surrogate escapes."""
    many = Counter(names)
    del many[b"-"]
    del many[b""]
    ranked = sorted(many.items(), key=lambda pair: (-pair[1], pair[0]))
    return {name.decode("utf-8", "surrogateescape"): number for name, number in ranked}
