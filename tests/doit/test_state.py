"""Broken or foreign state means a rebuild, never an error; and what is rebuilt is what was there."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import TWO_LINES, Repo

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OUTPUTS = ("dist/base.ewad", "dist/dlc.ewad", "symbols/base.ewsym", "archives.lock")


@pytest.fixture
def shipped(repo: Repo) -> Repo:
    repo.doit("ship").ok()
    return repo


def outputs(repo: Repo) -> dict[str, bytes]:
    return {path: repo.read(path) for path in OUTPUTS}


def remove_all(state: Path) -> None:
    shutil.rmtree(state)


def remove_database(state: Path) -> None:
    (state / "doit.db").unlink()


def write_garbage(state: Path) -> None:
    (state / "doit.db").write_bytes(b"\x00garbage" * 1000)


def cut_database(state: Path) -> None:
    (state / "doit.db").write_bytes((state / "doit.db").read_bytes()[:5000])


def write_json(state: Path) -> None:
    (state / "doit.db").write_text(json.dumps({"ship:base": {"checker:": "MD5Checker"}}))


def write_bad_row(state: Path) -> None:
    with closing(sqlite3.connect(state / "doit.db")) as connection, connection:
        connection.execute("insert or replace into doit values ('ship:base', '{not json')")


def write_odd_row(state: Path) -> None:
    with closing(sqlite3.connect(state / "doit.db")) as connection, connection:
        connection.execute("insert or replace into doit values ('ship:base', '[1, 2]')")


def write_bytes_row(state: Path) -> None:
    with closing(sqlite3.connect(state / "doit.db")) as connection, connection:
        connection.execute("insert or replace into doit values (?, ?)", (b"\xff", b"\xff\xfe"))


def write_other_table(state: Path) -> None:
    remove_database(state)
    with closing(sqlite3.connect(state / "doit.db")) as connection, connection:
        connection.execute("create table doit (something integer)")


def write_dbm(state: Path) -> None:
    import dbm.dumb

    remove_database(state)
    with dbm.dumb.open(str(state / "doit.db"), "n") as database:
        database["ship:base"] = "{}"


DAMAGE: list[Callable[[Path], None]] = [
    remove_all,
    remove_database,
    write_garbage,
    cut_database,
    write_json,
    write_bad_row,
    write_odd_row,
    write_bytes_row,
    write_other_table,
    write_dbm,
]


@pytest.mark.parametrize("damage", DAMAGE, ids=[damage.__name__ for damage in DAMAGE])
def test_a_lost_or_broken_database_is_no_error(shipped: Repo, damage: Callable[[Path], None]) -> None:
    before = outputs(shipped)
    damage(shipped.folder / ".lumpyard")
    ran = shipped.doit("ship")
    assert ran.status == 0
    assert "Traceback" not in ran.err
    assert outputs(shipped) == before
    assert shipped.doit("ship").ok().lines == ["-- ship:base", "-- ship:dlc"]


def test_one_line_says_what_became_of_a_broken_database(shipped: Repo) -> None:
    write_garbage(shipped.folder / ".lumpyard")
    ran = shipped.doit("list")
    said = "lumpyard: .lumpyard/doit.db is no database of doit's sqlite3 backend; it is .lumpyard/doit.db.broken now\n"
    assert (ran.status, ran.err) == (0, said)
    assert shipped.exists(".lumpyard/doit.db.broken")
    ran = shipped.doit("ship").ok()
    assert ran.lines == ["ship:base: dist/base.ewad is as it was", "ship:dlc: dist/dlc.ewad is as it was"]


@pytest.mark.parametrize("kind", ["exclusive", "immediate"])
def test_a_database_that_another_process_keeps_locked_is_no_error(shipped: Repo, kind: str) -> None:
    """doit itself waits five seconds, ends with a traceback, and loses what it had to save."""
    shipped.write({"assets/blobs/x.bin": b"other"})
    with closing(sqlite3.connect(shipped.folder / ".lumpyard/doit.db", isolation_level=None)) as connection:
        connection.execute(f"begin {kind}")
        ran = shipped.doit("ship")
        connection.execute("rollback")
    assert ran.status == 0
    said = "lumpyard: .lumpyard/doit.db cannot be used (database is locked); what this run finds out is not kept\n"
    assert ran.err == said
    assert ran.lines[0] == "ship:base: dist/base.ewad is as it was"
    assert ran.lines[-1].endswith("1 lump made anew")
    assert shipped.doit("ship").status == 0
    assert shipped.states() | {"ship:base": "U", "ship:dlc": "U"} == shipped.states()


@pytest.mark.parametrize(
    "path",
    ["state/ship/base.state", "built/ship/base.rec", "fingerprints", "doit.db.broken", "lock", "manifests"],
)
@pytest.mark.parametrize("how", ["garbage", "removed"])
def test_any_other_file_of_ours_may_be_lost_or_broken(shipped: Repo, path: str, how: str) -> None:
    before = outputs(shipped)
    target = shipped.folder / ".lumpyard" / path
    if target.is_dir():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    if how == "garbage":
        target.write_bytes(b"\xff\x00garbage")
    ran = shipped.doit("ship")
    assert ran.status == 0, ran
    assert "Traceback" not in ran.out + ran.err
    assert outputs(shipped) == before
    assert shipped.doit("ship").status == 0
    assert outputs(shipped) == before


def test_looking_at_a_project_that_cannot_be_written_works(shipped: Repo, unprivileged: list[str]) -> None:
    for path in (shipped.folder, *shipped.folder.rglob("*")):
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    ran = shipped.start("doit", "list", "--all", "--status", before=unprivileged).wait()
    assert ran.status == 0
    assert "Traceback" not in ran.err
    assert ran.err.count("\n") == 1
    assert "what this run finds out is not kept" in ran.err
    for command in ("plan", "why texts/a.txt", "check", "report"):
        assert shipped.start("lumpyard", *command.split(), before=unprivileged).wait().status == 0
    for command in ("forget ship", "clean --forget ship", "ignore ship:base", "reset-dep"):
        ran = shipped.start("doit", *command.split(), before=unprivileged).wait()
        assert (ran.status, ran.out) == (3, "")
        assert ran.err.startswith("ERROR: .lumpyard/doit.db cannot be used (")
        assert ran.err.count("\n") == 1
    ran = shipped.start("doit", "ship", before=unprivileged).wait()
    assert ran.status == 1
    assert "Traceback" not in ran.out + ran.err
    assert "lumpyard: error: cannot" in ran.out


def test_a_database_that_cannot_be_written_is_no_error(shipped: Repo, unprivileged: list[str]) -> None:
    """As after a `sudo doit`, where the folder is one's own."""
    for path in (shipped.folder, *shipped.folder.rglob("*")):
        path.chmod(0o777)
    (shipped.folder / ".lumpyard/doit.db").chmod(0o444)
    ran = shipped.start("doit", "ship", before=unprivileged).wait()
    said = "cannot be used (attempt to write a readonly database); what this run finds out is not kept\n"
    assert (ran.status, ran.err) == (0, f"lumpyard: .lumpyard/doit.db {said}")


def test_a_new_project_needs_no_folder_first(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "game", dodo=TWO_LINES)
    assert not repo.exists(".lumpyard")
    repo.doit("list").ok()
    repo.doit("ship").ok()
    assert repo.exists(".lumpyard/doit.db")


@pytest.mark.parametrize("options", [(), ("--forget",)])
def test_what_cannot_be_removed_is_told_in_one_line_and_the_rest_goes(
    shipped: Repo, unprivileged: list[str], options: tuple[str, ...]
) -> None:
    (shipped.folder / "dist").chmod(0o555)
    ran = shipped.start("doit", "clean", *options, "ship", before=unprivileged).wait()
    (shipped.folder / "dist").chmod(0o755)
    refusals = [f"cannot remove dist/{name}.ewad: Permission denied" for name in ("dlc", "base")]
    assert (ran.status, ran.err) in [
        (3, f"ERROR: {'; '.join(order)}\n") for order in (refusals, refusals[::-1])
    ]
    assert "Traceback" not in ran.out
    assert "ship:base - removing file 'symbols/base.ewsym'" in ran.lines
    assert not shipped.exists("symbols/base.ewsym")
    assert shipped.exists("dist/base.ewad")
    ran = shipped.doit("clean", "ship").ok()
    assert ran.lines == [
        "ship:dlc - executing 'Python: remove dist/dlc.ewad, symbols/dlc.ewsym'",
        "ship:dlc - removing file 'dist/dlc.ewad'",
        "ship:base - executing 'Python: remove dist/base.ewad, symbols/base.ewsym'",
        "ship:base - removing file 'dist/base.ewad'",
    ]


def test_a_dry_run_of_clean_names_what_is_there_and_removes_nothing(shipped: Repo) -> None:
    ran = shipped.doit("clean", "--dry-run", "ship:base").ok()
    assert ran.lines[1:] == [
        "ship:base - removing file 'dist/base.ewad'",
        "ship:base - removing file 'symbols/base.ewsym'",
    ]
    assert shipped.exists("dist/base.ewad")
