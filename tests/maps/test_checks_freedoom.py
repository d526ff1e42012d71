"""What the checks find in Freedoom's hundred maps (Debian packages freedoom and freedm), measured once and by hand.

The maps are known to be good: what is found was looked at, and is true. Figures are maps, then findings; parts of walls
without a texture are one finding a map.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lumpyard.archives.opening import open_archive
from lumpyard.maps.checks import CheckContext, all_findings, check_map
from lumpyard.maps.checks.catalogue import BY_ID
from lumpyard.maps.finding import find_maps
from lumpyard.maps.reading import read_map
from lumpyard.maps.textures import Textures, read_textures

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.problems import MapFinding

FOLDER = Path("/usr/share/games/doom")
VANILLA = {
    "lines-crossing": (1, 4),
    "lines-overlapping": (1, 1),
    "sector-unconnected": (14, 106),
    "sector-ceiling-low": (11, 23),
    "line-two-sided-flag": (1, 1),
    "line-not-blocking": (5, 5),
    "texture-missing-middle": (6, 6),
    "texture-missing-lower": (31, 31),
    "texture-missing-upper": (30, 30),
    "medusa": (1, 3),
    "tutti-frutti": (10, 91),
    "switch-twice": (4, 12),
    "thing-outside": (1, 1),
    "deathmatch-starts": (17, 17),
    "special-unknown": (8, 44),
    "sector-type-unknown": (1, 3),
    "tag-without-sector": (8, 17),
    "door-one-sided": (1, 2),
    "sector-tag-unused": (21, 156),
    "line-tag-unused": (18, 157),
    "teleport-without-destination": (3, 5),
    "teleport-on-some-skills": (7, 14),
    "blockmap-line-absent": (6, 6),
}
BOOM = {id_: figures for id_, figures in VANILLA.items() if len(BY_ID[id_].targets) > 1}
# ten lines of E3M9 have specials of Boom's and no tag; Boom has a flag for things that are not in deathmatch
BOOM |= {"special-unknown": (1, 4), "tag-missing": (1, 10), "line-tag-unused": (18, 156)}
BOOM |= {"teleport-on-some-skills": (8, 15)}
del BOOM["sector-type-unknown"]


@cache
def levels() -> list[tuple[str, DoomMap, Textures]]:
    found: list[tuple[str, DoomMap, Textures]] = []
    for game in ("freedoom1", "freedoom2", "freedm"):
        archive = open_archive((FOLDER / f"{game}.wad").read_bytes())
        textures = read_textures([archive])
        found += [(game, read_map(place, archive.read), textures) for place in find_maps(archive)]
    return found


@cache
def findings(target: str) -> list[tuple[str, str, list[MapFinding]]]:
    return [
        (game, level.name, all_findings(level, CheckContext(target=target, textures=textures)))
        for game, level, textures in levels()
    ]


@pytest.mark.parametrize(("target", "figures"), [("vanilla", VANILLA), ("boom", BOOM)])
def test_maps_and_findings_of_each_check(target: str, figures: dict[str, tuple[int, int]]) -> None:
    maps = Counter(id_ for _, _, found in findings(target) for id_ in {one.id for one in found})
    items = Counter(one.id for _, _, found in findings(target) for one in found)
    assert {id_: (maps[id_], items[id_]) for id_ in maps} == figures


def test_walls_without_a_texture_are_counted() -> None:
    counted: Counter[str] = Counter()
    for _, _, found in findings("vanilla"):
        for one in found:
            if one.id.startswith(("texture-missing", "line-not-blocking")):
                more = re.search(r"and (\d+) more|^(\d+) one-sided", one.message)
                counted[one.id] += int(more[1] or 0) + 1 if more and more[1] else int(more[2]) if more else 1
    assert counted == {
        "texture-missing-middle": 29,
        "texture-missing-lower": 560,
        "texture-missing-upper": 357,
        "line-not-blocking": 1017,
    }


def test_one_map_has_an_error_and_79_have_nothing_above_info() -> None:
    """MAP20's crossing lines were a true mistake: "fixed upstream"."""
    levels_of = {(game, name): {one.level for one in found} for game, name, found in findings("boom")}
    assert [where for where, found in levels_of.items() if "error" in found] == [("freedoom2", "MAP20")]
    assert sum("warning" in found and "error" not in found for found in levels_of.values()) == 20
    assert sum(not found & {"warning", "error"} for found in levels_of.values()) == 79


@pytest.mark.parametrize("target", ["vanilla", "boom"])
def test_a_finding_has_an_object_and_its_place_or_is_of_the_whole_map(target: str) -> None:
    for _, _, found in findings(target):
        for one in found:
            assert (one.object in {"map", "lump"}) == (one.number is None)
            assert (one.number is None) == (one.x is None) == (one.y is None)
            assert "\n" not in one.message


def test_findings_come_in_the_same_order_every_time() -> None:
    _, level, textures = levels()[0]
    context = CheckContext(textures=textures)
    assert check_map(level, context) == check_map(level, context)


def test_without_textures_no_name_is_looked_up() -> None:
    _, level, _ = levels()[0]
    assert not {"texture-unknown", "flat-unknown"} & {one.id for one in check_map(level, CheckContext())}
