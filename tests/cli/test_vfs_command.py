"""`lumpyard vfs`: the merged tree of a project, or of what `--mount` says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.builders.mounts import make_ewad, make_mpq, make_wad, write_tree

from lumpyard.cli.vfs_access import split_mount
from lumpyard.errors import UsageError

if TYPE_CHECKING:
    from tests.cli.conftest import Run

MANIFEST = """
version: 1
mounts:
  - {path: ../shared, at: art}
  - vendor/base.mpq
  - {path: vendor/more.wad, at: old}
sets:
  a: {files: "**/*.txt", optional: true}
archives:
  base: {sets: [a]}
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a folder and two archives as mounts; every test runs in it."""
    write_tree(
        tmp_path,
        [
            ("project/assets.yaml", MANIFEST.encode()),
            ("project/assets/a.txt", b"loose a"),
            ("project/assets/b.txt", b"loose b"),
            ("project/.hidden/x", b""),
            ("project/build/base.ewad", b"never seen"),
            ("project/archives.lock", b"never seen"),
            ("project/vendor/base.mpq", make_mpq([("Assets/A.txt", b"mpq a"), ("units/c.txt", b"mpq c")])),
            ("project/vendor/more.wad", make_wad([("TITLE", b"one"), ("TITLE", b"two")])),
            ("shared/d.txt", b"shared d"),
        ],
    )
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def test_ls_lists_what_lump_sets_can_draw_from(run: Run) -> None:
    ran = run("vfs", "ls")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "(listfile)",
        "Assets/A.txt",
        "art/d.txt",
        "assets.yaml",
        "assets/b.txt",
        "old/TITLE",
        "old/TITLE~1",
        "units/c.txt",
        "vendor/base.mpq",
        "vendor/more.wad",
    ]
    assert ".hidden/x" in run("vfs", "ls", "--all").out.splitlines()
    assert not any(name in run("vfs", "ls", "-a").out for name in ("archives.lock", "build"))


def test_ls_takes_patterns_and_names_as_ls_of_an_archive_does(run: Run) -> None:
    assert run("vfs", "ls", "**/*.txt", "old/*").out.split() == [
        "Assets/A.txt",
        "art/d.txt",
        "assets/b.txt",
        "old/TITLE",
        "old/TITLE~1",
        "units/c.txt",
    ]
    assert run("vfs", "ls", "UNITS\\C.TXT").out == "units/c.txt\n"
    assert run("vfs", "ls", ".hidden/x").out == ".hidden/x\n"
    ran = run("vfs", "ls", "assets/*", "unit/*", "units/cc.txt")
    assert (ran.status, ran.out) == (1, "assets/b.txt\n")
    assert ran.err.splitlines() == [
        "lumpyard: error: no file matches 'unit/*'",
        "lumpyard: error: no file matches 'units/cc.txt'; did you mean 'units/c.txt'?",
    ]
    assert run("vfs", "ls", "a/../b").status == 2


def test_ls_says_where_each_file_is_from(run: Run) -> None:
    assert run("vfs", "ls", "--long", "art/*", "units/*").out.splitlines() == [
        "raw  stored  name         from",
        "  8       -  art/d.txt    ../shared/d.txt",
        "  5       5  units/c.txt  vendor/base.mpq!units/c.txt",
    ]
    assert run("vfs", "ls", "--json", "art/*", "units/*").json == [
        {"name": "art/d.txt", "source": "../shared/d.txt", "format": "folder", "raw_size": 8},
        {
            "name": "units/c.txt",
            "source": "vendor/base.mpq!units/c.txt",
            "format": "MPQ",
            "entry": 1,
            "stored_size": 5,
            "raw_size": 5,
        },
    ]
    Path("assets/caf\udce9").write_bytes(b"")
    (found,) = run("vfs", "ls", "--json", "assets/caf*").json
    assert (found["name"], found["name_hex"]) == ("assets/caf\udce9", b"assets/caf\xe9".hex())


def test_cat_writes_the_file_that_lies_uppermost(run: Run) -> None:
    assert run("vfs", "cat", "assets/a.txt").stdout == b"mpq a"
    assert run("vfs", "cat", "assets/b.txt").stdout == b"loose b"
    assert run("vfs", "cat", "old/title").stdout == b"two"
    ran = run("vfs", "cat", "assets/c.txt")
    assert (ran.status, ran.stdout) == (1, b"")
    assert ran.err == "lumpyard: error: no file 'assets/c.txt' in any mount; did you mean 'units/c.txt'?\n"


def test_cat_of_a_damaged_lump_writes_no_byte(run: Run) -> None:
    data = bytearray(make_ewad([("assets/b.txt", b"damaged here")]))
    data[data.index(b"damaged")] ^= 1
    Path("bad.ewad").write_bytes(data)
    ran = run("vfs", "cat", "-m", "assets.yaml", "--mount", "bad.ewad", "assets/b.txt")
    assert (ran.status, ran.stdout) == (3, b"")
    assert ran.err.startswith("lumpyard: error: bad.ewad: entry 0 ('assets/b.txt'): the content hash is ")


def test_explain_shows_the_winner_what_it_hides_and_the_rule(run: Run) -> None:
    ran = run("vfs", "explain", "assets/a.txt")
    assert ran.status == 0
    reason = "an MPQ hashes names in upper case, with backslashes"
    assert ran.out.splitlines() == [
        "assets/a.txt",
        f"  taken   vendor/base.mpq!Assets/A.txt, 5 bytes; it is spelled so; {reason}",
        "  hidden  assets/a.txt, 7 bytes",
        "  rule    of all mounts that have a name, the latest is taken",
    ]
    found = run("vfs", "explain", "--json", "assets/a.txt").json
    assert found["rule"] == "of all mounts that have a name, the latest is taken"
    assert found["winner"] == {
        "source": "vendor/base.mpq!Assets/A.txt",
        "mount": "vendor/base.mpq",
        "at": "",
        "format": "MPQ",
        "path": "Assets/A.txt",
        "raw_size": 5,
        "stored_size": 5,
        "entry": 0,
        "note": "is spelled so; an MPQ hashes names in upper case, with backslashes",
    }
    assert [one["source"] for one in found["shadowed"]] == ["assets/a.txt"]


def test_explain_shows_twins_prefixes_and_folders(run: Run) -> None:
    assert run("vfs", "explain", "old/TITLE").out.splitlines()[1:3] == [
        "  taken   vendor/more.wad!TITLE, 3 bytes, mounted at old",
        "  hidden  vendor/more.wad!TITLE~1, 3 bytes, mounted at old; it has the same name in the same archive",
    ]
    ran = run("vfs", "explain", "old")
    assert ran.status == 1
    assert ran.out.splitlines()[1:3] == [
        "  taken   nothing",
        "  hidden  vendor/more.wad, mounted at old; it is a folder",
    ]
    ran = run("vfs", "explain", "nowhere")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "lumpyard: error: no file 'nowhere' in any mount\n"


def test_explain_tells_all_files_that_hide_others(run: Run) -> None:
    assert run("vfs", "explain", "--conflicts").out.splitlines() == [
        "Assets/A.txt",
        "  taken   vendor/base.mpq!Assets/A.txt, 5 bytes",
        "  hidden  assets/a.txt, 7 bytes",
        "  rule    of all mounts that have a name, the latest is taken",
    ]
    write_tree("loose", [("units/c.txt/x", b"1")])
    mounts = ("--mount", "vendor/base.mpq", "--mount", "loose")
    found = run("vfs", "explain", "--conflicts", "--json", *mounts).json
    assert [(one["name"], one["winner"], len(one["shadowed"])) for one in found] == [("units/c.txt", None, 2)]
    assert run("vfs", "explain", "--conflicts", *mounts).out.splitlines()[1:3] == [
        "  taken   nothing",
        "  hidden  loose/units/c.txt; it is a folder",
    ]
    assert run("vfs", "explain", "--conflicts", "--mount", "loose").out == ""
    for wrong in ((), ("a", "--conflicts")):
        assert run("vfs", "explain", *wrong).status == 2


def test_a_lump_of_no_archive_is_refused_as_such(run: Run) -> None:
    ran = run("vfs", "ls", "--mount", "!inner.wad")
    assert (ran.status, ran.err) == (
        5,
        "lumpyard: error: cannot mount !inner.wad: no archive is named ahead of the `!`\n",
    )


def test_mounts_are_tried_without_a_manifest(run: Run) -> None:
    write_tree("loose", [("assets/a.txt", b"loose")])
    mounts = ("--mount", "vendor/base.mpq", "--mount", "loose")
    assert run("vfs", "cat", *mounts, "assets/a.txt").out == "loose"
    assert run("vfs", "cat", *mounts, "--archives-first", "assets/a.txt").out == "mpq a"
    assert run("vfs", "ls", *mounts, "--archives-first").out.split() == [
        "(listfile)",
        "Assets/A.txt",
        "units/c.txt",
    ]
    assert run("vfs", "ls", "--mount", "loose:x/y").out == "x/y/assets/a.txt\n"
    Path("outer.ewad").write_bytes(make_ewad([("in.wad", make_wad([("A", b"x")]))]))
    assert run("vfs", "ls", "--mount", "outer.ewad!in.wad:in").out == "in/A\n"


def test_what_cannot_be_mounted_is_said(run: Run) -> None:
    os.mkfifo("pipe")
    os.symlink("nowhere", "to")
    for mount, status, message in (
        ("gone.wad", 5, "cannot mount gone.wad: there is no file or folder gone.wad"),
        ("pipe", 5, "cannot mount pipe: it is a FIFO, neither a folder nor an archive"),
        ("to", 5, "cannot mount to: it is a dangling link, neither a folder nor an archive"),
        ("assets.yaml", 3, "assets.yaml: not an archive"),
        ("vendor/base.mpq!gone", 1, "vendor/base.mpq: no lump 'gone'"),
        ("vendor:../x", 2, "'../x' is no place to mount at"),
        ("", 2, "--mount '' names no path"),
    ):
        ran = run("vfs", "ls", "--mount", mount)
        assert (ran.status, ran.out) == (status, "")
        assert ran.err.startswith(f"lumpyard: error: {message}")
    ran = run("vfs", "ls", "-m", "no.yaml")
    assert (ran.status, ran.err.startswith("lumpyard: error: there is no no.yaml")) == (2, True)
    ran = run("vfs", "cat", "--mount", "vendor/base.mpq")
    assert (ran.status, "NAME is missing" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "path", "at"),
    [
        ("a.wad", "a.wad", ""),
        ("a.wad:x/y", "a.wad", "x/y"),
        ("C:\\games\\a.wad", "C:\\games\\a.wad", ""),
        ("C:/games/a.wad:x", "C:/games/a.wad", "x"),
        ("C:/games/a.wad", "C:/games/a.wad", ""),
        ("vendor:x", "vendor:x", ""),
        ("a!b:x", "a!b", "x"),
    ],
)
def test_a_mount_is_a_path_and_a_place(text: str, path: str, at: str) -> None:
    Path("vendor:x").write_bytes(b"")
    assert split_mount(text) == (path, at)


def test_a_mount_needs_a_path() -> None:
    for text in ("", ":x"):
        with pytest.raises(UsageError, match="names no path"):
            split_mount(text)


def test_names_do_nothing_to_a_terminal(run: Run) -> None:
    Path("x.ewad").write_bytes(make_ewad([("a\x1b[31m", b"")]))
    for command in (("ls",), ("ls", "--long"), ("explain", "a\x1b[31m"), ("cat", "b\x1b[31m")):
        ran = run("vfs", command[0], *command[1:], "--mount", "x.ewad")
        assert b"\x1b" not in ran.stdout + ran.stderr
