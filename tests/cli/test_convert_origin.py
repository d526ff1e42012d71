"""The origin lump: what an EWAD keeps of the archive that it was made of, and how that comes back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from blake3 import blake3
from tests.builders.arranged import Entry, arranged, entries_of
from tests.cli.conversions import MAP, ewad_of, names_of, write
from xxhash import xxh64_intdigest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


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
