"""`lumpyard report` on archives with maps: a row for each, and none of it where there are none."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders import doom_map, plain
from tests.builders.map_wads import map_wad
from tests.builders.projects import Game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.cli.conftest import Run

DOCS = (Path(__file__).parents[2] / "docs/report.md").read_text("utf-8")
TITLES = ["map", "things", "monsters,", "easy", "medium", "hard", "items", "secrets", "limit", "used", "most"]
EASY, HARD, NOT_ALONE = 1, 4, 16
THINGS = [  # x, y, angle, type, flags
    (32, 32, 0, 1, 7),
    (40, 40, 0, 3004, EASY | HARD),
    (48, 40, 0, 3004, HARD),
    (56, 40, 0, 3004, HARD | NOT_ALONE),
    (64, 40, 0, 2007, 7),
    (64, 48, 0, 2001, HARD | NOT_ALONE),
    *((64 + 8 * number, 64, 0, 11, 7) for number in range(7)),
]
LEVEL = {**doom_map.DOOM, "THINGS": doom_map.table("THINGS", THINGS)}
ROW = ["13", "1", "0", "2", "2"]  # things, monsters by skill, items; counted by hand
CASTLE = map_wad({b"MAP01": LEVEL})


def game_of(
    tmp_path: Path, files: dict[str, bytes], archive: Mapping[str, Any] | None = None, **maps: Any
) -> Game:
    manifest = {
        "sets": {"levels": {"files": "in/**", "rule": "raw", **maps}},
        "archives": {"base": {"sets": ["levels"], **(archive or {})}},
    }
    return Game(tmp_path / "game", manifest, **files)


def row_of(text: str, name: str) -> list[str]:
    """The cells of a map behind its name."""
    _, maps = re.split("^  map .*\n", text, maxsplit=1, flags=re.MULTILINE)
    (line,) = [line for line in maps.splitlines() if line.startswith(f"  {name} ")]
    return line.removeprefix(f"  {name} ").split()


@pytest.mark.parametrize(
    ("archive", "rule", "name"),
    [
        ({}, {"rule": "doom-map"}, "maps/MAP01"),
        ({}, {"rule": "doom-map", "options": {"layout": "map"}}, "maps/MAP01"),
        ({"format": "PWAD", "path": "a.wad"}, {"rule": "doom-map", "options": {"layout": "wad"}}, "MAP01"),
        ({}, {}, "in/castle.wad: MAP01"),
        ({"format": "PAK", "path": "a.pak"}, {}, "in/castle.wad: MAP01"),
    ],
)
def test_each_map_has_a_row_however_it_is_stored(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    archive: dict[str, Any],
    rule: dict[str, Any],
    name: str,
) -> None:
    """A shipped EWAD is stripped: its names are known from the build."""
    game = game_of(tmp_path, {"in/castle.wad": CASTLE}, archive, **rule)
    game.ship()
    monkeypatch.chdir(game.folder)
    ran = run("report")
    assert (ran.status, ran.err) == (0, "")
    (titles,) = [line for line in ran.out.splitlines() if line.startswith("  map ")]
    assert titles.split() == TITLES
    cells = row_of(ran.out, name)
    assert cells[:5] == ROW
    assert cells[6:] == ["deathmatch", "starts", "70.0%"]
    (row,) = run("report", "--json").json["archives"][0]["maps"]
    (counted,) = run("map", "in/castle.wad", "--stats", "--json").json
    assert row["map"] == "MAP01"
    assert cells[5] == str(row["statistics"]["secrets"])
    rebuilt = {"segs", "subsectors", "nodes", "vertices"}  # a rule may make them anew
    for statistics in (row["statistics"], counted["statistics"]):
        statistics["records"] = {
            key: many for key, many in statistics["records"].items() if key not in rebuilt
        }
        statistics["limits"] = [
            use for use in statistics["limits"] if use["name"] not in {*rebuilt, "blockmap bytes"}
        ]
    assert row["statistics"] == counted["statistics"]


@pytest.mark.parametrize(
    ("options", "target", "limit"),
    [
        ({"target": "boom"}, "boom", "width"),
        ({}, "vanilla", "deathmatch starts"),
        ({"target": "vanilla"}, "vanilla", "deathmatch starts"),
    ],
)
def test_limits_are_those_of_the_target(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, Any],
    target: str,
    limit: str,
) -> None:
    game = game_of(tmp_path, {"in/castle.wad": CASTLE}, rule="doom-map", options=options)
    game.ship()
    monkeypatch.chdir(game.folder)
    (row,) = run("report", "--json").json["archives"][0]["maps"]
    assert row["statistics"]["target"] == target
    assert limit in run("report").out
    assert {use["most"] for use in row["statistics"]["limits"] if use["name"] == "lines"} == {
        65535 if target == "boom" else 32767
    }


def test_what_was_shipped_elsewhere_is_read_by_its_symbols(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(tmp_path, {"in/castle.wad": CASTLE}, rule="doom-map")
    game.ship()
    monkeypatch.chdir(game.folder)
    Path(".lumpyard").rename(tmp_path / "elsewhere")
    assert row_of(run("report").out, "maps/MAP01")[:5] == ROW


def test_a_map_of_udmf_has_no_limits(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    level = {"TEXTMAP": doom_map.udmf_text(), "ENDMAP": b""}
    game = game_of(tmp_path, {"in/a.wad": map_wad({b"TOWN": level})})
    game.ship()
    monkeypatch.chdir(game.folder)
    assert row_of(run("report").out, "in/a.wad: TOWN")[-1] == "-"


def test_at_most_a_hundred_maps_are_read_and_it_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = map_wad({b"M%d" % number: LEVEL for number in range(101)})
    game = game_of(tmp_path, {"in/a.wad": many})
    game.ship()
    monkeypatch.chdir(game.folder)
    note = "101 maps, of which 100 were read; a report reads up to 100"
    ran = run("report")
    assert f"\n  {note}\n" in ran.out
    assert row_of(ran.out, "in/a.wad: M99")[:5] == ROW
    assert "M100" not in ran.out
    archive = run("report", "--json").json["archives"][0]
    assert (len(archive["maps"]), archive["maps_found"], archive["map_notes"]) == (100, 101, [note])


def test_the_bound_is_for_all_archives_together(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = map_wad({b"M%d" % number: LEVEL for number in range(60)})
    archives = {"one": {"sets": ["levels"]}, "two": {"sets": ["levels"]}}
    manifest = {"sets": {"levels": {"files": "in/**", "rule": "raw"}}, "archives": archives}
    game = Game(tmp_path / "game", manifest, **{"in/a.wad": many})
    game.run("ship:one", "ship:two")
    monkeypatch.chdir(game.folder)
    one, two = run("report", "--json").json["archives"]
    assert (len(one["maps"]), one["map_notes"]) == (60, [])
    assert len(two["maps"]) == 40
    assert two["map_notes"] == ["60 maps, of which 40 were read; a report reads up to 100"]


def test_a_wad_that_cannot_be_read_is_told_beside_the_others(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(tmp_path, {"in/a.wad": CASTLE, "in/b.wad": b"PWAD" + b"\xff" * 8})
    game.ship()
    monkeypatch.chdir(game.folder)
    ran = run("report")
    assert ran.status == 0
    assert row_of(ran.out, "in/a.wad: MAP01")[:5] == ROW
    assert "\n  in/b.wad: it cannot be read: " in ran.out


def test_hostile_names_of_maps_mean_nothing_in_text_markdown_and_pages(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(tmp_path, {"in/a.wad": map_wad({b"<b>|`\x1b\xff": LEVEL})})
    game.ship()
    monkeypatch.chdir(game.folder)
    assert r"in/a.wad: <b>|`\x1b\xff " in run("report").out
    markdown = run("report", "--markdown").out
    assert "<summary>Maps (1)</summary>" in markdown
    assert r"| `` in/a.wad: <b>\|`\x1b\xff `` | 13 | 1 | 0 | 2 | 2 |" in markdown
    run("report", "--html", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert r'<td class="name">in/a.wad: &lt;b&gt;|`\x1b\xff</td><td class="n">13</td>' in page
    assert "<b>" not in page
    assert run("report", "--json").status == 0


def test_without_maps_nothing_is_said_of_them_and_nothing_is_loaded(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"in/a.txt": b"a", "in/THINGS": b"a list of things", "in/map.png": b"p"}
    game = game_of(tmp_path, files)
    game.ship()
    monkeypatch.chdir(game.folder)
    assert not re.search("^  map ", run("report").out, re.MULTILINE)
    assert "Maps" not in run("report", "--markdown").out
    assert not {"maps", "maps_found", "map_notes"} & run("report", "--json").json["archives"][0].keys()
    for option in ([], ["--json"], ["--markdown"], ["--html", str(tmp_path / "r.html")]):
        script = (
            "import sys\nfrom lumpyard.cli.main import main\n"
            f"status = main(['report', *{option!r}])\n"
            "loaded = [name for name in sys.modules if name.startswith('lumpyard.maps')]\n"
            "sys.exit(f'{status} {loaded}' if status or loaded else 0)\n"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr


def test_an_archive_whose_wads_have_no_maps_has_no_section(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(tmp_path, {"in/a.wad": plain.wad([(b"PLAYPAL", b"p")], b"PWAD"), "in/b.wad": b"no WAD"})
    game.ship()
    monkeypatch.chdir(game.folder)
    assert "in/b.wad:" not in run("report").out
    assert "maps" not in run("report", "--json").json["archives"][0]


def test_the_fields_are_documented() -> None:
    for field in ("map", "path", "format", "statistics", "maps", "maps_found", "map_notes"):
        assert f'"{field}"' in DOCS or f"`{field}`" in DOCS
