"""Textures of walls and flats of sectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.model import shown
from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.tables.games import BOOM, HEXEN, TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.model import Side
    from lumpyard.maps.problems import MapFinding
    from lumpyard.maps.textures import Texture

_SKIES = frozenset({b"F_SKY1"})
_HEXEN_SKIES = frozenset({b"F_SKY", b"F_SKY1"})
_DEEP = 128  # a texture as high as that repeats as it should
# their texture names are those of colours, tables or skies (Boom, MBF; ZDoom)
_NAMES_OTHERS = frozenset({242, 260, 271, 272})
_ZDOOM_NAMES_OTHERS = frozenset({190, 209, 333, 334, 335})
_SWITCHES = (b"SW1", b"SW2")


def check(survey: Survey) -> Iterator[MapFinding]:
    """Names that are not known, walls that are bare, textures that the first engines draw wrong."""
    if survey.context.textures is not None:
        yield from _unknown_textures(survey, survey.context.textures.walls)
        yield from _unknown_flats(survey, survey.context.textures.flats)
        yield from _drawn_wrong(survey)
    yield from _bare(survey)
    yield from _switches(survey)


def is_none(name: bytes) -> bool:
    """Whether nothing is drawn: engines look at the first letter alone."""
    return name[:1] == b"-" or not name


def _names_others(survey: Survey, special: int) -> bool:
    if survey.actions or special >= 333:
        return special in _ZDOOM_NAMES_OTHERS
    return TARGETS.index(survey.target) >= TARGETS.index(BOOM) and special in _NAMES_OTHERS


def _unknown_textures(survey: Survey, walls: Mapping[bytes, Texture]) -> Iterator[MapFinding]:
    """One finding for each name, at its first side."""
    sides = survey.level.sides
    names = {side.middle for side in sides} | {side.upper for side in sides} | {side.lower for side in sides}
    unknown = {name for name in names if not is_none(name) and name.upper() not in walls}
    if not unknown:
        return
    uses: dict[bytes, list[tuple[int, int, str]]] = {}
    for number, line in enumerate(survey.level.lines):
        if _names_others(survey, line.special):
            continue
        for at in {line.front, line.back}:
            side = survey.side(at)
            if side is None or at is None:
                continue
            for part, name in (("upper", side.upper), ("lower", side.lower), ("middle", side.middle)):
                if name in unknown:
                    uses.setdefault(name.upper(), []).append((at, number, part))
    for name, places in uses.items():
        number, line_number, part = min(places)
        more = f", and {len(places) - 1} more times" if len(places) > 1 else ""
        message = f"no archive has texture {shown(name)}: {part} of side {number} of line {line_number}{more}"
        yield found("texture-unknown", message, "side", number, survey.line_place(line_number))


def _unknown_flats(survey: Survey, known: frozenset[bytes]) -> Iterator[MapFinding]:
    skies = _HEXEN_SKIES if survey.game == HEXEN else _SKIES
    uses: dict[bytes, list[int]] = {}
    for number, sector in enumerate(survey.level.sectors):
        for name in (sector.floor.upper(), sector.ceiling.upper()):
            if name not in known and name not in skies:
                uses.setdefault(name, []).append(number)
    for name, sectors in uses.items():
        more = f", and {len(sectors) - 1} more times" if len(sectors) > 1 else ""
        message = f"no archive has flat {shown(name)} of sector {sectors[0]}{more}"
        yield found("flat-unknown", message, "sector", sectors[0], survey.sector_place(sectors[0]))


def _drawn_wrong(survey: Survey) -> Iterator[MapFinding]:
    assert survey.context.textures is not None
    known = survey.context.textures.walls
    names = {side.middle for side in survey.level.sides}
    walls = {name: known[name.upper()] for name in names if not is_none(name) and name.upper() in known}
    low = {name: texture for name, texture in walls.items() if 0 < texture.height < _DEEP}
    overlapping = {name for name, texture in walls.items() if texture.overlapping}
    for number, line in enumerate(survey.level.lines):
        if line.back is None:
            side = survey.side(line.front) if low else None
            if side and side.middle in low:
                yield from _tutti_frutti(survey, number, side, low[side.middle])
        elif overlapping:
            for side in (survey.side(line.front), survey.side(line.back)):
                if side and side.middle in overlapping:
                    message = (
                        f"line {number} is two-sided; patches of its texture {shown(side.middle)} share columns: "
                        "the first engines draw garbage (Medusa)"
                    )
                    yield found("medusa", message, "line", number, survey.line_place(number))
                    break


def _tutti_frutti(survey: Survey, number: int, side: Side, texture: Texture) -> Iterator[MapFinding]:
    """Walls that repeat a texture which the first engines cannot repeat: they do so after 128 pixels."""
    sector = survey.fronts[number]
    if sector is None:
        return
    height = survey.level.sectors[sector].ceiling_height - survey.level.sectors[sector].floor_height
    if height > texture.height:
        message = (
            f"line {number} is {height} high, its texture {shown(side.middle)} {texture.height}: the first engines "
            f"draw garbage below that, since they repeat textures after {_DEEP} (tutti-frutti)"
        )
        yield found("tutti-frutti", message, "line", number, survey.line_place(number))


def _bare(survey: Survey) -> Iterator[MapFinding]:
    """One finding for the map and each part of walls."""
    middle: list[int] = []
    lower: list[int] = []
    upper: list[int] = []
    skies = _HEXEN_SKIES if survey.game == HEXEN else _SKIES
    heights = [(sector.floor_height, sector.ceiling_height) for sector in survey.level.sectors]
    for number, (line, front, back) in enumerate(
        zip(survey.level.lines, survey.fronts, survey.backs, strict=True)
    ):
        if front is None or front == back:
            continue
        if line.back is None:
            side = survey.side(line.front)
            if side and is_none(side.middle) and heights[front][1] > heights[front][0]:
                middle.append(number)
            continue
        if back is None or heights[front] == heights[back]:
            continue
        for at, here, there in ((line.front, front, back), (line.back, back, front)):
            (floor, ceiling), (far_floor, far_ceiling), side = heights[here], heights[there], survey.side(at)
            if ceiling <= floor or side is None:
                continue  # nobody is there to see it
            if far_floor > floor and is_none(side.lower):
                lower.append(number)
            if far_ceiling < ceiling and is_none(side.upper) and not _both_open(survey, skies, here, there):
                upper.append(number)
    for part, numbers in (("middle", middle), ("lower", lower), ("upper", upper)):
        if numbers:
            more = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
            has = "have" if more else "has"
            message = f"line {numbers[0]}{more} {has} no {part} texture, where one is to be seen"
            yield found(f"texture-missing-{part}", message, "line", numbers[0], survey.line_place(numbers[0]))


def _both_open(survey: Survey, skies: frozenset[bytes], one: int, two: int) -> bool:
    """Whether two sectors are under the sky, which has no edge."""
    sectors = survey.level.sectors
    return sectors[one].ceiling.upper() in skies and sectors[two].ceiling.upper() in skies


def _switches(survey: Survey) -> Iterator[MapFinding]:
    for number, line in enumerate(survey.level.lines):
        side = survey.side(line.front) if line.special else None
        if side:
            many = sum(name[:3].upper() in _SWITCHES for name in (side.upper, side.lower, side.middle))
            if many > 1:
                message = (
                    f"line {number} is a switch and has {many} textures of switches; one of them changes"
                )
                yield found("switch-twice", message, "line", number, survey.line_place(number))
