"""doit's commands in a project with and without a dodo.py do what doit users know (design.md, section 10)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad
from tests.builders.doits import MANIFEST, TWO_LINES, Repo

if TYPE_CHECKING:
    from pathlib import Path

PACKED = ("build/base.ewad", "build/dlc.ewad")
SHIPPED = ("dist/base.ewad", "dist/dlc.ewad")


def sizeless(line: str) -> str:
    """A line of output without the sizes of what it tells of."""
    return re.sub(r", [0-9.]+ k?B", "", line)


@pytest.fixture(params=["loader", "dodo.py", "subfolder"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Repo, str, list[str]]:
    """A project, the folder below it in which doit runs, and doit's own options there.

    "doit reads its configuration in the current folder only, so `-k` from a subfolder needs a dodo.py".
    """
    if request.param == "loader":
        return Repo(tmp_path / "game"), "", []
    repo = Repo(tmp_path / "game", dodo=TWO_LINES)
    return (repo, "assets/texts", ["-k"]) if request.param == "subfolder" else (repo, "", [])


def test_a_day_with_doit(place: tuple[Repo, str, list[str]]) -> None:
    """The same commands in each kind of project: build, look, change, ship, verify, clean, forget."""
    repo, below, options = place

    def doit(command: str, *args: str) -> list[str]:
        return [
            sizeless(line) for line in repo.doit(*command.split(), *options, *args, below=below).ok().lines
        ]

    assert doit("list") == [
        "pack     build the development archives in build/",
        "report   show how large the archives in dist/ are, else those in build/",
        "ship     build the release in dist/, with symbols and archives.lock",
        "verify   check the archives in dist/, else in build/",
    ]
    assert doit("run") == [  # the default is `pack`
        "pack:base: pack 2 lumps",
        "pack:base: verify 2 lumps",
        "pack:base: build/base.ewad: 2 lumps made anew",
        "pack:dlc: pack 1 lump",
        "pack:dlc: verify 1 lump",
        "pack:dlc: build/dlc.ewad: 1 lump made anew",
    ]
    assert [path for path in (*PACKED, *SHIPPED) if repo.exists(path)] == list(PACKED)
    assert doit("run") == ["-- pack:base", "-- pack:dlc"]
    assert [line for line in doit("run", "ship") if "dist/" in line] == [
        "ship:base: dist/base.ewad: 2 lumps, none made anew",
        "ship:dlc: dist/dlc.ewad: 1 lump, none made anew",
    ]
    assert doit("run", "ship") == ["-- ship:base", "-- ship:dlc"]
    assert doit("run", "verify") == [
        "verify:base: dist/base.ewad is whole",
        "verify:dlc: dist/dlc.ewad is whole",
    ]
    states = [line.split()[:2] for line in doit("list", "--all", "--status")]
    assert {name: state for state, name in states if ":" in name} == {
        **dict.fromkeys(["pack:base", "pack:dlc", "ship:base", "ship:dlc"], "U"),
        **dict.fromkeys(["verify:base", "verify:dlc"], "R"),
    }
    lock = repo.read("archives.lock")
    assert doit("clean", "ship")
    assert not repo.exists(SHIPPED[0])
    assert not repo.exists("symbols/base.ewsym")
    assert repo.read("archives.lock") == lock
    assert doit("run", "ship")[-1] == "ship:dlc: dist/dlc.ewad: 1 lump, none made anew"
    assert repo.read("archives.lock") == lock
    assert "forgetting ship:base" in doit("forget", "ship")
    assert doit("run", "ship") == [
        "ship:base: dist/base.ewad is as it was",
        "ship:dlc: dist/dlc.ewad is as it was",
    ]
    assert not repo.leftovers()


@pytest.mark.parametrize("how", [(), ("-n", "2"), ("-n", "2", "-P", "process"), ("--continue",)])
def test_however_doit_runs_the_tasks_the_files_are_the_same(repo: Repo, how: tuple[str, ...]) -> None:
    ran = repo.doit("run", *how, "pack", "ship").ok()
    expected = ewad.build(
        [
            ewad.Written(b"texts/a.txt", b"alpha\n" * 20, fourcc=int.from_bytes(b"TEXT", "little"), schema=2),
            ewad.Written(b"texts/b.txt", b"beta\n" * 20, fourcc=int.from_bytes(b"TEXT", "little"), schema=2),
        ],
        named=False,
    )
    shipped = repo.read("dist/base.ewad")
    assert ewad.header(shipped, "lumps") == 2
    assert [ewad.entry(shipped, index, "key") for index in range(2)] == [
        ewad.entry(expected, index, "key") for index in range(2)
    ]
    assert [ewad.entry(shipped, index, "schema") for index in range(2)] == [2, 2]
    assert {path: ewad.header(repo.read(path), "lumps") for path in (*PACKED, *SHIPPED)} == {
        "build/base.ewad": 2,
        "build/dlc.ewad": 1,
        "dist/base.ewad": 2,
        "dist/dlc.ewad": 1,
    }
    assert repo.json("build/ship.json")["result"] == "ok"
    assert [each["id"] for each in repo.json("build/ship.json")["archives"]] == ["base", "dlc"]
    assert list(repo.json("archives.lock")["archives"]) == ["base", "dlc"]
    assert sum("made anew" in line for line in ran.lines) == 4
    assert repo.doit("run", *how, "pack", "ship").ok().lines == [
        "-- pack:base",
        "-- pack:dlc",
        "-- ship:base",
        "-- ship:dlc",
    ]
    assert not repo.leftovers()


def test_info_says_what_changed(repo: Repo) -> None:
    assert "never built" in repo.doit("info", "ship:base").out
    repo.doit("ship").ok()
    fresh = repo.doit("info", "ship:base").ok()
    assert "status     : up-to-date" in fresh.out
    repo.write({"assets/texts/b.txt": b"other\n", "assets/texts/new.txt": b"new\n"})
    (repo.folder / "assets/texts/a.txt").unlink()
    said = repo.doit("info", "ship:base")
    assert (said.status, said.err) == (1, "")  # doit's way to say "not up to date"
    assert "texts/a.txt" in said.out
    assert "texts/b.txt changed" in said.out
    assert "texts/new.txt" in said.out
    assert "status     : up-to-date" in repo.doit("info", "ship:dlc").ok().out
    assert not repo.exists("build/base.ewad")
    repo.doit("ship").ok()
    repo.doit("forget", "ship:base").ok()
    assert "forgotten" in repo.doit("info", "ship:base").out
    (repo.folder / "dist/dlc.ewad").write_bytes(b"")
    assert "dist/dlc.ewad" in repo.doit("info", "ship:dlc").out


def test_commands_that_look_write_no_archive_and_take_no_lock(repo: Repo) -> None:
    for command in ("list", "list --all --status", "info ship:base", "clean --dry-run ship", "help"):
        ran = repo.doit(*command.split())
        assert "Traceback" not in ran.out + ran.err
    assert not any(
        repo.exists(path) for path in ("build", "dist", "symbols", "archives.lock", ".lumpyard/lock")
    )


def test_with_continue_one_broken_archive_does_not_keep_the_others_back(repo: Repo) -> None:
    """All failures of a run are listed, not the first alone."""
    repo.write({"assets.yaml": BROKEN.encode(), "assets/json/a.json": b"{]", "assets/json/b.json": b"[1,]"})
    ran = repo.doit("run", "--continue", "ship:base", "ship:dlc")
    assert (ran.status, ran.err) == (1, "")
    assert "assets/json/a.json:1:2: error[" in ran.out
    assert "assets/json/b.json:1:3: error[" in ran.out
    assert ran.out.count("ship:base: failed") == 1
    assert "2 errors" in ran.out
    assert repo.exists("dist/dlc.ewad")
    assert not repo.exists("dist/base.ewad")
    report = repo.json("build/ship.json")
    assert (report["result"], report["exit_status"]) == ("failed", 6)
    assert [each["id"] for each in report["archives"]] == ["dlc"]
    assert [problem["path"] for problem in report["problems"]] == ["assets/json/a.json", "assets/json/b.json"]
    assert list(repo.json("archives.lock")["archives"]) == ["dlc"]


def test_the_group_says_because_of_what_it_is_not_complete(repo: Repo) -> None:
    """doit counts a group that is not complete as an error, 2, beside the failed task's 1."""
    repo.write({"assets.yaml": BROKEN.encode(), "assets/json/a.json": b"{]"})
    ran = repo.doit("run", "--continue", "ship")
    assert (ran.status, ran.err) == (2, "")
    assert ran.lines[-1] == "ship: not complete, because of ship:base"
    assert repo.exists("dist/dlc.ewad")


def test_without_continue_the_first_failure_ends_the_run(repo: Repo) -> None:
    repo.write({"assets.yaml": BROKEN.encode(), "assets/json/a.json": b"{]"})
    ran = repo.doit("ship")
    assert (ran.status, ran.err) == (1, "")
    assert not repo.exists("dist/dlc.ewad")


def test_an_archive_is_built_by_its_own_name_or_its_path(repo: Repo) -> None:
    assert len(repo.doit("ship:dlc").ok().lines) == 3
    assert not repo.exists("dist/base.ewad")
    assert repo.doit("dist/dlc.ewad").ok().lines == ["-- ship:dlc"]
    assert repo.doit("build/base.ewad").ok().lines[-1].startswith("pack:base: build/base.ewad")


def test_verify_builds_nothing_and_says_what_is_wrong(repo: Repo) -> None:
    ran = repo.doit("verify")
    assert (ran.status, ran.err) == (1, "")
    assert "there is neither dist/base.ewad nor build/base.ewad" in ran.out
    assert not repo.exists("build/base.ewad")
    repo.doit("pack").ok()
    assert repo.doit("verify:base").ok().lines == ["verify:base: build/base.ewad is whole"]
    repo.doit("ship").ok()
    damaged = bytearray(repo.read("dist/base.ewad"))
    damaged[-1] ^= 1
    repo.write({"dist/base.ewad": bytes(damaged)})
    ran = repo.doit("verify:base")
    assert ran.status == 1
    assert "dist/base.ewad" in ran.out
    assert "hash" in ran.out
    assert repo.read("dist/base.ewad") == bytes(damaged)


def test_a_project_in_a_subfolder_of_where_doit_runs(tmp_path: Path) -> None:
    """A dodo.py may name a manifest elsewhere; all its paths are then seen from there."""
    Repo(tmp_path / "top" / "game")
    top = Repo(
        tmp_path / "top", dodo=TWO_LINES.replace("assets.yaml", "game/assets.yaml"), manifest="", files={}
    )
    assert top.doit("ship").ok().lines[-1].startswith("ship:dlc: game/dist/dlc.ewad")
    assert {path.name for path in top.folder.iterdir()} >= {"game", "dodo.py"}
    assert not any(top.exists(path) for path in ("dist", "build", ".lumpyard"))
    assert top.doit("ship").ok().lines == ["-- ship:base", "-- ship:dlc"]
    assert top.doit("game/dist/base.ewad").ok().lines == ["-- ship:base"]


BROKEN = """\
version: 1
sets:
  json: {root: assets, files: "json/*.json", rule: json}
  blobs: {root: assets, files: "blobs/*.bin"}
archives:
  base: {sets: [json]}
  dlc: {sets: [blobs]}
"""


def test_a_process_without_standard_streams_builds_all_the_same(repo: Repo) -> None:
    """As under cron, or a service manager that closes them."""
    closed = ("/bin/sh", "-c", 'exec "$@" >&- 2>&-', "sh")
    for words in (("doit", "ship"), ("lumpyard", "ship"), ("doit", "pack"), ("doit", "verify")):
        assert repo.start(*words, before=closed).wait().status == 0, words
    assert [path for path in (*PACKED, *SHIPPED) if not repo.exists(path)] == []


@pytest.mark.parametrize("how", [(), ("-n", "2"), ("-n", "2", "-P", "process")])
def test_a_full_ship_drops_the_blocks_of_archives_that_are_gone(repo: Repo, how: tuple[str, ...]) -> None:
    """ "Blocks of archives that the manifest no longer has go with the next full ship"."""
    more = "  more: {sets: [texts]}\n  most: {sets: [texts, blobs]}\n"
    repo.write({"assets.yaml": (MANIFEST + more + "  gone: {sets: [blobs]}\n").encode()})
    repo.doit("run", *how, "ship").ok()
    assert list(repo.json("archives.lock")["archives"]) == ["base", "dlc", "gone", "more", "most"]
    repo.write({"assets.yaml": (MANIFEST + more).encode()})
    repo.doit("ship:base").ok()
    assert "gone" in repo.json("archives.lock")["archives"]
    (repo.folder / "dist/gone.ewad").unlink()  # or a ship warns of it
    repo.doit("run", *how, "ship").ok()
    assert list(repo.json("archives.lock")["archives"]) == ["base", "dlc", "more", "most"]
    lines = repo.doit("run", *how, "ship").ok().lines
    assert lines == ["-- ship:base", "-- ship:dlc", "-- ship:more", "-- ship:most"]
