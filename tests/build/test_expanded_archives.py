"""Rule `archive`: which lumps it takes, what they are called, and what is kept of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.build.source_archives import (
    ARCHIVE,
    MOUNTED,
    TEXTS,
    WAYS,
    a_game,
    a_pak,
    problems_of,
    rewrite,
    sources_of,
)
from tests.builders import ewad, mpq, plain
from tests.builders.projects import Game, Lump, Ran, clean_build, expected

from lumpyard.ledger import parse_ledger

if TYPE_CHECKING:
    from pathlib import Path


def test_only_exclude_and_name_choose_and_name_lumps(tmp_path: Path) -> None:
    options = {"only": ["text/**", "art/*"], "exclude": "text/sub/*"}
    sets = {
        "all": {
            "files": ARCHIVE,
            "rule": "archive",
            "options": options,
            "name": "pak/{stem}",
            "compress": "none",
        }
    }
    game = a_game(tmp_path / "game", {"sets": sets, "archives": {"base": {"sets": "all"}}})
    game.ship()
    raws = {"pak/a": TEXTS[b"text/a.txt"], "pak/b": TEXTS[b"text/b.txt"], "pak/x": TEXTS[b"art/x.dat"]}
    assert game.read("dist/base.ewad") == expected([Lump(name, raw, "none") for name, raw in raws.items()])
    options["exclude"] = "nothing/*"
    game.set_manifest({"sets": sets, "archives": {"base": {"sets": "all"}}})
    (warning,) = game.ship().warnings
    assert "W0202" in warning
    assert "exclude: no lump of the archives matches 'nothing/*'" in warning


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"only": "a//b"}, "E0231"),
        ({"rule": "rwa"}, "E0210"),
        ({"format": "EWAD"}, "E0230"),
        ({"nope": 1}, "E0120"),
        ({"rule": "archive"}, "E0231"),
    ],
)
def test_options_that_mean_nothing_are_told(tmp_path: Path, options: dict[str, Any], code: str) -> None:
    sets = {"all": {"files": ARCHIVE, "rule": "archive", "options": options}}
    game = a_game(tmp_path / "game", {"sets": sets, "archives": {"base": {"sets": "all"}}})
    (problem,) = problems_of(game)
    assert problem.split()[1] == code


WAD = [
    (b"MAP01", b""),
    (b"THINGS", b"one"),
    (b"LINEDEFS", b"two"),
    (b"MAP02", b""),
    (b"THINGS", b"three"),
    (b"LINEDEFS", b"four"),
    (b"S_START", b""),
    (b"VILE\\1", b"sprite"),
    (b"S_END", b""),
]


def test_a_wad_comes_out_as_it_went_in_by_its_lumps_own_names(tmp_path: Path) -> None:
    sets = {"all": {"files": "in.wad", "rule": "archive", "name": "{lump}"}}
    game = Game(tmp_path / "game", {"sets": sets, "archives": {"base": {"sets": "all", "format": "PWAD"}}})
    game.write({"in.wad": plain.wad(WAD)})
    game.ship()
    assert game.read("dist/base.wad") == plain.wad(WAD)
    assert game.ship() == Ran()


def test_lumps_of_a_wad_have_paths_by_map_and_namespace(tmp_path: Path) -> None:
    game = Game(
        tmp_path / "game",
        {
            "mounts": ["in.wad"],
            "sets": {"all": {"files": ["MAP*/**", "sprites/*"]}},
            "archives": {"base": {"sets": "all", "strip": False}},
        },
    )
    game.write({"in.wad": plain.wad(WAD)})
    game.ship()
    assert sorted(sources_of(game)) == [
        "MAP01/LINEDEFS", "MAP01/MAP01", "MAP01/THINGS", "MAP02/LINEDEFS", "MAP02/MAP02", "MAP02/THINGS",
        "sprites/S_END", "sprites/S_START", "sprites/VILE%5C1",
    ]  # fmt: skip


def test_kinds_of_a_wad2_are_kept_and_counted_as_contents(tmp_path: Path) -> None:
    sets = {"all": {"files": "in.wad", "rule": "archive"}}
    game = Game(tmp_path / "game", {"sets": sets, "archives": {"base": {"sets": "all", "format": "WAD3"}}})
    lumps = [(b"PIC", b"one"), (b"PAL", b"two")]
    for kind in (0x42, 0x40):
        game.write({"in.wad": plain.wad2(lumps, b"WAD2", kind)})
        assert game.ship().changed
        assert game.read("dist/base.wad") == plain.wad2(lumps, b"WAD3", kind)
        assert game.ship() == Ran()


def test_an_archive_in_an_archive_is_taken_apart_too(tmp_path: Path) -> None:
    inner = plain.wad([(b"ONE", b"first"), (b"TWO", b"second")])
    way = {
        "mounts": [ARCHIVE],
        "sets": {"all": {"files": "wads/*.wad", "rule": "archive", "compress": "none"}},
        "archives": {"base": {"sets": "all"}},
    }
    game = a_game(tmp_path / "game", way, a_pak({b"wads/in.wad": inner}))
    game.ship()
    assert sources_of(game) == {"ONE": "wads/in.wad!ONE", "TWO": "wads/in.wad!TWO"}
    assert game.read("dist/base.ewad") == expected(
        [Lump("ONE", b"first", "none"), Lump("TWO", b"second", "none")]
    )
    rewrite(game, a_pak({b"wads/in.wad": plain.wad([(b"ONE", b"FIRST"), (b"TWO", b"second")])}))
    assert game.ship().reasons == ("ONE changed",)
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


def test_what_has_no_name_or_none_that_is_a_path_is_left_out_with_a_warning(tmp_path: Path) -> None:
    lumps = [
        (b"text/a.txt", b"a\n"),
        (b"../evil", b""),
        (b"text", b"file and folder"),
        (b"a//b", b""),
        (b"/x", b""),
    ]
    game = a_game(
        tmp_path / "game", {**MOUNTED, "mounts": [{"path": ARCHIVE, "lenient": True}]}, plain.pak(lumps)
    )
    game.write({"art/own.dat": b""})
    warnings = game.ship().warnings
    (warning,) = [warning for warning in warnings if "left out" in warning]
    assert (
        "left out: entry 1 ('../evil') has a name that is no clean path, entry 2 ('text') has a name"
        in warning
    )
    assert warning.endswith(", and 1 more")
    assert sorted(sources_of(game)) == ["art/own.dat", "text/a.txt"]


def test_names_of_an_mpq_without_a_list_are_given(tmp_path: Path) -> None:
    data = mpq.build([mpq.Written(b"text\\a.txt", b"from an mpq\n")])
    way = {"mounts": [ARCHIVE], "sets": {"own": {"files": "*.dat"}}, "archives": {"base": {"sets": "own"}}}
    game = a_game(tmp_path / "game", way, data)
    game.write({"own.dat": b""})
    (warning,) = game.ship().warnings
    assert "W0206" in warning
    assert "has no name" in warning
    options = {"names": "text\\a.txt"}
    sets = {"all": {"files": ARCHIVE, "rule": "archive", "options": options, "compress": "none"}}
    game.set_manifest({"sets": sets, "archives": {"base": {"sets": "all"}}})
    game.ship()
    assert game.read("dist/base.ewad") == expected([Lump("text/a.txt", b"from an mpq\n", "none")])


@WAYS
def test_types_and_schemas_of_an_ewad_are_kept_where_nothing_else_is_said(
    tmp_path: Path, way: dict[str, Any]
) -> None:
    lumps = [
        ewad.Written(name, raw, None, int.from_bytes(b"TEXR", "little"), number)
        for number, (name, raw) in enumerate(TEXTS.items())
    ]
    game = a_game(tmp_path / "game", way, ewad.build(lumps))
    game.ship()
    listed = {lump.name: lump for lump in parse_ledger(game.read("symbols/base.ewsym")).lumps}
    art, text = listed["art/x.dat"], listed["text/a.txt"]
    assert (art.fourcc, art.schema) == (int.from_bytes(b"TEXR", "little"), 3)
    assert (text.fourcc, text.schema) == (
        int.from_bytes(b"TEXT", "little"),
        1,
    )  # rule text makes something else
    lumps[3] = lumps[3]._replace(schema=9)
    rewrite(game, ewad.build(lumps))
    assert game.ship().reasons == ("art/x.dat with another type or schema",)
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")
    said = {**way["sets"]["art"], "type": "ART ", "schema": 2}
    game.set_manifest({**way, "sets": {**way["sets"], "art": said}})
    game.ship()
    art = next(
        lump for lump in parse_ledger(game.read("symbols/base.ewsym")).lumps if lump.name == "art/x.dat"
    )
    assert (art.fourcc, art.schema) == (int.from_bytes(b"ART ", "little"), 2)
