"""`lumpyard map`: checks, pictures, numbers and changes of maps, and what it says where there is nothing to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import doom_map, ewad, plain
from tests.builders import wad as tests_wad
from xxhash import xxh64_intdigest

from lumpyard.cli import map_arguments
from lumpyard.maps import building
from lumpyard.maps.checks import IDS
from lumpyard.maps.reading import read_lumps

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.cli.conftest import Run

SMALL = doom_map.DOOM
BARRED = {**SMALL, "LINEDEFS": doom_map.table("LINEDEFS", [*doom_map.LINES, (0, 0, 1, 0, 0, 0, 0xFFFF)])}
HOSTILE = b"\x1b[31m\xff`"


def wad(maps: Mapping[str | bytes, Mapping[str, bytes]], signature: bytes = b"PWAD") -> bytes:
    entries = []
    for name, lumps in maps.items():
        entries.append((name if isinstance(name, bytes) else name.encode(), b""))
        entries += [(lump.encode(), data) for lump, data in lumps.items()]
    return plain.wad(entries, signature)


def things(*rows: tuple[int, ...]) -> bytes:
    return doom_map.table("THINGS", rows)


@pytest.fixture
def castle(tmp_path: Path) -> Path:
    path = tmp_path / "castle.wad"
    path.write_bytes(wad({"MAP01": SMALL, "MAP02": BARRED}))
    return path


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


def test_a_map_that_is_not_there_is_1_and_a_near_name_is_told(run: Run, castle: Path) -> None:
    ran = run("map", castle, "MAP03")
    assert (ran.status, ran.out) == (1, "")
    assert "no map 'MAP03'; " in ran.err
    assert "it has MAP01, MAP02" in run("map", castle, "[").err


def test_a_file_without_maps_is_1(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "no.wad"
    path.write_bytes(plain.wad([(b"TITLEPIC", b"x")]))
    ran = run("map", path)
    assert (ran.status, ran.err) == (1, f"lumpyard: error: {path}: there are no maps in it\n")


def test_what_is_no_archive_is_3(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "no.wad"
    path.write_bytes(b"nothing")
    assert run("map", path).status == 3


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


def test_what_a_build_tells_can_be_ignored_too(run: Run, castle: Path) -> None:
    made = building.build(read_lumps("MAP01", SMALL), building.BuildOptions("build", reject="islands"))
    castle.write_bytes(wad({"MAP01": {**made, "REJECT": b"\x06"}}))
    words = ("map", castle, "--build", "--nodes", "keep", "-o", castle.parent / "out.wad")
    ran = run(*words)
    assert (ran.status, ran.err.count("[reject-stale]")) == (0, 1)
    assert run(*words, "--ignore", "reject-stale").err == ""
    assert "ignore-unused" not in run("map", castle, "--ignore", "reject-stale@1,2").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ignore", "line-zero-lenght"], "did you mean 'line-zero-length'"),
        (["--ignore", "line-zero-length@1"], "id@x,y"),
        (["-o", "a.gif"], "a.gif is to be a picture, so its name must end with .svg or .png"),
        (["--build"], "--build needs -o FILE"),
        (["--build", "-o", "a.svg"], "--build writes a WAD, not a.svg"),
        (["--markdown"], "--markdown is for --compare"),
        (["-o", "a.svg", "--skill", "6"], "--skill is 1 to 5, not 6"),
        (
            ["MAP01", "--theme", "dark"],
            "--theme is for pictures, and needs -o FILE, whose name ends with .svg or .png",
        ),
        (["--reject-from", "0"], "--reject-from is for pictures, and needs -o FILE"),
        (["--stats", "--layers", "grid"], "--layers is for pictures"),
        (["--compare", "x.wad", "--size", "800"], "--size is for pictures"),
        (["--build", "-o", "o.wad", "--fill", "tags"], "--fill is for pictures"),
        (["--nodes", "keep"], "--nodes is for --build"),
        (["-o", "a.svg", "MAP01", "--reject", "sight"], "--reject is for --build"),
        (["--record", "-o", "a.svg"], "--record writes a file beside the archive, and goes without -o"),
        (["--record", "--stats"], "--record and --stats do not go together"),
        (["--record", "--format", "sarif"], "--record and --format sarif do not go together"),
        (["-o", "a.svg"], "2 maps do not fit into one picture"),
        (["MAP01", "-o", "a.svg", "--layers", "walls,+grid"], "either all names have + or -"),
        (["MAP01", "-o", "a.svg", "--layers", "wall"], "no layer 'wall'; there are sectors, "),
        (["MAP01", "-o", "a.svg", "--size", "9999999"], "the size of a picture is "),
        (["--target", "quake"], "invalid choice"),
        (
            ["--compare", "x.wad", "--format", "sarif"],
            "--compare goes with --format text and json, and sarif with checks",
        ),
        (
            ["--stats", "--format", "github"],
            "--stats goes with --format text and json, and github with checks",
        ),
        (["--stats", "--format", "sarif"], "--stats and --format sarif do not go together"),
        (["--build", "-o", "o.wad", "--format", "github"], "--build and --format github do not go together"),
        (["MAP01", "-o", "a.svg", "--format", "github"], "-o and --format github do not go together"),
    ],
)
def test_a_usage_mistake_is_2(
    run: Run, castle: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(castle.parent)
    before = sorted(castle.parent.iterdir())
    ran = run("map", castle, *words)
    assert ran.status == 2
    assert message in ran.err
    assert sorted(castle.parent.iterdir()) == before


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
    path.write_bytes(wad({"MAP01": SMALL, b"map01": SMALL}))
    ran = run("map", path, "--json")
    assert ran.status == 1
    assert [each["id"] for each in ran.json[1]["findings"]][:1] == ["map-repeated"]
    assert "map-repeated" not in [each["id"] for each in ran.json[0]["findings"]]


def test_a_picture_is_drawn(run: Run, castle: Path, tmp_path: Path) -> None:
    for name, start in (("a.svg", b"<svg"), ("a.PNG", b"\x89PNG")):
        out = tmp_path / name
        ran = run(
            "map", castle, "MAP01", "-o", out, "--size", 320, "--layers", "+grid,-things", "--theme", "dark"
        )
        assert ran.status == 0
        assert start in out.read_bytes()[:200]
        assert ran.out.startswith(f"{out}: MAP01, ")


def test_a_picture_of_each_map(run: Run, castle: Path, tmp_path: Path) -> None:
    assert run("map", castle, "-o", tmp_path / "{map}.svg", "--size", 320).status == 0
    assert {path.name for path in tmp_path.glob("*.svg")} == {"MAP01.svg", "MAP02.svg"}
    again = run("map", castle, "MAP02", "-o", tmp_path / "{map}.svg", "--size", 320, "--json").json
    assert again == [{"map": "MAP02", "picture": str(tmp_path / "MAP02.svg")}]


def test_maps_of_one_name_have_pictures_of_two(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "twice.wad"
    path.write_bytes(wad({"MAP01": SMALL, b"map01": SMALL}))
    assert run("map", path, "-o", tmp_path / "{map}.svg", "--size", 320).status == 0
    assert {each.name for each in tmp_path.glob("*.svg")} == {"MAP01.svg", "map01~2.svg"}


def test_names_of_maps_do_nothing_to_terminals_files_and_pictures(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "hostile.wad"
    path.write_bytes(wad({HOSTILE: SMALL, b"../../x": SMALL, b"CON": SMALL}))
    ran = run("map", path, "--level", "info")
    assert b"\x1b" not in ran.stdout + ran.stderr
    assert "\\x1b[31m\\xff`: Doom format" in ran.out
    folder = tmp_path / "pictures"
    folder.mkdir()
    assert run("map", path, "-o", folder / "{map}.svg", "--size", 320).status == 0
    assert {each.name for each in folder.iterdir()} == {
        "%1B[31m%FF`.svg",
        "%2E%2E%2F%2E%2E%2Fx.svg",
        "%43ON.svg",
    }
    assert all(b"\x1b" not in each.read_bytes() for each in folder.iterdir())
    for words in (["--stats"], ["--json"], ["--format", "github"], ["--format", "sarif"]):
        assert b"\x1b" not in run("map", path, *words).stdout


def test_numbers_are_told(run: Run, castle: Path) -> None:
    ran = run("map", castle, "MAP01", "--stats")
    assert ran.status == 0
    assert "512 by 256 units" in ran.out
    assert "1 secret, 2 lines with a special" in ran.out
    data = run("map", castle, "MAP01", "--stats", "--json").json[0]["statistics"]
    assert data["records"]["lines"] == 7
    assert data["kinds"]["monster"]["single"] == {"easy": 0, "medium": 0, "hard": 1}
    assert data["limits"][0] == {"name": "lines", "used": 7, "most": 32767, "percent": 0.0}


def test_changes_are_1_and_told_with_their_places(run: Run, castle: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.wad"
    moved = things(doom_map.THINGS[0], (440, 128, 180, 3001, 12), doom_map.THINGS[2])
    new.write_bytes(wad({"MAP01": {**SMALL, "THINGS": moved, "NODES": b""}}))
    ran = run("map", new, "MAP01", "--compare", castle)
    assert ran.status == 1
    assert ran.out.splitlines() == [
        "MAP01: 1 thing moved",
        "! thing 1 at (440, 128): imp (3001), moved: place (448, 128) -> (440, 128)",
    ]
    markdown = run("map", new, "MAP01", "--compare", castle, "--markdown").out
    assert markdown.startswith("### `MAP01`\n\n1 thing moved.\n\n```diff\n! thing 1")
    (data,) = run("map", new, "MAP01", "--compare", castle, "--json").json
    assert (data["change"], data["map"]) == ("changed", "MAP01")
    assert data["things"]["moved"][0]["fields"] == [{"field": "place", "old": [448, 128], "new": [440, 128]}]
    picture = tmp_path / "changes.svg"
    drawn = run("map", new, "MAP01", "--compare", castle, "-o", picture, "--size", 320, "--markdown")
    assert (drawn.status, drawn.out) == (1, markdown)
    assert drawn.err.startswith(f"{picture}: MAP01, ")
    assert b"<svg" in picture.read_bytes()[:200]


def test_maps_that_came_and_went_are_changes(run: Run, castle: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.wad"
    new.write_bytes(wad({"MAP01": SMALL, "MAP07": SMALL}))
    ran = run("map", new, "--compare", castle)
    assert (ran.status, ran.out.splitlines()) == (1, ["MAP07: added", "MAP02: removed"])


def test_nodes_alone_are_no_change(run: Run, castle: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.wad"
    new.write_bytes(wad({"MAP01": {**SMALL, "SEGS": b"", "NODES": b"", "SSECTORS": b"", "BLOCKMAP": b""}}))
    ran = run("map", new, "MAP01", "--compare", castle)
    assert (ran.status, ran.out) == (0, "nothing changed\n")


def test_a_wad_is_built_whose_other_lumps_are_as_they_were(run: Run, tmp_path: Path) -> None:
    """GL nodes of the old nodes go with them, and other maps stay."""
    gl = [(b"GL_MAP01", b"x"), *((name, b"") for name in (b"GL_VERT", b"GL_SEGS", b"GL_SSECT", b"GL_NODES"))]
    entries = [
        (b"PLAYPAL", b"p"),
        *tests_wad.lumps(wad({"MAP01": doom_map.EDITED})),
        *gl,
        *tests_wad.lumps(wad({"map02": SMALL})),
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
    entries = tests_wad.lumps(wad({"MAP01": SMALL}))
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


@pytest.mark.parametrize("compared", [False, True])
def test_reject_from_a_sector_that_is_not_there_is_1_and_draws_nothing(
    run: Run, castle: Path, tmp_path: Path, *, compared: bool
) -> None:
    many = len(SMALL["SECTORS"]) // 26
    more = ["--compare", castle] if compared else []
    pictures = tmp_path / "{map}.svg"
    ran = run("map", castle, *more, "-o", pictures, "--reject-from", many)
    assert (ran.status, ran.out) == (1, "")
    has = f"MAP01 has no such sector; its sectors are 0 to {many - 1}"
    assert ran.err == f"lumpyard: error: --reject-from {many}: {has}\n"
    assert list(tmp_path.glob("*.svg")) == []
    assert run("map", castle, *more, "-o", pictures, "--reject-from", many - 1).status == 0
    assert len(list(tmp_path.glob("*.svg"))) == 2


def test_what_cannot_be_built_writes_nothing(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "in.wad", tmp_path / "out.wad"
    leafs = {**SMALL, "LEAFS": b"", "LIGHTS": b""}
    path.write_bytes(wad({"MAP01": SMALL, "MAP02": leafs}))
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
    path.write_bytes(wad({"MAP01": {"TEXTMAP": doom_map.udmf_text(), "DIALOGUE": b"d", "ENDMAP": b""}}))
    ran = run("map", path, "--build", "-o", out)
    assert ran.status == 0
    assert "UDMF's nodes are not built here" in ran.err
    assert tests_wad.lumps(out.read_bytes()) == tests_wad.lumps(path.read_bytes())


def test_hostile_names_stay_in_their_line_of_markdown(run: Run, tmp_path: Path) -> None:
    old, new = tmp_path / "old.wad", tmp_path / "new.wad"
    old.write_bytes(wad({HOSTILE: SMALL}))
    sectors = doom_map.table("SECTORS", [(0, 128, b"```\n#x", b"CEIL3_5", 160, 0, 0), doom_map.SECTORS[1]])
    new.write_bytes(wad({HOSTILE: {**SMALL, "SECTORS": sectors}}))
    ran = run("map", new, "--compare", old, "--markdown")
    lines = ran.out.splitlines()
    assert lines[0] == "### `\\x1b[31m\\xff'`"
    assert lines.count("```") == 1
    assert lines[-1] == "```"
    assert "! sector 0 at (0, 0), floor FLOOR4_8 -> ```\\x0a#x" in lines


def test_the_text_of_a_map_is_read_too(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "inn.udmf"
    path.write_bytes(doom_map.udmf_text())
    assert run("map", path, "--json").json[0]["map"] == "INN"
    path.write_bytes(b'namespace = "doom";\n\nthing { x = ; }\n')
    ran = run("map", path, "--format", "github")
    assert f"::error file={path},line=3,title=textmap-syntax::INN: " in ran.out


def test_maps_in_a_pak_are_found_in_folders(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.pak"
    path.write_bytes(plain.pak([(f"maps/MAP05/{name}".encode(), data) for name, data in SMALL.items()]))
    (level,) = run("map", path, "--json").json
    assert (level["map"], level["path"]) == ("MAP05", "maps/MAP05")


def test_symbols_name_the_lumps_of_a_stripped_archive(run: Run, tmp_path: Path) -> None:
    lumps = tmp_path / "a.pak"
    lumps.write_bytes(plain.pak([(f"maps/MAP05/{name}".encode(), data) for name, data in SMALL.items()]))
    assert run("convert", lumps, tmp_path / "a.ewad", "--format", "EWAD").status == 0
    assert run("map", tmp_path / "a.ewad", "--json").json[0]["map"] == "MAP05"
    assert run("convert", tmp_path / "a.ewad", tmp_path / "b.ewad", "--format", "EWAD", "--strip").status == 0
    ran = run("map", tmp_path / "b.ewad")
    assert (ran.status, ran.err.rstrip().partition(": there ")[2]) == (
        1,
        "are no maps in it; it is stripped, and --symbols FILE gives its lumps their names",
    )


def test_each_of_two_stripped_archives_has_its_own_symbols(run: Run, tmp_path: Path) -> None:
    """Whatever their order; a `.ewsym` that is of neither is told."""
    for name, things in (("old", SMALL["THINGS"]), ("new", SMALL["THINGS"][:-10])):
        lumps = {f"maps/MAP05/{lump}": data for lump, data in {**SMALL, "THINGS": things}.items()}
        data = ewad.build([ewad.Written(lump.encode(), data) for lump, data in lumps.items()], named=False)
        (tmp_path / f"{name}.ewad").write_bytes(data)
        rows = "".join(f"{xxh64_intdigest(lump.encode()):016x}\t{lump}\n" for lump in lumps)
        head = f"EWSYM 1\narchive-hash: {ewad.header(data, 'header_hash'):016x}\n\nkey\tname\n"
        (tmp_path / f"{name}.ewsym").write_text(head + rows)
    old, new = tmp_path / "old.ewad", tmp_path / "new.ewad"
    given = [("--symbols", path.with_suffix(".ewsym")) for path in (old, new)]
    for one, other in (given, given[::-1]):
        ran = run("map", new, "--compare", old, *one, *other)
        assert (ran.status, ran.err) == (1, "")
        assert "thing" in ran.out
    assert run("map", new, *given[1], "--json").json[0]["map"] == "MAP05"
    ran = run("map", new, "--compare", old, *given[1])
    assert (ran.status, "--symbols FILE gives its lumps their names" in ran.err) == (1, True)
    ran = run("map", new, *given[0])
    assert (ran.status, "belongs to another archive" in ran.err) == (2, True)
    (tmp_path / "third.ewsym").write_bytes(given[0][1].read_bytes().replace(b"-hash: ", b"-hash: f"))
    ran = run("map", new, "--compare", old, "--symbols", tmp_path / "third.ewsym")
    assert (ran.status, "third.ewsym belongs to another archive" in ran.err) == (2, True)
    ran = run("map", new, *given[0], *given[1])
    assert (ran.status, ran.err) == (
        2,
        "lumpyard: error: --symbols is given once, or with --compare for each of the two archives\n",
    )


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
    castle.write_bytes(wad({"MAP01": {**SMALL, "THINGS": moved}, "MAP02": BARRED, "MAP03": SMALL}))
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
    castle.write_bytes(wad({"MAP01": {**SMALL, "REJECT": b"\x06", "NODES": bytes(28)}}))
    ran = run("map", castle, "--record")
    assert ran.status == 0
    assert "its nodes do not fit it; they are built anew, whatever is recorded" in ran.err
    assert "REJECT hides 1 pair of sectors that share an open line" in ran.err


def test_a_file_that_cannot_be_read_is_named_once_and_no_other(run: Run, castle: Path) -> None:
    broken = castle.parent / "broken.wad"
    broken.write_bytes(b"PWAD\1\0\0\0\xff\0\0\0")
    for words in ([broken], [castle, "--base", broken], [castle, "--compare", broken]):
        ran = run("map", *words)
        assert ran.status == 3
        assert ran.err.startswith(f"lumpyard: error: {broken}: the directory reaches past the end")


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
    castle = tmp_path / "castle.wad"
    castle.write_bytes(
        wad({"MAP01": {**SMALL, **more, "THINGS": things((2000, 0, 0, 3001, 7), (5, 64, 0, 1, 7))}})
    )
    for line in run("map", castle, "--level", "info").out.splitlines():
        assert line.count("at (") <= 1, line


def test_diff_of_two_texts_of_maps_is_a_comparison_of_maps(run: Run, tmp_path: Path) -> None:
    """ "`lumpyard diff` on two archives or map lumps compares maps by meaning" """
    old, new = tmp_path / "old.udmf", tmp_path / "new.udmf"
    old.write_bytes(doom_map.udmf_text())
    new.write_bytes(
        b"// higher\n" + doom_map.udmf_text().replace(b"heightfloor = 0;", b"heightfloor = 24;", 1)
    )
    ran = run("diff", old, new)
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.splitlines()[1] == "! sector 0 at (0, 0), floor height 0 -> 24"
    assert run("diff", old, new, "--json").stdout == run("map", new, "--compare", old, "--json").stdout
    assert run("diff", old, old).out == "nothing changed\n"
    assert run("diff", old, new, "--html", tmp_path / "x.html").status == 2
    (tmp_path / "none.wad").write_bytes(wad({"MAP01": SMALL}))
    assert run("diff", old, tmp_path / "none.wad").status == 3
