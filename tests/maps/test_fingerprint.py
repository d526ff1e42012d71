"""A fingerprint knows what a map is, and no numbers."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from tests.builders import doom_map, judges

from lumpyard.maps.fingerprint import fingerprint
from lumpyard.maps.model import DoomMap, Line, Sector, Side, Vertex
from lumpyard.maps.reading import read_lumps

SMALL = read_lumps("MAP01", doom_map.DOOM)
HEXEN = read_lumps("MAP01", doom_map.HEXEN_MAP)
UDMF = read_lumps("MAP01", {"TEXTMAP": doom_map.udmf_text(), "ENDMAP": b""})
MAPS = {"doom": SMALL, "hexen": HEXEN, "udmf": UDMF}


def renumbered(found: DoomMap, seed: int) -> DoomMap:
    """All records in another order, and a few that nothing uses between them."""
    shuffle = random.Random(seed)

    def order(length: int) -> list[int]:
        return shuffle.sample(range(length), length)

    vertices, sides, sectors = order(len(found.vertices)), order(len(found.sides)), order(len(found.sectors))
    at = {old: new for new, old in enumerate(vertices)}
    side_at = {old: new for new, old in enumerate(sides)}
    sector_at = {old: new for new, old in enumerate(sectors)}
    lines = [
        line._replace(
            v1=at[line.v1],
            v2=at[line.v2],
            front=None if line.front is None else side_at[line.front],
            back=None if line.back is None else side_at[line.back],
        )
        for line in found.lines
    ]
    shuffle.shuffle(lines)
    return found._replace(
        things=[found.things[old] for old in order(len(found.things))],
        lines=[*lines, Line(0, 0, 0, 0, 0, None, None)],
        sides=[found.sides[old]._replace(sector=sector_at[found.sides[old].sector]) for old in sides]
        + [UNUSED_SIDE],
        vertices=[found.vertices[old] for old in vertices] + [Vertex(999, 999)],
        sectors=[found.sectors[old] for old in sectors] + [Sector(1, 2, b"", b"", 0, 0, 0)],
        lumps={},
        nodes="none",
    )


UNUSED_SIDE = Side(0, 0, b"", b"", b"", 0)


@pytest.mark.parametrize("form", MAPS)
@pytest.mark.parametrize("seed", range(5))
def test_renumbering_does_not_change_it(form: str, seed: int) -> None:
    """The law: neither order nor numbers of records, nor records that nothing uses, nor a line without length."""
    assert fingerprint(renumbered(MAPS[form], seed)) == fingerprint(MAPS[form])


def test_renumbering_does_not_change_it_in_a_large_map_with_lines_that_lie_on_one_another() -> None:
    """E3M6 has two lines that are the same."""
    found = read_lumps("E3M6", doom_map.maps_of(judges.game("freedoom1"))["E3M6"])
    assert fingerprint(renumbered(found, 1)) == fingerprint(found)


@pytest.mark.parametrize("form", MAPS)
def test_every_field_of_every_record_changes_it(form: str) -> None:
    found = MAPS[form]
    seen = {fingerprint(found)}
    changes = 1
    for field in ("things", "lines", "sides", "vertices", "sectors"):
        records = getattr(found, field)
        for number, record in enumerate(records):
            for name, value in zip(record._fields, record, strict=True):
                if field == "lines" and name in {"v1", "v2", "front", "back"}:
                    continue  # numbers
                changed = [*records]
                changed[number] = record._replace(**{name: other(value)})
                new: dict[str, Any] = {field: changed}
                seen.add(fingerprint(found._replace(**new)))
                changes += 1
    assert len(seen) == changes


def other(value: object) -> object:
    if isinstance(value, bytes):
        return value + b"x"
    if isinstance(value, tuple):
        return (*value, 1)
    if isinstance(value, dict):
        return {**value, "new": 0.5}
    assert isinstance(value, int | float)
    return value + 1


@pytest.mark.parametrize(
    "changed",
    [
        SMALL._replace(things=SMALL.things[:2]),
        SMALL._replace(lines=SMALL.lines[1:]),
        SMALL._replace(
            lines=[SMALL.lines[0]._replace(v1=SMALL.lines[0].v2, v2=SMALL.lines[0].v1), *SMALL.lines[1:]]
        ),
        SMALL._replace(lines=[*SMALL.lines[:6], SMALL.lines[6]._replace(front=7, back=6)]),
        SMALL._replace(format="hexen"),
        UDMF,
        UDMF._replace(namespace="doom"),
        UDMF._replace(extra={"x": 1}),
        UDMF._replace(extra={"x": True}),
        UDMF._replace(vertex_extra={3: {"zfloor": 1.0}}),
    ],
)
def test_what_else_changes_it(changed: DoomMap) -> None:
    assert fingerprint(changed) != fingerprint(SMALL)
    assert changed is UDMF or fingerprint(changed) != fingerprint(UDMF)


def test_sectors_that_say_the_same_are_told_apart() -> None:
    """Two rooms of one sector are another map than two rooms of two sectors, though each side says the same."""
    same = SMALL._replace(sectors=[SMALL.sectors[0]] * 2)
    joined = same._replace(sides=[side._replace(sector=0) for side in SMALL.sides])
    assert fingerprint(joined) != fingerprint(same)


def test_what_is_no_content_does_not_change_it() -> None:
    junk = {
        **doom_map.DOOM,
        "SECTORS": doom_map.DOOM["SECTORS"].replace(b"F_SKY1\0\0", b"F_SKY1\0x"),
        "REJECT": b"",
    }
    assert junk["SECTORS"] != doom_map.DOOM["SECTORS"]
    assert fingerprint(read_lumps("OTHER", junk)) == fingerprint(SMALL)
    spelled = doom_map.udmf_text().replace(b".5;", b".50;").replace(b".0;", b".000;")
    assert fingerprint(read_lumps("MAP01", {"TEXTMAP": spelled})) == fingerprint(UDMF)


def test_numbers_that_lead_nowhere_have_a_fingerprint_too() -> None:
    broken = SMALL._replace(vertices=[], sectors=[], sides=SMALL.sides[:2])
    assert re.fullmatch(r"[0-9a-f]{64}", fingerprint(broken))
    assert fingerprint(broken) != fingerprint(SMALL)


def test_it_is_the_same_on_every_machine() -> None:
    """A fingerprint may be kept: this one must not change unless its version does."""
    assert fingerprint(SMALL) == "270e0d0128a4c1dbf45d64cbcb295c4e4bd9d759d1f4aeb1abb35b9a7d0c16e8"


def test_all_maps_of_a_game_differ() -> None:
    lumps_of = doom_map.maps_of(judges.game("freedm"))
    found = {fingerprint(read_lumps("", lumps)) for lumps in lumps_of.values()}
    assert len(found) == len(lumps_of) == 32
