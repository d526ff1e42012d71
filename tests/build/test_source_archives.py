"""Lumps of archives as sources: each is its own, and a change costs what changed (design.md, sections 4 and 5)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.build.source_archives import (
    ARCHIVE,
    EXPANDED,
    MOUNTED,
    SEEN,
    TEXTS,
    WAYS,
    a_game,
    a_pak,
    problems_of,
    rewrite,
    shipped,
    sources_of,
)
from tests.builders import ewad, plain
from tests.builders.projects import Lump, Ran, clean_build, expected

from lumpyard import disk
from lumpyard.archives import opening
from lumpyard.build.sources.archived import SourceArchive
from lumpyard.build.task import ArchiveTask
from lumpyard.errors import ProblemsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


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
def test_a_pack_that_may_be_several_formats_is_told_by_format(tmp_path: Path, way: dict[str, Any]) -> None:
    data = b"PACK" + (12).to_bytes(4, "little") + (576).to_bytes(4, "little") + bytes(576)
    game = a_game(tmp_path / "game", way, data)
    found = [line for line in problems_of(game) if "can be read as" in line]
    assert found
    assert all(line.endswith("say which with `format`") for line in found)
