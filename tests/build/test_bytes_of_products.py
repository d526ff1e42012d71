"""Lumps that rules make, several of a file or known only after cooking, as the plain writer has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.build.plain_games import NOISE, TEXT, a_game, packed, shipped
from tests.builders.local_rules import JOIN, LINES, PARTS
from tests.builders.projects import Game, Lump, expected

if TYPE_CHECKING:
    from pathlib import Path


def test_types_and_schemas_go_by_override_set_defaults_product_and_rule(tmp_path: Path) -> None:
    """What a set says beats `defaults`, an override beats its set, and all of them beat the product's own."""
    manifest = {
        "rules": ["tools/parts.py", "tools/join.py"],
        "sets": {
            "said": {"files": "said/*", "rule": "join", "type": "SAID", "schema": 3,
                     "overrides": [{"match": "said/b*", "schema": 4}, {"match": "said/bb", "type": 0}]},
            "rule": {"files": "rule/*", "rule": "join"},
            "parts": {"files": "parts/*", "rule": "parts"},
            "none": {"files": "none/*", "rule": "raw"},
        },
        "archives": {"base": {"sets": ["said", "rule", "parts", "none"]}},
    }  # fmt: skip
    game = Game(tmp_path, manifest)
    game.write({"tools/parts.py": PARTS, "tools/join.py": JOIN})
    game.write(dict.fromkeys(("said/a", "said/ba", "said/bb", "rule/a", "parts/a", "none/a"), b"1\n2"))
    lumps = [
        Lump("said/a", b"1\n2", fourcc="SAID", schema=3),
        Lump("said/ba", b"1\n2", fourcc="SAID", schema=4),
        Lump("said/bb", b"1\n2", schema=4),
        Lump("rule/a", b"1\n2", fourcc="JOIN"),
        Lump("parts/a/head", b"1", fourcc="HEAD", schema=7),
        Lump("parts/a/tail", b"2", fourcc="TAIL", schema=2),
        Lump("none/a", b"1\n2"),
    ]
    assert shipped(game) == expected(lumps)
    assert packed(game) == expected(lumps, named=True)


def test_defaults_type_is_beaten_by_a_set(tmp_path: Path) -> None:
    manifest = {
        "defaults": {"schema": 9, "compress": "none", "alignment": 32},
        "sets": {"a": {"files": "a/*", "rule": "raw"}, "b": {"files": "b/*", "rule": "raw", "schema": 1}},
        "archives": {"base": {"sets": ["a", "b"]}},
    }
    game = Game(tmp_path, manifest)
    game.write({"a/x": TEXT, "b/x": TEXT})
    lump = Lump("a/x", TEXT, "none", schema=9, alignment=32)
    assert shipped(game) == expected([lump, lump._replace(name="b/x", schema=1)])


@pytest.mark.parametrize("profile", ["pack", "ship"])
def test_several_products_of_one_file_are_lumps_like_others(tmp_path: Path, profile: str) -> None:
    game = a_game(tmp_path, rule="parts")
    game.set_manifest(
        {
            "rules": ["tools/parts.py"],
            "sets": {"art": {"root": "art", "files": "**", "rule": "parts"}},
            "archives": {"base": {"sets": ["art"]}},
        }
    )
    game.write({"tools/parts.py": PARTS, "art/a": b"one\n" + TEXT, "art/b": b"two\n"})
    ran = game.run(f"{profile}:base")[f"{profile}:base"]
    assert ran.cooked == 2
    lumps = [
        Lump("a/head", b"one", fourcc="HEAD", schema=7),
        Lump("a/tail", TEXT, fourcc="TAIL", schema=2),
        Lump("b/head", b"two", fourcc="HEAD", schema=7),
        Lump("b/tail", b"", fourcc="TAIL", schema=2),
    ]
    folder = "dist" if profile == "ship" else "build"
    assert game.read(f"{folder}/base.ewad") == expected(lumps, named=profile == "pack")


def test_archives_may_take_different_products_of_one_cook(tmp_path: Path) -> None:
    game = Game(
        tmp_path,
        {
            "rules": ["tools/parts.py"],
            "sets": {"art": {"root": "art", "files": "**", "rule": "parts"}},
            "archives": {
                "all": {"sets": ["art"]},
                "tails": {"sets": ["art"], "only": ["**/tail"]},
                "heads": {"sets": ["art"], "exclude": ["**/tail"]},
            },
        },
    )
    game.write({"tools/parts.py": PARTS, "art/a": b"one\n" + TEXT})
    head = Lump("a/head", b"one", fourcc="HEAD", schema=7)
    tail = Lump("a/tail", TEXT, fourcc="TAIL", schema=2)
    ran = game.run("ship:all", "ship:tails", "ship:heads")
    assert game.read("dist/all.ewad") == expected([head, tail])
    assert game.read("dist/tails.ewad") == expected([tail])
    assert game.read("dist/heads.ewad") == expected([head])
    assert [one.cooked for one in ran.values()] == [1, 0, 0], "one cook serves all three"


@pytest.mark.parametrize("selection", [{}, {"only": ["*#1"]}, {"exclude": ["b.lines#0"]}])
def test_products_known_after_cooking_are_laid_out_after_it(
    tmp_path: Path, selection: dict[str, Any]
) -> None:
    game = Game(
        tmp_path,
        {
            "rules": ["tools/lines.py"],
            "sets": {"art": {"root": "art", "files": "**"}},
            "archives": {"base": {"sets": ["art"], **selection}},
        },
    )
    game.write(
        {
            "tools/lines.py": LINES,
            "art/a.lines": TEXT + b"\nsecond",
            "art/b.lines": b"x\n" + TEXT,
            "art/raw.bin": NOISE,
        }
    )
    lumps = {
        lump.name: lump
        for lump in (
            Lump("a.lines#0", TEXT, fourcc="LINE"),
            Lump("a.lines#1", b"second", fourcc="LINE"),
            Lump("b.lines#0", b"x", fourcc="LINE"),
            Lump("b.lines#1", TEXT, fourcc="LINE"),
            Lump("raw.bin", NOISE),
        )
    }
    taken = list(lumps)
    if "only" in selection:
        taken = ["a.lines#1", "b.lines#1"]
    elif "exclude" in selection:
        taken.remove("b.lines#0")
    assert shipped(game) == expected([lumps[name] for name in taken])
    assert packed(game) == expected([lumps[name] for name in taken], named=True)


def test_gathered_files_reach_the_rule_sorted_by_bytes(tmp_path: Path) -> None:
    game = Game(
        tmp_path,
        {
            "rules": ["tools/join.py"],
            "sets": {
                "art": {"root": "art", "files": "*/*", "name": "{dir}all", "gather": True, "rule": "join"}
            },
            "archives": {"base": {"sets": ["art"]}},
        },
    )
    game.write({"tools/join.py": JOIN})
    game.write({f"art/x/{name}": name.encode() for name in ("b", "a", "Z", "ä", "a0", "a.")})
    game.write({"art/y/one": b"one"})
    lumps = [Lump("x/all", "Z|a|a.|a0|b|ä".encode(), fourcc="JOIN"), Lump("y/all", b"one", fourcc="JOIN")]
    assert shipped(game) == expected(lumps)


def test_names_are_bytes(tmp_path: Path) -> None:
    game = a_game(tmp_path)
    names = ["ä", "a\udcff", "日本/語", " spaced ", "tab\there", "x" * 255]
    for name in names:
        game.write({f"art/{name}": name.encode("utf-8", "surrogateescape")})
    lumps = [Lump(name, name.encode("utf-8", "surrogateescape")) for name in names]
    assert packed(game) == expected(lumps, named=True)
    assert shipped(game) == expected(lumps)
    assert game.ship() == game.pack(), "and nothing is left to do"
