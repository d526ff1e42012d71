"""Lumps of archives as sources: through `mounts`, and by rule `archive` (design.md, sections 4 and 5).

Whatever happens to an archive, the next build writes what a clean one would, and redoes only what it must: "each lump
of a source archive is a source of its own, so a change in one lump recooks just that lump".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders import ewad, mpq, plain
from tests.builders.projects import Game, Lump, Ran, clean_build, expected

from lumpyard import disk
from lumpyard.archives import opening
from lumpyard.build.archived import SourceArchive
from lumpyard.build.task import ArchiveTask
from lumpyard.errors import ProblemsError
from lumpyard.ledger import parse_ledger

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXTS = {
    b"text/a.txt": b"the first text\n",
    b"text/b.txt": b"the second text\n",
    b"text/sub/c.txt": b"the third text\n",
    b"art/x.dat": b"some bytes " * 20,
}
ARCHIVE = "vendor/base.pak"


def a_pak(changes: dict[bytes, bytes | None] | None = None) -> bytes:
    """The archive, with some lumps other, added, or (None) left out."""
    lumps = {**TEXTS, **(changes or {})}
    return plain.pak([(name, raw) for name, raw in lumps.items() if raw is not None])


MOUNTED: dict[str, Any] = {
    "mounts": [ARCHIVE],
    "sets": {"texts": {"files": "text/**/*.txt", "rule": "text"}, "art": {"files": "art/*.dat"}},
    "archives": {"base": {"sets": ["texts", "art"]}},
}
EXPANDED: dict[str, Any] = {
    "sets": {
        "texts": {"files": ARCHIVE, "rule": "archive", "options": {"only": "text/**", "rule": "text"}},
        "art": {"files": ARCHIVE, "rule": "archive", "options": {"only": "art/**"}},
    },
    "archives": {"base": {"sets": ["texts", "art"]}},
}
WAYS = pytest.mark.parametrize("way", [MOUNTED, EXPANDED], ids=["mount", "rule"])


def a_game(folder: Path, way: dict[str, Any], archive: bytes | None = None) -> Game:
    game = Game(folder, way)
    game.write({ARCHIVE: a_pak() if archive is None else archive})
    return game


def shipped(lumps: dict[str, bytes]) -> bytes:
    """The archive that the tests' own writer makes of them; `.txt` is of type TEXT."""
    return expected(
        [
            Lump(name, raw, fourcc="TEXT" if name.endswith(".txt") else "", schema=int(name.endswith(".txt")))
            for name, raw in lumps.items()
        ]
    )


def sources_of(game: Game) -> dict[str, str]:
    """Source of each lump, by its name, as the symbols have it."""
    return {lump.name: lump.source for lump in parse_ledger(game.read("symbols/base.ewsym")).lumps}


def problems_of(game: Game) -> list[str]:
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    return [f"{problem.place} {problem.code} {problem.message}" for problem in caught.value.problems]


SEEN = {name.decode(): raw for name, raw in TEXTS.items()}


@WAYS
@pytest.mark.parametrize("workers", ["serial", "threads:2", "fork:2"])
def test_lumps_of_an_archive_become_lumps(tmp_path: Path, way: dict[str, Any], workers: str) -> None:
    game = a_game(tmp_path / "game", way)
    assert game.ship(LUMPYARD_WORKERS=workers).work == (3, 4)
    assert game.read("dist/base.ewad") == shipped(SEEN)
    assert game.ship() == Ran()


def test_each_lump_is_a_source_of_its_own(tmp_path: Path) -> None:
    game = a_game(tmp_path / "game", EXPANDED)
    game.ship()
    assert sources_of(game) == {name: f"{ARCHIVE}!{name}" for name in SEEN}
    game = a_game(tmp_path / "mounted", MOUNTED)
    game.ship()
    assert sources_of(game) == {name: name for name in SEEN}


EDITS: dict[str, tuple[dict[bytes, bytes | None], int]] = {
    "one lump": ({b"text/a.txt": b"a new first text\n"}, 1),
    "one lump, same size": ({b"text/a.txt": b"the First text\n"}, 1),
    "raw lump": ({b"art/x.dat": b"x" * 999}, 0),
    "added": ({b"text/d.txt": b"the fourth text\n"}, 1),
    "added in front": ({b"text/0.txt": b"the first text\n"}, 0),  # what it cooks to is known
    "removed": ({b"text/b.txt": None}, 0),
    "other folder": ({b"text/b.txt": None, b"text/new/b.txt": b"the second text\n"}, 0),
    "not used": ({b"other": b"nobody asks for it"}, 0),
}


def rewrite(game: Game, data: bytes) -> None:
    """Other bytes in place, as tools write; where the size is the same the mtime stays too."""
    path = game.folder / ARCHIVE
    before = path.stat()
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()
    if len(data) == before.st_size:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@WAYS
@pytest.mark.parametrize("edit", EDITS)
def test_after_a_change_only_the_lumps_that_changed_are_cooked(
    tmp_path: Path, way: dict[str, Any], edit: str
) -> None:
    changes, cooks = EDITS[edit]
    game = a_game(tmp_path / "game", way)
    game.ship()
    rewrite(game, a_pak(changes))
    assert game.ship().cooked == cooks
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")
    assert game.ship() == Ran()


@WAYS
def test_a_new_stat_alone_rebuilds_nothing(tmp_path: Path, way: dict[str, Any]) -> None:
    game = a_game(tmp_path / "game", way)
    game.ship()
    for seconds in (1, 2_000_000_000):
        os.utime(game.folder / ARCHIVE, (seconds, seconds))
        assert game.ship() == Ran()
    lumps = sorted(TEXTS.items(), reverse=True)  # the same lumps in another order, at other places
    rewrite(game, plain.pak(lumps))
    assert game.ship() == Ran()


@WAYS
def test_a_no_op_opens_no_archive(
    tmp_path: Path, way: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = a_game(tmp_path / "game", way)
    os.utime(game.folder / ARCHIVE, (1_000_000_000, 1_000_000_000))
    game.ship()
    game.ship()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("an archive was opened")

    monkeypatch.setattr(SourceArchive, "_open", refuse)
    monkeypatch.setattr(opening, "open_archive", refuse)
    task = ArchiveTask(game.open(), "base", "ship")
    assert task.is_fresh(game.stamps["ship:base"])


@WAYS
def test_a_plan_reads_the_directory_and_no_lump(
    tmp_path: Path, way: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = a_game(tmp_path / "game", way)
    monkeypatch.setattr(SourceArchive, "read", None)
    from lumpyard.plan import plan_all

    project = game.open()
    (plan,) = plan_all(project.manifest, "ship", project.rules(), project.tree())
    assert sorted(lump.name for lump in plan.lumps) == sorted(SEEN)


@WAYS
def test_one_change_reads_no_more_than_the_archive_once(
    tmp_path: Path, way: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = a_game(tmp_path / "game", way)
    game.write({"art/own.dat": b"own"})
    read: list[int] = []
    plainly = SourceArchive.read

    def noted(self: SourceArchive, index: int) -> bytes:
        read.append(index)
        return plainly(self, index)

    monkeypatch.setattr(SourceArchive, "read", noted)
    game.ship()
    read.clear()
    game.write({"art/own.dat": b"other"})  # a file of the project
    game.ship()
    assert read == []
    rewrite(game, a_pak({b"text/a.txt": b"other\n"}))
    game.ship()
    assert sorted(set(read)) == [0, 1, 2, 3]


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


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda path: path.unlink(), "it is not there"),
        (lambda path: path.write_bytes(a_pak()[:-1]), "the directory"),
        (lambda path: path.write_bytes(b""), "not an archive: it is empty, and a signature has 4 bytes"),
        (
            lambda path: path.write_bytes(b"version https://git-lfs.github.com/spec/v1\n"),
            "it is a Git LFS pointer",
        ),
        (lambda path: path.write_bytes(b"WAD2\xff\xff\xff\xff" + bytes(60)), "the directory"),
    ],
    ids=["gone", "truncated", "empty", "pointer", "broken"],
)
@WAYS
def test_an_archive_that_cannot_be_read_is_told_at_its_place_and_nothing_is_lost(
    tmp_path: Path, way: dict[str, Any], edit: Callable[[Path], None], why: str
) -> None:
    game = a_game(tmp_path / "game", way)
    game.ship()
    good = game.outputs()
    edit(game.folder / ARCHIVE)
    found = problems_of(game)
    if way is MOUNTED:
        assert found[0].startswith(f"assets.yaml:4:3 E0202 '{ARCHIVE}' can't be mounted: ")
    elif why != "it is not there":
        assert {line.partition(": ")[0].partition(" ")[2] for line in found} == {f"E0230 {ARCHIVE}"}
    assert any(why in line for line in found) or (way is EXPANDED and why == "it is not there")
    assert game.outputs() == good
    game.write({ARCHIVE: a_pak()})
    assert game.ship() == Ran() or game.outputs() == good


def test_a_mount_that_breaks_is_missed_also_where_nothing_was_taken_from_it(tmp_path: Path) -> None:
    way = {**MOUNTED, "mounts": [{"path": ARCHIVE, "at": "spare"}]}
    game = a_game(tmp_path / "game", way)
    game.write({"text/own.txt": b"own\n", "art/own.dat": b"own"})
    game.ship()
    assert game.ship() == Ran()
    (game.folder / ARCHIVE).write_bytes(b"PACKfoo")
    assert "E0202" in problems_of(game)[0]


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


def test_a_lump_that_does_not_decode_fails_the_build_with_one_line_and_others_do_not_matter(
    tmp_path: Path,
) -> None:
    data = bytearray(ewad.build([ewad.Written(b"bad", b"abc"), ewad.Written(b"good", b"abcd")]))
    data[data.index(b"abc\0")] ^= 1
    way: dict[str, Any] = {
        "sets": {"all": {"files": ARCHIVE, "rule": "archive"}},
        "archives": {"base": {"sets": "all"}},
    }
    game = a_game(tmp_path / "game", way, bytes(data))
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    (problem,) = caught.value.problems
    assert (str(problem.place), problem.code) == (f"{ARCHIVE}!bad", "E0405")
    assert "\n" not in problem.message
    assert caught.value.exit_status == 3
    game.set_manifest(
        {"mounts": [ARCHIVE], "sets": {"all": {"files": ["bad", "good"]}}, "archives": way["archives"]}
    )
    assert [line.split()[0] for line in problems_of(game)] == [f"{ARCHIVE}!bad"]
    way["sets"]["all"]["options"] = {"exclude": "bad"}
    game.set_manifest(way)
    game.ship()
    assert list(sources_of(game)) == ["good"]


def test_an_archive_that_changes_while_it_is_read_fails_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = a_game(tmp_path / "game", EXPANDED)
    plainly = disk.OpenFile.read_at

    def read_at(self: disk.OpenFile, offset: int, length: int) -> bytes:
        if self.path.endswith("base.pak"):
            with (game.folder / ARCHIVE).open("r+b") as file:
                file.truncate(100)
        return plainly(self, offset, length)

    monkeypatch.setattr(disk.OpenFile, "read_at", read_at)
    assert {line.split()[1] for line in problems_of(game)} == {"E0404"}
    monkeypatch.undo()
    game.write({ARCHIVE: a_pak()})
    game.ship()
    assert game.read("dist/base.ewad") == shipped(SEEN)


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


def test_a_file_with_the_name_of_a_lump_is_refused(tmp_path: Path) -> None:
    game = a_game(tmp_path / "game", EXPANDED)
    game.write({f"{ARCHIVE}!art": b"a file"})
    assert {line.split(" ", 1)[1] for line in problems_of(game)} == {
        f"E0230 {ARCHIVE}: {ARCHIVE}!art has the name of one of its lumps"
    }


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
@pytest.mark.parametrize("workers", ["serial", "fork:2"])
def test_large_lumps_go_through_in_pieces(tmp_path: Path, way: dict[str, Any], workers: str) -> None:
    large = b"0123456789abcdef" * (5 << 16)
    way = {**way, "sets": {**way["sets"], "art": {**way["sets"]["art"], "compress": "none"}}}
    game = a_game(tmp_path / "game", way, a_pak({b"art/x.dat": large}))
    game.ship(LUMPYARD_WORKERS=workers)
    lumps = [Lump(name, raw, fourcc="TEXT", schema=1) for name, raw in SEEN.items() if name.endswith(".txt")]
    assert game.read("dist/base.ewad") == expected([*lumps, Lump("art/x.dat", large, "none")])
    assert game.ship() == Ran()


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


@WAYS
def test_a_pack_that_may_be_several_formats_is_told_by_format(tmp_path: Path, way: dict[str, Any]) -> None:
    data = b"PACK" + (12).to_bytes(4, "little") + (576).to_bytes(4, "little") + bytes(576)
    game = a_game(tmp_path / "game", way, data)
    found = [line for line in problems_of(game) if "can be read as" in line]
    assert found
    assert all(line.endswith("say which with `format`") for line in found)
