"""What commands say of lumps of archives as sources, and of archives of the old formats."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad, plain

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

MANIFEST = """\
version: 1
mounts: [base.pak, {path: patch.pak, format: PAK}]
sets:
  maps: {files: "maps/*.wad", rule: archive, name: "{lump}"}
  text: {files: "text/*", rule: raw}
archives:
  mod: {sets: maps, format: PWAD}
  base: {sets: text}
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "base.pak": plain.pak([(b"text/a.txt", b"a"), (b"text/b.txt", b"b")]),
        "patch.pak": plain.pak([(b"text/a.txt", b"patched")]),
        "maps/1.wad": plain.wad([(b"MAP01", b""), (b"THINGS", b"one"), (b"LINEDEFS", b"1")]),
        "maps/2.wad": plain.wad([(b"MAP02", b""), (b"THINGS", b"two"), (b"LINEDEFS", b"2")]),
        "text/a.txt": b"own",
        "assets.yaml": MANIFEST.encode(),
    }
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_why_says_where_a_source_is_and_what_it_hides(run: Run, game: Path) -> None:
    """What a map editor was asked for: written precedence, and every shadowed input listed."""
    (answer,) = run("why", "text/a.txt", "--json").json
    assert (answer["sources"], answer["found"]) == (["text/a.txt"], ["patch.pak!text/a.txt"])
    assert answer["shadowed"] == ["base.pak!text/a.txt", "text/a.txt"]
    text = run("why", "text/a.txt").out
    assert "  found in     patch.pak!text/a.txt\n  in place of  base.pak!text/a.txt, text/a.txt\n" in text
    text = run("why", "text/b.txt").out
    assert "found in     base.pak!text/b.txt\n" in text
    assert "in place of" not in text


def test_why_tells_lumps_of_one_name_apart(run: Run, game: Path) -> None:
    assert run("ship").status == 0
    answers = run("why", "--ship", "THINGS", "--json").json
    assert [answer["sources"] for answer in answers] == [
        ["maps/1.wad!MAP01/THINGS"],
        ["maps/2.wad!MAP02/THINGS"],
    ]
    assert [(answer["state"], answer["stored"]["offset"]) for answer in answers] == [
        ("as it was built", 12),
        ("as it was built", 16),
    ]
    (answer,) = run("why", "--ship", "maps/2.wad!MAP02/THINGS", "--json").json
    assert answer == answers[1]


def test_plan_lists_lumps_in_their_order_with_their_sources(run: Run, game: Path) -> None:
    mod, _ = run("plan", "--json").json
    assert (mod["format"], mod["path"], mod["alignment"], mod["strip"]) == ("PWAD", "build/mod.wad", 1, False)
    assert [(lump["name"], lump["sources"]) for lump in mod["lumps"]] == [
        (name, [f"maps/{number}.wad!MAP0{number}/{name}"])
        for number in (1, 2)
        for name in (f"MAP0{number}", "THINGS", "LINEDEFS")
    ]


def test_check_looks_into_archives_and_finds_what_does_not_decode(run: Run, game: Path) -> None:
    assert run("check").out == "8 lumps of 2 archives checked: nothing wrong\n"
    data = bytearray(ewad.build([ewad.Written(b"bad", b"abc" * 2000), ewad.Written(b"good", b"abcd")]))
    data[data.index(b"abcabc")] ^= 1
    (game / "in.ewad").write_bytes(data)
    (game / "assets.yaml").write_text(
        "version: 1\nsets: {a: {files: in.ewad, rule: archive}}\narchives: {base: {sets: a}}\n"
    )
    ran = run("check")
    assert ran.status == 3
    assert ran.err.startswith("in.ewad!bad: error[E0405]: in.ewad!bad does not decode: ")


def test_check_and_plan_say_that_names_do_not_fit(run: Run, game: Path) -> None:
    (game / "assets.yaml").write_text(
        MANIFEST.replace("base: {sets: text}", "base: {sets: text, format: IWAD}")
    )
    for command in ("check", "plan"):
        ran = run(command)
        assert ran.status == 2
        assert ran.err.count("error[E0225]") == 2
        assert '`name: "{stem}"` takes the file\'s name alone' in ran.err


def test_a_shipped_wad_has_symbols_and_verifies(run: Run, game: Path) -> None:
    assert run("ship").status == 0
    assert run("verify", "dist/mod.wad").status == 0
    listed = run("symbols", "symbols/mod.ewsym", "--json").json
    assert [lump["name"] for lump in listed] == ["MAP01", "THINGS", "LINEDEFS", "MAP02", "THINGS", "LINEDEFS"]
    (info,) = [
        one for one in json.loads((game / "build/ship.json").read_text())["archives"] if one["id"] == "mod"
    ]
    assert info["path"] == "dist/mod.wad"
    assert "archive_hash" not in run("info", "dist/mod.wad", "--json").json  # the format has none
