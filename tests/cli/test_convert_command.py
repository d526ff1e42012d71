"""`lumpyard convert`: what is said before anything is written, options, and what is left where it fails."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad
from tests.builders.arranged import Entry, arranged, entries_of
from tests.builders.crashes import Watch, dying_at, in_child, refusing_at, watching
from tests.cli.conversions import MAP, ewad_of, write

from lumpyard.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

SCRP = int.from_bytes(b"SCRP", "little")


def test_types_and_schema_versions_that_get_lost_are_told(run: Run, tmp_path: Path) -> None:
    source = write(
        tmp_path / "in.ewad",
        ewad.build(
            [
                ewad.Written(b"a.lua", b"x", fourcc=SCRP),
                ewad.Written(b"b", b"y", schema=3),
                ewad.Written(b"c"),
            ]
        ),
    )
    ran = run("convert", source, tmp_path / "out.pak", "--json")
    assert ran.status == 0
    assert [(found["code"], found["message"]) for found in ran.json["warnings"]] == [
        ("types", "PAK has no types and schema versions; those of 2 lumps are lost")
    ]


def test_dry_run_says_all_and_writes_nothing(run: Run, tmp_path: Path) -> None:
    source = write(tmp_path / "in.wad3", arranged("WAD3", [Entry(b"A", b"1", 0x43)]))
    ran = run("convert", source, tmp_path / "out.pak", "--dry-run", "--json")
    assert ran.status == 0
    assert [found["code"] for found in ran.json["warnings"]] == ["kinds"]
    assert not (tmp_path / "out.pak").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "MPQ"], "MPQ is read, not written"),
        (["--format", "ZIP"], "none of"),
        (["--format", "PAK", "--strip"], "--strip is for EWAD only"),
        (["--format", "PAK", "--alignment", "4"], "--alignment is for EWAD only"),
        (["--format", "PAK", "--compress", "lz4"], "is for EWAD only"),
        (["--format", "EWAD", "--alignment", "3"], "power of two"),
        (["--format", "EWAD", "--names", "shorten"], "none of refuse"),
        (["--format", "EWAD", "--names", "refuse,upper"], "none of refuse"),
        (["--format", "EWAD", "--map", "x"], "--map is for"),
        ([], "--format"),
    ],
)
def test_usage_mistakes_are_2(run: Run, tmp_path: Path, options: list[str], message: str) -> None:
    source = ewad_of(tmp_path / "in.ewad", (b"A", b"1"))
    ran = run("convert", source, tmp_path / "out", *options)
    assert ran.status == 2
    assert message in ran.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("how", "flags"), [("none", {0}), ("lz4", {0, 1}), ("lz4hc", {0, 1}), ("auto", {0, 1})]
)
def test_an_ewad_is_compressed_as_asked_for(run: Run, tmp_path: Path, how: str, flags: set[int]) -> None:
    entries = [Entry(b"LONG", b"abc" * 500), Entry(b"SHORT", b"x"), Entry(b"EMPTY")]
    source = write(tmp_path / "in.wad", arranged("PWAD", entries))
    assert run("convert", source, tmp_path / "out.ewad", "--compress", how).status == 0
    assert {lump["flags"] for lump in run("ls", "--json", tmp_path / "out.ewad").json} == flags
    assert run("verify", tmp_path / "out.ewad").status == 0
    assert run("convert", tmp_path / "out.ewad", tmp_path / "back.wad").status == 0
    assert (tmp_path / "back.wad").read_bytes() == source.read_bytes()


def test_an_ewad_of_an_ewad_keeps_types_seed_and_blocks(run: Run, tmp_path: Path) -> None:
    block = bytes.fromhex("1f6101000f506161616161")  # 40 times the letter a
    lumps = [ewad.Written(b"a", block, 40, SCRP, 3), ewad.Written(b"b", b"raw", None, 7)]
    source = write(
        tmp_path / "in.ewad", ewad.build(lumps, seed=99, alignment=64, arrangement="lsd", junk=b"junk" * 16)
    )
    assert run("convert", source, tmp_path / "out.ewad").status == 0
    assert (tmp_path / "out.ewad").read_bytes() == ewad.build(lumps, seed=99, alignment=64)
    assert run("convert", source, tmp_path / "out.ewad", "--compress", "none", "--alignment", "1").status == 0
    raw = [lumps[0]._replace(stored=b"a" * 40, raw_size=None), lumps[1]]
    assert (tmp_path / "out.ewad").read_bytes() == ewad.build(raw, seed=99, alignment=1)
    assert run("convert", source, tmp_path / "out.ewad", "--strip").status == 0
    assert (tmp_path / "out.ewad").read_bytes() == ewad.build(lumps, seed=99, alignment=64, named=False)


def test_a_daikatana_compresses_what_the_game_reads_compressed(run: Run, tmp_path: Path) -> None:
    entries = [Entry(b"a.tga", bytes(300)), Entry(b"a.txt", bytes(300)), Entry(b"n.wal", bytes(range(64)))]
    source = write(tmp_path / "in.pak", arranged("PAK", entries))
    assert run("convert", source, tmp_path / "out.pak", "--format", "DAIKATANA").status == 0
    found = entries_of("DAIKATANA", (tmp_path / "out.pak").read_bytes())
    assert [entry.raw_size for entry in found] == [300, None, None]
    assert (
        run("convert", source, tmp_path / "raw.pak", "--format", "DAIKATANA", "--compress", "none").status
        == 0
    )
    assert entries_of("DAIKATANA", (tmp_path / "raw.pak").read_bytes()) == entries


def test_a_lump_that_does_not_decode_stops_the_conversion(run: Run, tmp_path: Path) -> None:
    data = bytearray(ewad.build([ewad.Written(b"whole", b"w" * 50), ewad.Written(b"damaged", b"d" * 50)]))
    data[data.index(b"d" * 50)] ^= 1
    source = write(tmp_path / "in.ewad", bytes(data))
    out = write(tmp_path / "out.pak", b"the old file")
    ran = run("convert", source, out)
    assert ran.status == 3
    assert "'damaged'" in ran.err
    assert out.read_bytes() == b"the old file"
    assert len(list(tmp_path.iterdir())) == 2


def test_leniencies_are_warned_of_by_entry_and_strict_is_the_default(run: Run, tmp_path: Path) -> None:
    """ "Empty lump, wild offset: strict: error as in the spec; --lenient: offset ignored"."""
    source = write(tmp_path / "in.wad", arranged("PWAD", [Entry(b"A", b"1"), Entry(b"EMPTY")], empty_at=9999))
    assert run("convert", source, tmp_path / "out.ewad").status == 3
    ran = run("convert", source, tmp_path / "out.ewad", "--lenient")
    assert ran.status == 0
    assert "lumpyard: warning: " in ran.err
    assert "entry 1 ('EMPTY')" in ran.err
    ran = run("convert", tmp_path / "out.ewad", tmp_path / "back.wad")
    assert ran.status == 0
    assert entries_of("PWAD", (tmp_path / "back.wad").read_bytes()) == [Entry(b"A", b"1"), Entry(b"EMPTY")]


def test_a_file_may_be_converted_in_its_place(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "x.wad", arranged("PWAD", MAP))
    assert run("convert", path, path, "--format", "EWAD").status == 0
    assert run("verify", path).status == 0
    assert run("convert", path, path, "--format", "PWAD").status == 0
    assert path.read_bytes() == arranged("PWAD", MAP)


def test_hostile_names_never_reach_the_terminal_raw(run: Run, tmp_path: Path) -> None:
    names = [
        b"\x1b]0;title\x07" + b"long" * 9,
        "\u202egnp.exe".encode() * 5,
        b"\x9b31m\xff" * 9,
        b"a\nlumpyard: error: forged",
    ]
    source = ewad_of(tmp_path / "in.ewad", *[(name, b"x") for name in names])
    for options in (["--names", "refuse"], ["--names", "truncate", "--json"], ["--names", "truncate"]):
        ran = run("convert", source, tmp_path / "out.wad", *options)
        for stream in (ran.out, ran.err):
            assert not any(char in stream for char in "\x1b\x07\x9b\u202e")
            assert "\nlumpyard: error: forged" not in stream


def conversion(folder: Path) -> int:
    return main(["convert", str(folder / "in.wad"), str(folder / "out.ewad"), "--names", "truncate"])


@pytest.fixture
def there(tmp_path: Path) -> Path:
    write(tmp_path / "in.wad", arranged("PWAD", MAP))
    write(tmp_path / "out.ewad", b"the old file")
    return tmp_path


def points(folder: Path, run: Run) -> int:
    """How many calls change something."""
    watch = Watch()
    with watching(watch):
        assert conversion(folder) == 0
    write(folder / "out.ewad", b"the old file")
    return len(watch.calls)


def outcome(folder: Path) -> tuple[str, int]:
    """Whether the old file or the new one is there, and how many files there are beside the two."""
    data = (folder / "out.ewad").read_bytes()
    others = [path for path in folder.iterdir() if path.name not in {"in.wad", "out.ewad"}]
    if data == b"the old file":
        return "old", len(others)
    assert main(["verify", str(folder / "out.ewad")]) == 0
    return "new", len(others)


def test_a_killed_conversion_leaves_the_old_file_or_the_new_one(run: Run, there: Path) -> None:
    """Case 4: "kill the writer between data and header; old file must remain"."""
    total = points(there, run)
    assert total >= 6
    found = []
    for point in range(total):
        write(there / "out.ewad", b"the old file")
        with watching(dying_at(point)):
            assert in_child(lambda: conversion(there)) == -9
        found.append(outcome(there)[0])
        for path in there.iterdir():
            if path.name.endswith(".lumpyard-tmp"):
                path.unlink()
    assert found[0] == "old"
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("lasting", [False, True])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
def test_a_refused_conversion_leaves_the_old_file_and_nothing_beside_it(
    run: Run, there: Path, error: int, lasting: bool
) -> None:
    for point in range(points(there, run)):
        write(there / "out.ewad", b"the old file")
        with watching(refusing_at(point, error, lasting=lasting)):
            status = conversion(there)
        which, others = outcome(there)
        assert others == 0
        if which == "old":
            assert status == 5
    assert os.listdir(there)
