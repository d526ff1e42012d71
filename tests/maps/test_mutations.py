"""Each check finds what it is for: a map in which all is well, with one thing changed.

The table holds one change for each id; there is no id without one.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import checked_map
from tests.builders.checked_map import (
    CONTEXT,
    EXIT,
    LEFT,
    OPENING,
    clean,
    line,
    lumps,
    path,
    sector,
    side,
    things,
)

from lumpyard.maps.checks import CHECKS, IDS, CheckContext, Ignore, all_findings, check_map, check_names
from lumpyard.maps.checks.catalogue import BY_ID, OF_BUILDS, found
from lumpyard.maps.checks.ignoring import Ignoring
from lumpyard.maps.finding import MapPlace
from lumpyard.maps.model import DOOM, DoomMap, Line, MapDamage, Side, Thing, Vertex
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.recording import CHANGED, NOT_RECORDED, RENUMBERED, SAME
from lumpyard.maps.tables.games import TARGETS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.maps.problems import MapFinding

    Mutation = Callable[[DoomMap], DoomMap]


def damaged(level: DoomMap, lump: str, code: str) -> DoomMap:
    return level._replace(damage=[*level.damage, MapDamage(lump, "it is so", code=code)])


def text_map(_: DoomMap, text: bytes) -> DoomMap:
    return read_lumps("MAP01", {"TEXTMAP": text, "ENDMAP": b""})


def crowd(level: DoomMap) -> DoomMap:
    """2,100 lines in one square."""
    points = [(10 + 2 * (at % 20), 8 + 5 * (at % 7)) for at in range(2100)]
    return path(level, *points)


def with_lines(level: DoomMap, many: int, special: int) -> DoomMap:
    """More lines along the right wall, a short one each, with a special."""
    grown = path(level, *((500, 20 + 2 * at) for at in range(many + 1)))
    for number in range(len(level.lines), len(grown.lines)):
        grown = line(grown, number, special=special)
    return grown


def with_sectors(level: DoomMap, many: int, tag: int) -> DoomMap:
    return level._replace(sectors=[*level.sectors, *[level.sectors[0]._replace(tag=tag)] * many])


def add_room(level: DoomMap) -> DoomMap:
    """A third room that nothing joins."""
    corners = [(1000, 0), (1000, 256), (1256, 256), (1256, 0)]
    first, face, room = len(level.vertices), len(level.sides), len(level.sectors)
    lines = [Line(first + at, first + (at + 1) % 4, 1, 0, 0, face + at, None) for at in range(4)]
    return level._replace(
        vertices=[*level.vertices, *(Vertex(x, y) for x, y in corners)],
        sides=[*level.sides, *[Side(0, 0, b"-", b"-", b"WALL", room)] * 4],
        sectors=[*level.sectors, level.sectors[0]],
        lines=[*level.lines, *lines],
    )


def exit_in_third_room(level: DoomMap) -> DoomMap:
    level = add_room(level)
    return line(line(level, EXIT, special=0), len(level.lines) - 1, special=11)


def blockmap(level: DoomMap, change: Callable[[list[int]], list[int]]) -> DoomMap:
    """The map with the words of its BLOCKMAP changed."""
    data = level.lumps["BLOCKMAP"]
    words = change(list(struct.unpack(f"<{len(data) // 2}H", data)))
    return lumps(level, BLOCKMAP=struct.pack(f"<{len(words)}H", *words))


def put(at: int, word: int) -> Callable[[list[int]], list[int]]:
    return lambda words: [*words[:at], word, *words[at + 1 :]]


def sliver(level: DoomMap) -> DoomMap:
    """A line that is one map unit in a cell, and is not listed there."""
    level = path(level, (100, 60), (120, 60))
    words = list(struct.unpack(f"<{len(level.lumps['BLOCKMAP']) // 2}H", level.lumps["BLOCKMAP"]))
    first = len(words)
    words += [0, 0, 3, 7, 0xFFFF]
    words[4] = first
    return lumps(level, BLOCKMAP=struct.pack(f"<{len(words)}H", *words))


def tangled(_: list[int]) -> list[int]:
    """2,000 cells, whose lists start a word apart in one list of 60,000 words."""
    return [0, 0, 2000, 1, *range(2004, 4004), *[0] * 60000, 0xFFFF]


def long_line(level: DoomMap, where: tuple[int, int]) -> DoomMap:
    return path(level, (40, 40), where)


def twice(level: DoomMap, number: int) -> DoomMap:
    """A line that lies on another."""
    return level._replace(lines=[*level.lines, level.lines[number]])


MUTATIONS: dict[str, Mutation] = {
    "lump-unreadable": lambda m: damaged(m, "THINGS", "unreadable"),
    "lump-missing": lambda m: read_lumps("MAP01", {"THINGS": b""}),
    "lump-size": lambda m: read_lumps("MAP01", {"THINGS": bytes(11)}),
    "lump-order": lambda m: damaged(m, "SECTORS", "order"),
    "lump-foreign": lambda m: damaged(m, "CWILV00", "foreign"),
    "lump-repeated": lambda m: damaged(m, "SEGS", "repeated"),
    "lump-in-text-map": lambda m: damaged(text_map(m, b'namespace="doom";'), "DECORATE", "foreign"),
    "map-format": lambda m: read_lumps("MAP01", {"THINGS": b"", "LEAFS": b""}),
    "textmap-syntax": lambda m: text_map(m, b'namespace="doom"; thing {'),
    "textmap-field": lambda m: text_map(m, b'namespace="doom"; thing { x = true; }'),
    "gl-name-long": lambda m: m._replace(name="MAP100", gl_nodes="v2"),
    "map-crowded": crowd,
    "line-vertex": lambda m: line(m, LEFT, v1=6),
    "line-side": lambda m: line(m, LEFT, front=40000),
    "side-sector": lambda m: side(m, LEFT, sector=2),
    "line-no-front": lambda m: line(m, OPENING, front=None),
    "line-no-sides": lambda m: line(m, LEFT, front=None),
    "side-shared": lambda m: line(m, 1, front=0),
    "line-zero-length": lambda m: line(m, LEFT, v2=0),
    "lines-crossing": lambda m: path(m, (128, 128), (300, 120)),
    "lines-overlapping": lambda m: twice(m, LEFT),
    "vertex-on-line": lambda m: path(m, (128, 128), (256, 100)),
    "vertex-duplicate": lambda m: m._replace(vertices=[*m.vertices[:5], m.vertices[0]]),
    "vertex-unused": lambda m: m._replace(vertices=[*m.vertices, Vertex(100, 100)]),
    "sector-unclosed": lambda m: side(m, LEFT, sector=1),
    "sector-unconnected": add_room,
    "sector-ceiling-low": lambda m: sector(m, 1, ceiling_height=-1),
    "line-two-sided-flag": lambda m: line(m, LEFT, flags=5),
    "line-not-blocking": lambda m: line(m, LEFT, flags=0),
    "texture-unknown": lambda m: side(m, LEFT, middle=b"NOWALL"),
    "flat-unknown": lambda m: sector(m, 0, floor=b"WALL"),
    "texture-missing-middle": lambda m: side(m, LEFT, middle=b"-"),
    "texture-missing-lower": lambda m: sector(m, 1, floor_height=8),
    "texture-missing-upper": lambda m: sector(m, 1, ceiling_height=120),
    "medusa": lambda m: side(m, OPENING, middle=b"GRATE"),
    "tutti-frutti": lambda m: side(m, LEFT, middle=b"SHORT"),
    "switch-twice": lambda m: side(m, EXIT, upper=b"SW1ONE", middle=b"SW1ONE"),
    "start-missing": lambda m: m._replace(things=[Thing(64, 128, 0, 2, 7)]),
    "thing-unknown": lambda m: things(m, Thing(128, 128, 0, 4001, 7)),
    "thing-stuck": lambda m: things(m, Thing(11, 128, 0, 3001, 7)),
    "thing-outside": lambda m: things(m, Thing(600, 128, 0, 3001, 7)),
    "deathmatch-starts": lambda m: things(m, *[Thing(128, 128, 0, 11, 7)] * 11),
    "special-unknown": lambda m: line(m, LEFT, special=78, tag=1),
    "sector-type-unknown": lambda m: sector(m, 0, special=15),
    "tag-missing": lambda m: line(m, LEFT, special=38),
    "tag-without-sector": lambda m: line(m, LEFT, special=38, tag=1),
    "door-one-sided": lambda m: line(m, LEFT, special=1),
    "sector-tag-unused": lambda m: sector(m, 0, tag=1),
    "line-tag-unused": lambda m: line(m, LEFT, tag=1),
    "key-missing": lambda m: line(m, OPENING, special=26),
    "teleport-without-destination": lambda m: sector(line(m, OPENING, special=97, tag=1), 1, tag=1),
    "teleport-on-some-skills": lambda m: things(
        sector(line(m, OPENING, special=97, tag=1), 1, tag=1), Thing(384, 128, 0, 14, 6)
    ),
    "exit-missing": lambda m: line(m, EXIT, special=0),
    "exit-unconnected": exit_in_third_room,
    "nodes-missing": lambda m: lumps(m, SEGS=b"", SSECTORS=b"", NODES=b""),
    "nodes-format": lambda m: lumps(m, SEGS=b"", NODES=b"XNOD", SSECTORS=b""),
    "seg-reference": lambda m: lumps(m, SEGS=struct.pack("<H", 40000) + checked_map.segs()[2:]),
    "subsector-reference": lambda m: lumps(m, SSECTORS=struct.pack("<4H", 4, 0, 4, 5)),
    "node-tree": lambda m: lumps(m, NODES=checked_map.node()[:-2] + b"\0\x80"),
    "seg-side": lambda m: lumps(m, SEGS=checked_map.segs()[:8] + b"\1" + checked_map.segs()[9:]),
    "reject-size": lambda m: lumps(m, REJECT=b""),
    "reject-long": lambda m: lumps(m, REJECT=bytes(2)),
    "reject-hides": lambda m: lumps(m, REJECT=b"\6"),
    "blockmap-empty": lambda m: lumps(m, BLOCKMAP=b""),
    "blockmap-extended": lambda m: lumps(m, BLOCKMAP=b"XBM1" + bytes(16)),
    "blockmap-truncated": lambda m: lumps(m, BLOCKMAP=m.lumps["BLOCKMAP"][:20]),
    "blockmap-offset": lambda m: blockmap(m, put(4, 0x8447)),
    "blockmap-unended": lambda m: blockmap(m, lambda words: words[:-1]),
    "blockmap-line": lambda m: blockmap(m, lambda words: put(words[4] + 1, 0xFEFF)(words)),
    "blockmap-no-zero": lambda m: blockmap(m, lambda words: put(5, words[5] + 1)(words)),
    "blockmap-tangled": lambda m: blockmap(m, tangled),
    "blockmap-grid": lambda m: blockmap(m, put(0, 200)),
    "blockmap-missing": lambda m: blockmap(m, lambda words: put(words[4] + 1, 6)(words)),
    "blockmap-line-absent": lambda m: long_line(m, (60, 60)),
    "blockmap-sliver": sliver,
    "blockmap-extra": lambda m: blockmap(m, lambda words: put(words[4] + 1, 6)(words)),
    "blockmap-wide": lambda m: blockmap(m, lambda words: [0, 0, 512, 1, *[516] * 512, 0, 0xFFFF]),
    "limit-blockmap": lambda m: lumps(m, BLOCKMAP=m.lumps["BLOCKMAP"] + bytes(65536)),
    "limit-segs": lambda m: lumps(m, SEGS=bytes(12 * 32768)),
    "limit-sides": lambda m: m._replace(sides=[*m.sides, *[m.sides[0]] * 32760]),
    "limit-vertices": lambda m: m._replace(vertices=[*m.vertices, *[Vertex(0, 0)] * 32762]),
    "limit-size": lambda m: long_line(m, (-32700, 40)),
    "limit-platforms": lambda m: line(with_sectors(m, 31, 1), LEFT, special=62, tag=1),
    "limit-scrollers": lambda m: with_lines(m, 65, 48),
}
NEED_OTHER_CALLS = {"map-repeated", "ignore-unused", *OF_BUILDS}
RECORDED = {"record-missing": NOT_RECORDED, "record-changed": CHANGED, "record-renumbered": RENUMBERED}


def ids(findings: list[MapFinding]) -> list[str]:
    return sorted({finding.id for finding in findings})


def test_in_the_map_as_it_is_nothing_is_found() -> None:
    for target in TARGETS:
        assert all_findings(clean(), CheckContext(target=target, textures=CONTEXT.textures)) == []


def test_each_id_has_a_mutation() -> None:
    assert set(MUTATIONS) | NEED_OTHER_CALLS | set(RECORDED) == set(IDS)


@pytest.mark.parametrize("id_", RECORDED)
def test_what_a_record_says_is_told(id_: str) -> None:
    context = CheckContext(textures=CONTEXT.textures, recorded=RECORDED[id_])
    (found,) = all_findings(clean(), context)
    assert (found.id, found.level) == (id_, "warning")
    assert "`lumpyard map FILE --record`" in found.message
    assert all_findings(clean(), CheckContext(textures=CONTEXT.textures, recorded=SAME)) == []


@pytest.mark.parametrize("id_", MUTATIONS)
def test_a_mutation_turns_its_check_on(id_: str) -> None:
    found = [finding for finding in all_findings(MUTATIONS[id_](clean()), CONTEXT) if finding.id == id_]
    assert found, ids(all_findings(MUTATIONS[id_](clean()), CONTEXT))
    assert {finding.level for finding in found} == {BY_ID[id_].level}
    assert all("\n" not in finding.message and len(finding.message) < 200 for finding in found)


@pytest.mark.parametrize(
    "check", [check for check in CHECKS if check.targets != TARGETS], ids=lambda check: check.id
)
def test_what_matters_for_some_targets_is_not_told_for_others(check: object) -> None:
    id_ = getattr(check, "id")  # noqa: B009
    level = MUTATIONS[id_](clean())
    for target in TARGETS:
        found = all_findings(level, CheckContext(target=target, textures=CONTEXT.textures))
        assert (id_ in ids(found)) == (target in BY_ID[id_].targets)


def test_two_maps_of_one_name_are_an_error_that_tells_both() -> None:
    places = [
        MapPlace("MAP01", DOOM, 0, {}),
        MapPlace("MAP02", DOOM, 11, {}),
        MapPlace("map01", DOOM, 22, {}),
    ]
    one, other, (found,) = check_names(places)
    assert one == other == []
    assert (found.id, found.level) == ("map-repeated", "error")
    assert "entries 0 and 22" in found.message


def test_an_ignore_that_fits_nothing_is_a_warning() -> None:
    context = CheckContext(
        textures=CONTEXT.textures, ignores=[Ignore("thing-stuck", "it is meant to be", 1, 2)]
    )
    (found,) = check_map(clean(), context)
    assert (found.id, found.level, found.x, found.y) == ("ignore-unused", "warning", 1, 2)


def test_an_ignore_of_several_maps_is_told_once_where_none_of_them_has_it() -> None:
    """ "An ignore that nothing is found for is a finding, so the list does not outlive its reasons." """
    ignores = [
        Ignore("thing-stuck", "wherever it is"),
        Ignore("thing-stuck", "in some map", 1, 2),
        Ignore("thing-stuck", "in one map", map="map02"),
        Ignore("thing-stuck", "in a map of another file", map="MAP09"),
        Ignore("reject-stale", "only builds find it", 1, 2),
    ]
    context = CheckContext(textures=CONTEXT.textures, ignores=ignores)
    ignoring = Ignoring(ignores)
    assert check_map(clean(), context, ignoring=ignoring) == []
    (second,) = check_map(clean()._replace(name="MAP02"), context, ignoring=ignoring)
    assert (second.id, "in one map" in second.message) == ("ignore-unused", True)
    (last,) = ignoring.unused()
    assert last.message == "nothing to ignore: no thing-stuck is found there (in some map)"
    stuck = found("thing-stuck", "a thing", "thing", 0, (1, 2))
    assert check_map(clean(), context, [stuck], ignoring) == []
    assert ignoring.unused() == []
    built = check_map(clean(), CheckContext(textures=CONTEXT.textures, ignores=ignores[-1:]), built=True)
    assert [each.id for each in built] == ["ignore-unused"]
