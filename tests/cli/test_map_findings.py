"""`lumpyard map`: what it finds in maps, in which words and for which programs, and what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.builders import doom_map, plain
from tests.builders.map_wads import SMALL, map_wad

from lumpyard.maps.checks import IDS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def test_errors_are_1_and_name_object_place_and_check(run: Run, castle: Path) -> None:
    ran = run("map", castle)
    assert ran.status == 1
    assert "MAP02: Doom format, 8 lines, 2 sectors, vanilla nodes: 1 error" in ran.out
    assert "  error: " in ran.out
    assert "[line-zero-length]" in ran.out
    assert ", at (0, 256)" in ran.out
    assert ran.out.splitlines()[-1].startswith("2 maps checked: 1 error")


def test_a_map_without_errors_is_0(run: Run, castle: Path) -> None:
    assert run("map", castle, "MAP01").status == 0
    assert run("map", castle, "map*1").status == 0


def test_findings_for_programs(run: Run, castle: Path) -> None:
    ran = run("map", castle, "--json")
    assert ran.status == 1
    first, second = ran.json
    assert (first["map"], first["format"], first["nodes"], first["gl_nodes"]) == (
        "MAP01",
        "doom",
        "vanilla",
        "none",
    )
    assert len(first["fingerprint"]) == 64
    found = next(each for each in second["findings"] if each["level"] == "error")
    assert found == {
        "id": "line-zero-length",
        "level": "error",
        "message": found["message"],
        "object": "line",
        "number": 7,
        "x": 0,
        "y": 256,
    }
    assert run("map", castle, "--format", "json").stdout == ran.stdout
    assert {each["id"] for level in ran.json for each in level["findings"]} <= {*IDS}


def test_findings_for_workflows_and_code_scanning(run: Run, castle: Path) -> None:
    ran = run("map", castle, "--format", "github", "--level", "info")
    assert ran.status == 1
    lines = ran.out.splitlines()
    assert any(line.startswith(f"::error file={castle},title=line-zero-length::MAP02: ") for line in lines)
    assert any(line.startswith("::notice file=") for line in lines)
    (log,) = run("map", castle, "--format", "sarif", "--level", "info").json["runs"]
    levels = {result["ruleId"]: result["level"] for result in log["results"]}
    assert levels["line-zero-length"] == "error"
    assert "note" in levels.values()


def test_levels_below_the_one_asked_for_are_counted_only(run: Run, castle: Path) -> None:
    assert "not listed: --level info" in run("map", castle).out
    assert "not listed" not in run("map", castle, "--level", "info").out
    assert "warning:" not in run("map", castle, "--level", "error").out


def test_a_finding_can_be_ignored_by_id_and_place(run: Run, castle: Path) -> None:
    assert run("map", castle, "MAP02", "--ignore", "line-zero-length").status == 0
    assert run("map", castle, "MAP02", "--ignore", "line-zero-length@0,256").status == 0
    elsewhere = run("map", castle, "MAP02", "--ignore", "line-zero-length@1,256")
    assert elsewhere.status == 1
    assert "ignore-unused" in elsewhere.out
    everywhere = run("map", castle, "--ignore", "line-zero-length@1,256", "--ignore", "thing-stuck")
    assert everywhere.out.count("ignore-unused") == 1


def test_textures_are_looked_up_where_a_base_says_which_there_are(
    run: Run, castle: Path, tmp_path: Path
) -> None:
    base = tmp_path / "base.wad"
    base.write_bytes(plain.wad([(b"F_START", b""), (b"FLOOR4_8", b"x"), (b"F_END", b"")], b"IWAD"))
    assert "flat-unknown" not in run("map", castle, "MAP01").out
    ran = run("map", castle, "MAP01", "--base", base)
    assert ran.status == 1
    assert "NUKAGE1" in ran.out
    assert "FLOOR4_8" not in ran.out


def test_two_maps_of_one_name_are_an_error(run: Run, tmp_path: Path) -> None:
    """ "Duplicate map names: error, show both indices"."""
    path = tmp_path / "twice.wad"
    path.write_bytes(map_wad({"MAP01": SMALL, b"map01": SMALL}))
    ran = run("map", path, "--json")
    assert ran.status == 1
    assert [each["id"] for each in ran.json[1]["findings"]][:1] == ["map-repeated"]
    assert "map-repeated" not in [each["id"] for each in ran.json[0]["findings"]]


def test_numbers_are_told(run: Run, castle: Path) -> None:
    ran = run("map", castle, "MAP01", "--stats")
    assert ran.status == 0
    assert "512 by 256 units" in ran.out
    assert "1 secret, 2 lines with a special" in ran.out
    data = run("map", castle, "MAP01", "--stats", "--json").json[0]["statistics"]
    assert data["records"]["lines"] == 7
    assert data["kinds"]["monster"]["single"] == {"easy": 0, "medium": 0, "hard": 1}
    assert data["limits"][0] == {"name": "lines", "used": 7, "most": 32767, "percent": 0.0}


def test_a_finding_says_its_place_once_and_no_number_that_stands_for_none(run: Run, tmp_path: Path) -> None:
    text = (
        doom_map.udmf_text().replace(b"sector = 1;", b"sector = -1;", 1).replace(b"v1 = 5;", b"v1 = -3;", 1)
    )
    path = tmp_path / "castle.udmf"
    path.write_bytes(text)
    out = run("map", path).out
    assert "  error: line 0 starts at no vertex; vertices are 0 to 5 [line-vertex]" in out
    assert "faces no sector; sectors are 0 to 1, at (256, 256) [side-sector]" in out
    assert "its lines leave a gap (and 1 more), at (256, 256) [sector-unclosed]" in out
    points = [*doom_map.VERTICES, (0, 256), (900, 900)]
    rows = [*doom_map.LINES, (6, 1, 1, 0, 0, 0, 0xFFFF)]
    more = {"VERTEXES": doom_map.table("VERTEXES", points), "LINEDEFS": doom_map.table("LINEDEFS", rows)}
    placed = [(2000, 0, 0, 3001, 7), (5, 64, 0, 1, 7)]
    castle = tmp_path / "castle.wad"
    castle.write_bytes(map_wad({"MAP01": {**SMALL, **more, "THINGS": doom_map.table("THINGS", placed)}}))
    for line in run("map", castle, "--level", "info").out.splitlines():
        assert line.count("at (") <= 1, line
