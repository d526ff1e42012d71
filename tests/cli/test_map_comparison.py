"""`lumpyard map --compare`: what changed between the maps of two archives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.builders import doom_map, ewad
from tests.builders.map_wads import HOSTILE, SMALL, map_wad
from xxhash import xxh64_intdigest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def test_changes_are_1_and_told_with_their_places(run: Run, castle: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.wad"
    moved = doom_map.table("THINGS", [doom_map.THINGS[0], (440, 128, 180, 3001, 12), doom_map.THINGS[2]])
    new.write_bytes(map_wad({"MAP01": {**SMALL, "THINGS": moved, "NODES": b""}}))
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
    new.write_bytes(map_wad({"MAP01": SMALL, "MAP07": SMALL}))
    ran = run("map", new, "--compare", castle)
    assert (ran.status, ran.out.splitlines()) == (1, ["MAP07: added", "MAP02: removed"])


def test_nodes_alone_are_no_change(run: Run, castle: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.wad"
    new.write_bytes(
        map_wad({"MAP01": {**SMALL, "SEGS": b"", "NODES": b"", "SSECTORS": b"", "BLOCKMAP": b""}})
    )
    ran = run("map", new, "MAP01", "--compare", castle)
    assert (ran.status, ran.out) == (0, "nothing changed\n")


def test_hostile_names_stay_in_their_line_of_markdown(run: Run, tmp_path: Path) -> None:
    old, new = tmp_path / "old.wad", tmp_path / "new.wad"
    old.write_bytes(map_wad({HOSTILE: SMALL}))
    sectors = doom_map.table("SECTORS", [(0, 128, b"```\n#x", b"CEIL3_5", 160, 0, 0), doom_map.SECTORS[1]])
    new.write_bytes(map_wad({HOSTILE: {**SMALL, "SECTORS": sectors}}))
    ran = run("map", new, "--compare", old, "--markdown")
    lines = ran.out.splitlines()
    assert lines[0] == "### `\\x1b[31m\\xff'`"
    assert lines.count("```") == 1
    assert lines[-1] == "```"
    assert "! sector 0 at (0, 0), floor FLOOR4_8 -> ```\\x0a#x" in lines


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
    (tmp_path / "none.wad").write_bytes(map_wad({"MAP01": SMALL}))
    assert run("diff", old, tmp_path / "none.wad").status == 3
