"""`lumpyard map --build` and `--record`: WADs whose maps have nodes, and what of them is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.builders import doom_map, plain
from tests.builders import wad as tests_wad
from tests.builders.map_wads import BARRED, SMALL, map_wad

from lumpyard.cli import map_arguments
from lumpyard.maps import building
from lumpyard.maps.reading import read_lumps

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def test_what_a_build_tells_can_be_ignored_too(run: Run, castle: Path) -> None:
    made = building.build(read_lumps("MAP01", SMALL), building.BuildOptions("build", reject="islands"))
    castle.write_bytes(map_wad({"MAP01": {**made, "REJECT": b"\x06"}}))
    words = ("map", castle, "--build", "--nodes", "keep", "-o", castle.parent / "out.wad")
    ran = run(*words)
    assert (ran.status, ran.err.count("[reject-stale]")) == (0, 1)
    assert run(*words, "--ignore", "reject-stale").err == ""
    assert "ignore-unused" not in run("map", castle, "--ignore", "reject-stale@1,2").out


def test_a_wad_is_built_whose_other_lumps_are_as_they_were(run: Run, tmp_path: Path) -> None:
    """GL nodes of the old nodes go with them, and other maps stay."""
    gl = [(b"GL_MAP01", b"x"), *((name, b"") for name in (b"GL_VERT", b"GL_SEGS", b"GL_SSECT", b"GL_NODES"))]
    entries = [
        (b"PLAYPAL", b"p"),
        *tests_wad.lumps(map_wad({"MAP01": doom_map.EDITED})),
        *gl,
        *tests_wad.lumps(map_wad({"map02": SMALL})),
        (b"TITLEPIC\0", b"t"),
    ]
    path, out = tmp_path / "in.wad", tmp_path / "out.wad"
    path.write_bytes(plain.wad(entries, b"IWAD"))
    ran = run("map", path, "MAP01", "--build", "-o", out)
    assert ran.status == 0
    assert ran.out.splitlines()[0] == "MAP01: nodes built, BLOCKMAP built, REJECT islands"
    data = out.read_bytes()
    assert data[:4] == b"IWAD"
    found = tests_wad.lumps(data)
    ten = [name.encode() for name in doom_map.ORDER if name != "BEHAVIOR"]
    assert [name for name, _ in found] == [b"PLAYPAL", b"MAP01", *ten, b"map02", *ten, b"TITLEPIC"]
    made = dict(found[2:12])
    assert {name: made[name.encode()] for name in doom_map.EDITED} == doom_map.EDITED
    assert made[b"NODES"]
    assert found[13:23] == [(name.encode(), data) for name, data in SMALL.items()]
    again = run("map", path, "MAP01", "--build", "-o", out, "--json")
    assert again.json == [{"map": "MAP01", "nodes": "built", "blockmap": "built", "reject": "islands"}]
    assert out.read_bytes() == data
    assert run("map", out, "--compare", path).out == "nothing changed\n"


def test_a_lump_that_a_map_has_twice_is_told_when_the_second_goes(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "in.wad", tmp_path / "out.wad"
    entries = tests_wad.lumps(map_wad({"MAP01": SMALL}))
    first = dict(entries)[b"SIDEDEFS"]
    path.write_bytes(plain.wad([*entries, (b"SIDEDEFS", b"second"), (b"REJECT", b""), (b"TITLEPIC", b"t")]))
    ran = run("map", path, "--build", "-o", out)
    assert ran.status == 0
    told = "once more; only the first of them is written"
    assert ran.err.splitlines()[-2:] == [  # behind what any command says of such a WAD
        f"lumpyard: warning: {path}: MAP01: entry {len(entries)} is SIDEDEFS {told}",
        f"lumpyard: warning: {path}: MAP01: entry {len(entries) + 1} is REJECT {told}",
    ]
    made = tests_wad.lumps(out.read_bytes())
    assert [data for name, data in made if name == b"SIDEDEFS"] == [first]
    assert made[-1] == (b"TITLEPIC", b"t")
    again = run("map", out, "--build", "-o", tmp_path / "again.wad")
    assert (again.status, again.err) == (0, "")


def test_what_cannot_be_built_writes_nothing(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "in.wad", tmp_path / "out.wad"
    leafs = {**SMALL, "LEAFS": b"", "LIGHTS": b""}
    path.write_bytes(map_wad({"MAP01": SMALL, "MAP02": leafs}))
    ran = run("map", path, "--build", "-o", out)
    assert ran.status == 4
    assert "[map-format]" in ran.err
    assert f"{out}: nothing is written" in ran.err
    assert not out.exists()
    text = tmp_path / "inn.udmf"
    text.write_bytes(doom_map.udmf_text())
    ran = run("map", text, "--build", "-o", out)
    assert (ran.status, ran.err) == (2, f"lumpyard: error: --build is for IWAD and PWAD; {text} is a text\n")


def test_udmf_maps_stay_as_they_are(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "in.wad", tmp_path / "out.wad"
    path.write_bytes(map_wad({"MAP01": {"TEXTMAP": doom_map.udmf_text(), "DIALOGUE": b"d", "ENDMAP": b""}}))
    ran = run("map", path, "--build", "-o", out)
    assert ran.status == 0
    assert "UDMF's nodes are not built here" in ran.err
    assert tests_wad.lumps(out.read_bytes()) == tests_wad.lumps(path.read_bytes())


def test_what_can_be_built_is_what_the_builder_knows() -> None:
    assert set(map_arguments.NODES) == set(building.NODES) - {"zdbsp"}
    assert set(map_arguments.EXTENDED) == set(building.EXTENDED)
    assert set(map_arguments.REJECT) == set(building.REJECT)


def test_what_is_recorded_is_kept_until_the_map_is_changed(run: Run, castle: Path) -> None:
    """ "Keep is right only while the map's fingerprint … is unchanged" """
    ran = run("map", castle, "--record")
    beside = castle.parent / "castle.fingerprints"
    assert (ran.status, ran.out) == (0, f"{beside}: 2 maps recorded\n")
    assert [line[130:] for line in beside.read_text().splitlines()[2:]] == ["MAP01", "MAP02"]
    assert "record-" not in run("map", castle).out
    moved = doom_map.table("THINGS", [*doom_map.THINGS, (100, 100, 0, 2011, 7)])
    castle.write_bytes(map_wad({"MAP01": {**SMALL, "THINGS": moved}, "MAP02": BARRED, "MAP03": SMALL}))
    ran = run("map", castle)
    assert ran.out.count("[record-changed]") == ran.out.count("[record-missing]") == 1
    built = castle.parent / "out.wad"
    ran = run("map", castle, "--build", "--nodes", "keep", "-o", built)
    assert ran.status == 0
    assert ran.out.splitlines()[:3] == [
        "MAP01: nodes built, BLOCKMAP built, REJECT islands",
        "MAP02: nodes kept, BLOCKMAP kept, REJECT kept",
        "MAP03: nodes built, BLOCKMAP built, REJECT islands",
    ]
    assert ran.err.count("lumpyard: warning: ") == 2
    assert "MAP01: the map was changed since its fingerprint was recorded" in ran.err


def test_one_map_is_recorded_beside_those_that_are(run: Run, castle: Path) -> None:
    beside = castle.parent / "castle.fingerprints"
    run("map", castle, "MAP01", "--record")
    first = beside.read_text().splitlines()
    assert [line[130:] for line in first[2:]] == ["MAP01"]
    ran = run("map", castle, "MAP02", "--record", "--json")
    assert [sorted(each) for each in ran.json] == [["fingerprint", "map", "table"]]
    assert beside.read_text().splitlines()[:3] == first
    assert ran.json[0]["fingerprint"] in beside.read_text().splitlines()[3]


def test_a_broken_file_of_fingerprints_is_3_with_its_line(run: Run, castle: Path) -> None:
    beside = castle.parent / "castle.fingerprints"
    beside.write_text("lumpyard fingerprints 1\n<<<<<<< HEAD\n")
    for words in ([], ["--build", "-o", castle.parent / "out.wad"], ["MAP01", "--record"]):
        ran = run("map", castle, *words)
        assert ran.status == 3
        assert ran.err.startswith(f"lumpyard: error: {beside}: line 2 is '<<<<<<< HEAD'")


def test_what_is_recorded_against_all_signs_is_told(run: Run, castle: Path) -> None:
    castle.write_bytes(map_wad({"MAP01": {**SMALL, "REJECT": b"\x06", "NODES": bytes(28)}}))
    ran = run("map", castle, "--record")
    assert ran.status == 0
    assert "its nodes do not fit it; they are built anew, whatever is recorded" in ran.err
    assert "REJECT hides 1 pair of sectors that share an open line" in ran.err
