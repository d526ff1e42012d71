"""Mounts: what lies above what, archives in archives, and rules that look for lumps as for files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tests.build.source_archives import (
    ARCHIVE,
    EXPANDED,
    MOUNTED,
    SEEN,
    TEXTS,
    a_game,
    a_pak,
    problems_of,
    rewrite,
    shipped,
)
from tests.builders import plain
from tests.builders.projects import Lump, Ran, clean_build, expected

if TYPE_CHECKING:
    from pathlib import Path


def test_a_prefix_moves_all_lumps(tmp_path: Path) -> None:
    game = a_game(tmp_path / "game", MOUNTED)
    game.ship()
    game.set_manifest(
        {
            **MOUNTED,
            "mounts": [{"path": ARCHIVE, "at": "art/deep"}],
            "sets": {"texts": {"files": "**/*.txt", "rule": "text"}, "art": {"files": "**/*.dat"}},
        }
    )
    assert game.ship().work == (0, 0)
    assert game.read("dist/base.ewad") == shipped({f"art/deep/{name}": raw for name, raw in SEEN.items()})
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


def test_a_folder_may_become_an_archive_and_back(tmp_path: Path) -> None:
    game = a_game(tmp_path / "game", MOUNTED)
    game.ship()
    (game.folder / ARCHIVE).unlink()
    game.write({f"{ARCHIVE}/{name}": raw for name, raw in SEEN.items()})
    assert game.ship().work == (0, 0)
    assert game.read("dist/base.ewad") == shipped(SEEN)


def test_later_mounts_lie_above_earlier_ones_and_files_below_both(tmp_path: Path) -> None:
    way = {**MOUNTED, "mounts": [ARCHIVE, "patch.pak", "loose"]}
    game = a_game(tmp_path / "game", way)
    game.write(
        {
            "patch.pak": plain.pak([(b"text/a.txt", b"patched\n"), (b"text/b.txt", b"patched\n")]),
            "loose/text/b.txt": b"loose\n",
            "text/a.txt": b"own\n",
            "text/own.txt": b"own\n",
        }
    )
    game.ship()
    seen = {**SEEN, "text/a.txt": b"patched\n", "text/b.txt": b"loose\n", "text/own.txt": b"own\n"}
    assert game.read("dist/base.ewad") == shipped(seen)
    (game.folder / "patch.pak").write_bytes(plain.pak([(b"text/z.txt", b"z\n")]))
    game.ship()
    seen = {**SEEN, "text/b.txt": b"loose\n", "text/own.txt": b"own\n", "text/z.txt": b"z\n"}
    assert game.read("dist/base.ewad") == shipped(seen)


RULE = """
from lumpyard.rule import Product, Rule

def cook(sources, options):
    source = sources[0]
    listed = " ".join(source.glob("text/**"))
    there = source.exists("text/b.txt"), source.exists("text/nope")
    return [Product(f"{listed} {there} ".encode() + source.read("text/a.txt"))]

RULE = Rule(kind="asker", version=1, cook=cook)
"""


def test_rules_read_list_and_look_for_lumps_as_for_files(tmp_path: Path) -> None:
    way = {
        "mounts": [ARCHIVE],
        "rules": ["tools/asker.py"],
        "sets": {"asks": {"files": "one.ask", "rule": "asker", "compress": "none"}},
        "archives": {"base": {"sets": "asks"}},
    }
    game = a_game(tmp_path / "game", way)
    game.write({"tools/asker.py": RULE, "one.ask": b""})
    game.ship()
    start = b"text/a.txt text/b.txt text/sub/c.txt (True, False) "
    assert game.read("dist/base.ewad") == expected([Lump("one.ask", start + TEXTS[b"text/a.txt"], "none")])
    assert game.ship() == Ran()
    asked: list[tuple[dict[bytes, bytes | None], int]] = [
        ({b"text/b.txt": b"it was not read"}, 0),
        ({b"text/a.txt": b"new"}, 1),
        ({b"text/q": b""}, 1),
        ({b"text/b.txt": None}, 1),
    ]
    for number, (changes, cooks) in enumerate(asked):
        rewrite(game, a_pak(changes))
        assert game.ship().cooked == cooks
        assert game.outputs() == clean_build(game.folder, tmp_path / f"clean {number}", "ship:base")
        assert game.ship() == Ran()


READER = """
from lumpyard.rule import Product, Rule

RULE = Rule(kind="reader", version=1, cook=lambda sources, _: [Product(sources[0].read("text/sub/c.txt"))])
"""


def test_a_rule_may_read_a_lump_of_a_folder_that_no_set_looks_into(tmp_path: Path) -> None:
    way = {
        "mounts": [ARCHIVE],
        "rules": ["tools/reader.py"],
        "sets": {"one": {"files": "one.ask", "rule": "reader", "compress": "none"}},
        "archives": {"base": {"sets": "one"}},
    }
    game = a_game(tmp_path / "game", way)
    game.write({"tools/reader.py": READER, "one.ask": b""})
    game.ship()
    assert game.read("dist/base.ewad") == expected([Lump("one.ask", TEXTS[b"text/sub/c.txt"], "none")])
    assert game.ship() == Ran()
    rewrite(game, a_pak({b"text/sub/c.txt": b"new"}))
    assert game.ship().cooked == 1
    assert game.ship() == Ran()


def test_a_file_with_the_name_of_a_lump_is_refused(tmp_path: Path) -> None:
    game = a_game(tmp_path / "game", EXPANDED)
    game.write({f"{ARCHIVE}!art": b"a file"})
    assert {line.split(" ", 1)[1] for line in problems_of(game)} == {
        f"E0230 {ARCHIVE}: {ARCHIVE}!art has the name of one of its lumps"
    }


def test_an_archive_in_an_archive_may_be_mounted(tmp_path: Path) -> None:
    inner = plain.pak(list(TEXTS.items()))
    deeper = plain.pak([(b"in/er.pak", inner), (b"other.pak", plain.pak([(b"art/x.dat", b"other")]))])
    game = a_game(tmp_path / "game", {**MOUNTED, "mounts": [f"{ARCHIVE}!in/er.pak"]}, deeper)
    game.ship()
    assert game.read("dist/base.ewad") == shipped(SEEN)
    assert game.ship() == Ran()
    inner = a_pak({b"text/a.txt": b"changed\n"})
    rewrite(game, plain.pak([(b"in/er.pak", inner)]))
    assert game.ship().cooked == 1
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")
    game.set_manifest({**MOUNTED, "mounts": [f"{ARCHIVE}!nope.pak"]})
    assert f"'{ARCHIVE}!nope.pak' can't be mounted: {ARCHIVE} has no lump 'nope.pak'" in problems_of(game)[0]


def test_two_archives_in_one_are_not_taken_for_each_other(tmp_path: Path) -> None:
    both = plain.pak(
        [(b"a.pak", plain.pak([(b"art/x.dat", b"one")])), (b"b.pak", plain.pak([(b"art/x.dat", b"two")]))]
    )
    way: dict[str, Any] = {"sets": {"art": {"files": "art/*"}}, "archives": {"base": {"sets": "art"}}}
    game = a_game(tmp_path / "game", {"mounts": [f"{ARCHIVE}!a.pak"], **way}, both)
    os.utime(game.folder / ARCHIVE, (1_000_000_000, 1_000_000_000))
    for name, raw in (("a", b"one"), ("b", b"two"), ("a", b"one")):
        game.set_manifest({"mounts": [f"{ARCHIVE}!{name}.pak"], **way})
        game.ship()
        assert game.read("dist/base.ewad") == expected([Lump("art/x.dat", raw)])
