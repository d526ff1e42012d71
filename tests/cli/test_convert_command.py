"""`lumpyard convert`: what is said before anything is written, names, options, and the origin lump."""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from blake3 import blake3
from tests.builders import ewad
from tests.builders.arranged import Entry, arranged, entries_of
from tests.builders.crashes import Watch, dying_at, in_child, refusing_at, watching
from xxhash import xxh64_intdigest

from lumpyard.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

SCRP = int.from_bytes(b"SCRP", "little")
MAP = [
    Entry(b"MAP01"),
    *(Entry(name, b"12345") for name in (b"THINGS", b"LINEDEFS", b"SIDEDEFS", b"VERTEXES", b"SECTORS")),
]


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def ewad_of(path: Path, *lumps: tuple[bytes, bytes]) -> Path:
    return write(path, ewad.build([ewad.Written(name, data) for name, data in lumps]))


def names_of(path: Path, format_name: str) -> list[bytes]:
    return [entry.name for entry in entries_of(format_name, path.read_bytes())]


# The origin lump


def test_the_origin_lump_says_what_the_archive_was(run: Run, tmp_path: Path) -> None:
    """ "adds one lump `.lumpyard/origin` (type `ORIG`, schema 1, JSON: format, signature, layout, and per original
    entry its raw name, offset, size and EWAD name)" """
    data = arranged("PWAD", [*MAP, Entry(b"X\0junk", b"x"), Entry(b"X", b"twin")], gap=b"\0")
    source, target = write(tmp_path / "in.wad", data), tmp_path / "out.ewad"
    assert run("convert", source, target).status == 0
    (lump,) = [lump for lump in run("ls", "--json", target).json if lump["name"] == ".lumpyard/origin"]
    assert (lump["type"], lump["schema"]) == ("ORIG", 1)
    raw = run("cat", target, ".lumpyard/origin").stdout
    assert raw.isascii()
    found = json.loads(raw)
    assert (found["format"], found["signature"]) == ("PWAD", "PWAD")
    assert found["layout"] == {
        "size": len(data),
        "directory": len(data) - 16 * 8,
        "outside": "zero",
        "digest": blake3(data).hexdigest(),
    }
    entries = found["entries"]
    assert [entry["name"] for entry in entries] == [
        "MAP01/MAP01",
        *(f"MAP01/{lump.name.decode()}" for lump in MAP[1:]),
        "X~1",
        "X",
    ]
    assert entries[1] == {
        "name": "MAP01/THINGS",
        "raw_name": b"THINGS".hex(),
        "offset": 14,
        "size": 5,
        "content_hash": f"{xxh64_intdigest(b'12345'):016x}",
    }
    assert [bytes.fromhex(entry["raw_name"]) for entry in entries[-2:]] == [b"X\0junk", b"X"]
    for entry, expected in zip(entries, [b"", *[b"12345"] * 5, b"x", b"twin"], strict=True):
        assert run("cat", target, entry["name"]).stdout == expected


def test_what_changed_since_is_told_and_laid_out_anew(run: Run, tmp_path: Path) -> None:
    source = write(
        tmp_path / "in.wad",
        arranged(
            "IWAD", [*MAP, Entry(b"S_START"), Entry(b"TROOA1", b"imp"), Entry(b"S_END"), Entry(b"LAST", b"l")]
        ),
    )
    run("convert", source, tmp_path / "mid.ewad")
    run("extract", tmp_path / "mid.ewad", "-C", tmp_path / "d", "--no-sidecar")
    (tmp_path / "d/MAP01/THINGS").write_bytes(b"edited")
    (tmp_path / "d/sprites/TROOB1").write_bytes(b"new sprite")
    (tmp_path / "d/NEWEST").write_bytes(b"new lump")
    (tmp_path / "d/LAST").unlink()
    assert run("pack", tmp_path / "d", tmp_path / "edited.ewad").status == 0
    ran = run("convert", tmp_path / "edited.ewad", tmp_path / "out.wad", "--format", "IWAD")
    assert ran.status == 0
    assert "'LAST' is gone" in ran.err
    assert "'sprites/TROOB1' is new" in ran.err
    assert "not byte for byte the original" in ran.out
    assert entries_of("IWAD", (tmp_path / "out.wad").read_bytes()) == [
        MAP[0],
        Entry(b"THINGS", b"edited"),
        *MAP[2:],
        Entry(b"S_START"),
        Entry(b"TROOA1", b"imp"),
        Entry(b"TROOB1", b"new sprite"),
        Entry(b"S_END"),
        Entry(b"NEWEST", b"new lump"),
    ]


def test_a_lump_of_another_size_is_laid_out_anew(run: Run, tmp_path: Path) -> None:
    source = write(
        tmp_path / "in.pak", arranged("PAK", [Entry(b"a", b"aaaa"), Entry(b"b", b"bb")], gap=bytes(5))
    )
    run("extract", source, "-C", tmp_path / "d")
    (tmp_path / "d/b").write_bytes(b"longer")
    ran = run("pack", tmp_path / "d", tmp_path / "out.pak", "--json")
    assert (ran.status, ran.json["exact"]) == (0, False)
    assert [warning["code"] for warning in ran.json["warnings"]] == ["layout"]
    assert (tmp_path / "out.pak").read_bytes() == arranged(
        "PAK", [Entry(b"a", b"aaaa"), Entry(b"b", b"longer")]
    )


def test_shared_bytes_that_one_lump_changes_are_parted(run: Run, tmp_path: Path) -> None:
    source = write(
        tmp_path / "in.pak", arranged("PAK", [Entry(b"a", b"same"), Entry(b"b", b"same")], share=True)
    )
    run("extract", source, "-C", tmp_path / "d")
    (tmp_path / "d/b").write_bytes(b"SAME")
    assert run("pack", tmp_path / "d", tmp_path / "out.pak").status == 0
    assert entries_of("PAK", (tmp_path / "out.pak").read_bytes()) == [
        Entry(b"a", b"same"),
        Entry(b"b", b"SAME"),
    ]


def test_without_an_origin_lump_the_order_is_by_name(run: Run, tmp_path: Path) -> None:
    source = ewad_of(tmp_path / "in.ewad", (b"C", b"3"), (b"A", b"1"), (b"B", b"2"))
    ran = run("convert", source, tmp_path / "out.wad", "--format", "PWAD")
    assert ran.status == 0
    assert "order" in ran.err
    assert names_of(tmp_path / "out.wad", "PWAD") == [b"A", b"B", b"C"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"format": "PWAD"}',
        b'{"format": "ZIP", "signature": "PWAD", "entries": []}',
        *[
            b'{"format": "PWAD", "signature": "PWAD", %s}' % rest
            for rest in [
                b'"signature": "PW", "entries": []',
                b'"entries": {}',
                b'"entries": [1]',
                b'"entries": [{"name": 5}]',
                b'"entries": [{"name": "A", "raw_name": "zz"}]',
                b'"entries": [{"name": "A"}, {"name": "A"}]',
                b'"entries": [{"name": "\\ud800"}]',
                b'"entries": [{"name": "A", "offset": -1, "size": 1, "content_hash": ""}]',
                b'"layout": {"size": 1e99}, "entries": []',
                b'"layout": 7, "entries": []',
            ]
        ],
    ],
)
def test_a_broken_origin_lump_is_malformed_and_nothing_is_written(
    run: Run, tmp_path: Path, raw: bytes
) -> None:
    source = ewad_of(tmp_path / "in.ewad", (b"A", b"1"), (b".lumpyard/origin", raw))
    ran = run("convert", source, tmp_path / "out.wad", "--format", "PWAD")
    assert ran.status == 3
    assert "'.lumpyard/origin'" in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "out.wad").exists()


@pytest.mark.parametrize(
    ("layout", "entry"),
    [
        ({"size": 2**63, "directory": 2**62}, {"offset": 2**61, "size": 1}),
        ({"size": 2**32, "directory": 2**32 - 16}, {"offset": 2**32, "size": 1}),
        ({"size": 40, "directory": 39}, {"offset": 12, "size": 1}),
        ({"size": 40, "directory": 0}, {"offset": 12, "size": 1}),
        ({"size": 40, "directory": 20}, {"offset": 0, "size": 1}),
        ({"size": 40, "directory": 12}, {"offset": 12, "size": 1}),
        ({"size": 2**64 - 1, "directory": 2**64 - 1}, {"offset": 12, "size": 1}),
    ],
)
def test_an_origin_lump_that_lies_about_places_is_laid_out_anew(
    run: Run, tmp_path: Path, layout: dict[str, Any], entry: dict[str, Any]
) -> None:
    document = {
        "format": "PWAD",
        "signature": "PWAD",
        "layout": {**layout, "outside": "absent", "digest": ""},
        "entries": [{"name": "A", "raw_name": "41", "content_hash": "0" * 16, **entry}],
    }
    source = ewad_of(tmp_path / "in.ewad", (b"A", b"1"), (b".lumpyard/origin", json.dumps(document).encode()))
    ran = run("convert", source, tmp_path / "out.wad", "--format", "PWAD")
    assert ran.status == 0, ran.err
    assert entries_of("PWAD", (tmp_path / "out.wad").read_bytes()) == [Entry(b"A", b"1")]
    assert (tmp_path / "out.wad").stat().st_size < 100


def test_a_lump_that_has_the_origin_lumps_name_is_refused(run: Run, tmp_path: Path) -> None:
    source = write(tmp_path / "in.pak", arranged("PAK", [Entry(b".lumpyard/origin", b"mine")]))
    ran = run("convert", source, tmp_path / "out.ewad")
    assert ran.status == 4
    assert "origin lump" in ran.err


# What the target cannot hold


def test_all_names_that_do_not_fit_are_told_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    """ "refusing what the format can't hold … with all offending names before a file is made" """
    lumps = [(b"textures/wall%d.png" % number, b"x") for number in range(40)]
    source, out = ewad_of(tmp_path / "in.ewad", *lumps), tmp_path / "out.wad"
    ran = run("convert", source, out, "--format", "PWAD")
    assert ran.status == 4
    assert ran.stdout == b""
    for name, _ in lumps:
        assert f"'{name.decode()}'" in ran.err
    assert "--names truncate" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.ewad"]


@pytest.mark.parametrize(
    ("name", "options", "hinted"),
    [
        (b"longer/than/eight", [], True),
        (b"longer/than/eight", ["--names", "upper"], True),
        (b"", [], True),
        (b"", ["--names", "upper"], True),
    ],
)
def test_truncate_is_hinted_at_where_it_can_help(
    run: Run, tmp_path: Path, name: bytes, options: list[str], *, hinted: bool
) -> None:
    """Upper case makes no name fit."""
    form = "PAK" if name else "PWAD"
    source = write(tmp_path / "in", arranged(form, [Entry(name, b"x")]))
    ran = run("convert", source, tmp_path / "out.wad", *options)
    assert ran.status == 4
    assert ("--names truncate may help" in ran.err) == hinted


@pytest.mark.parametrize("form", ["PWAD", "WAD3"])
def test_a_lump_without_a_name_gets_into_an_ewad_and_back_with_a_name_of_its_own(
    run: Run, tmp_path: Path, form: str
) -> None:
    """Nothing finds an empty name, and no writer writes one: what is to be done is said, and done where asked for."""
    entries = [Entry(b"A", b"1"), Entry(b"", b"22"), Entry(b"F0000001", b"3"), Entry(b"", b"4")]
    source = write(tmp_path / "in.wad", arranged(form, entries))
    ewad_path, back = tmp_path / "a.ewad", tmp_path / "back.wad"
    assert run("convert", source, ewad_path).status == 0
    names = json.loads(run("ls", "--json", ewad_path).out)
    assert {lump["name"] for lump in names} == {"A", "%~1", "F0000001", "%", ".lumpyard/origin"}
    for given in (source, ewad_path):
        ran = run("convert", given, back, "--format", form)
        assert (ran.status, back.exists()) == (4, False)
        most = 8 if form == "PWAD" else 15
        told = f"lumpyard: error: {back}: entry 1: its name is empty; names have 1 to {most} bytes"
        assert told in ran.err.splitlines()
        assert ran.err.endswith("cannot hold it (2 problems); --names truncate may help\n")
    for given in (source, ewad_path):
        back.unlink(missing_ok=True)
        ran = run("convert", given, back, "--format", form, "--names", "truncate")
        assert ran.status == 0
        found = [(entry.name, entry.stored) for entry in entries_of(form, back.read_bytes())]
        stand_in = b"F00000~2" if form == "PWAD" else b"F0000001~2"
        assert found == [(b"A", b"1"), (stand_in, b"22"), (b"F0000001", b"3"), (b"F0000003", b"4")]
        assert (tmp_path / "back.wad.names").read_text().splitlines()[1:] == [
            f"{stand_in.decode()}\t",
            "F0000003\t",
        ]


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


def test_two_lumps_of_one_name_after_upper_casing_are_refused(run: Run, tmp_path: Path) -> None:
    source = write(tmp_path / "in.pak", arranged("PAK", [Entry(b"a", b"1"), Entry(b"A", b"2")]))
    ran = run("convert", source, tmp_path / "out.pak", "--from", "PAK", "--names", "upper")
    assert ran.status == 4
    assert "same name" in ran.err
    assert run("convert", source, tmp_path / "out.ewad", "--from", "PAK", "--names", "upper").status == 4


def test_twins_of_a_pak_are_numbered_and_told(run: Run, tmp_path: Path) -> None:
    source = write(tmp_path / "in.pak", arranged("PAK", [Entry(b"a", b"1"), Entry(b"a", b"2")]))
    ran = run("convert", source, tmp_path / "out.ewad", "--from", "PAK")
    assert ran.status == 0
    assert "1 lump has a name that another has, and is numbered" in ran.err
    found = {lump["name"] for lump in run("ls", "--json", tmp_path / "out.ewad").json}
    assert found == {"a", "a~2", ".lumpyard/origin"}
    assert run("cat", tmp_path / "out.ewad", "a").stdout == b"1"


def test_names_of_a_wad_that_become_paths_are_told(run: Run, tmp_path: Path) -> None:
    twins = [Entry(b"X", b"1"), Entry(b"X", b"2")]
    source = write(tmp_path / "in.wad", arranged("PWAD", [*MAP, *twins]))
    ran = run("convert", source, tmp_path / "out.pak", "--json")
    assert [(found["code"], found["message"]) for found in ran.json["warnings"]] == [
        ("paths", "7 lumps get paths for names, as 'MAP01/MAP01'")
    ]
    assert names_of(tmp_path / "out.pak", "PAK")[-2:] == [b"X~1", b"X"]
    assert run("convert", source, tmp_path / "out.ewad").err == ""  # its origin lump keeps them


def test_a_stripped_archive_needs_symbols_for_another_format(run: Run, tmp_path: Path) -> None:
    source = write(tmp_path / "in.ewad", ewad.build([ewad.Written(b"a", b"1")], named=False))
    ran = run("convert", source, tmp_path / "out.pak")
    assert ran.status == 4
    assert "--symbols" in ran.err
    assert run("convert", source, tmp_path / "out.ewad", "--alignment", "64").status == 0
    assert run("cat", tmp_path / "out.ewad", "a").stdout == b"1"


# Names


def test_truncate_makes_every_name_fit_and_differ_and_writes_a_map(run: Run, tmp_path: Path) -> None:
    lumps = [(b"textures/bricks/red-brick.png", b"1"), (b"textures/bricks/red-brick.tga", b"2"), (b"a/SHORT", b"3"),
             (b"x/red-bric", b"4"), (b"tab\tin/a-long-name\xff", b"5")]  # fmt: skip
    source, out = ewad_of(tmp_path / "in.ewad", *lumps), tmp_path / "out.wad"
    ran = run("convert", source, out, "--format", "PWAD", "--names", "truncate")
    assert ran.status == 0
    found = {entry.stored: entry.name for entry in entries_of("PWAD", out.read_bytes())}
    assert found == {
        b"1": b"red-bric",
        b"2": b"red-br~2",
        b"3": b"a/SHORT",
        b"4": b"red-br~3",
        b"5": b"a-long-n",
    }
    assert (tmp_path / "out.wad.names").read_text() == (
        "new\told\n"
        "a-long-n\ttab\\tin/a-long-name\\xff\n"
        "red-bric\ttextures/bricks/red-brick.png\n"
        "red-br~2\ttextures/bricks/red-brick.tga\n"
        "red-br~3\tx/red-bric\n"
    )
    other = tmp_path / "elsewhere"
    run("convert", source, out, "--format", "PWAD", "--names", "truncate,upper", "--map", other)
    assert b"RED-BRIC" in names_of(out, "PWAD")
    assert other.read_bytes().startswith(b"new\told\n")


def test_truncate_keeps_folder_and_suffix_where_names_are_paths(run: Run, tmp_path: Path) -> None:
    long = b"models/" + b"n" * 60 + b".mdl"
    source = ewad_of(tmp_path / "in.ewad", (long, b"1"), (b"f" * 70 + b"/x.tga", b"2"))
    assert run("convert", source, tmp_path / "out.pak", "--names", "truncate").status == 0
    assert names_of(tmp_path / "out.pak", "PAK") == [b"f" * 55, b"models/" + b"n" * 44 + b".mdl"]


def test_no_map_is_written_where_no_name_changed(run: Run, tmp_path: Path) -> None:
    source = ewad_of(tmp_path / "in.ewad", (b"A", b"1"))
    assert run("convert", source, tmp_path / "out.pak", "--names", "truncate").status == 0
    assert not (tmp_path / "out.pak.names").exists()


def test_a_thousand_names_that_are_cut_to_one_are_all_made_to_differ(run: Run, tmp_path: Path) -> None:
    source = ewad_of(
        tmp_path / "in.ewad", *[(b"same-long-name/%04d/same-long-name" % n, b"%d" % n) for n in range(1000)]
    )
    assert run("convert", source, tmp_path / "out.wad", "--names", "truncate").status == 0
    names = names_of(tmp_path / "out.wad", "PWAD")
    assert len(set(names)) == 1000
    assert max(map(len, names)) == 8


def test_writers_use_slashes_only(run: Run, tmp_path: Path) -> None:
    """Case 140: "archive made with backslashes extracts as one folder: writer uses / only"."""
    source = ewad_of(tmp_path / "in.ewad", (b"models\\e2\\a.dkm", b"1"))
    ran = run("convert", source, tmp_path / "out.pak")
    assert ran.status == 0
    assert "'models/e2/a.dkm'" in ran.err
    assert names_of(tmp_path / "out.pak", "PAK") == [b"models/e2/a.dkm"]


# Options, usage, compression


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


# Whole or not at all


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
