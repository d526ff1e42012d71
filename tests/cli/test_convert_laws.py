"""There and back again: what every pair of formats keeps, by the tests' own writers and readers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import ewad
from tests.builders.arranged import FLAT, OLD, PATHED, Entry, arranged, entries_of

from lumpyard.archives.opening import open_archive
from lumpyard.cli.main import main

if TYPE_CHECKING:
    from tests.cli.conftest import Run

PAIRS = [(first, second) for first in OLD for second in OLD if first != second]
KIND = {"WAD2": 0x44, "WAD3": 0x43}


def sample(format_name: str) -> list[Entry]:
    """Entries that use what the format has: markers, twins, empty lumps, kinds, compression."""
    kind = KIND.get(format_name, 0)
    if format_name in FLAT:
        names = [
            b"MAP01",
            b"THINGS",
            b"LINEDEFS",
            b"MAP02",
            b"THINGS",
            b"S_START",
            b"VILE[1",
            b"S_END",
            b"PLAYPAL",
            b"lower",
        ]
        datas = [b"", b"things 1", b"lines", b"", b"things 2", b"", b"vile", b"", b"palette" * 20, b"\0\xff"]
        return [Entry(name, data, kind) for name, data in zip(names, datas, strict=True)]
    plain = [
        Entry(b"b/x.lmp", b"x" * 30),
        Entry(b"a.cfg", b"bind"),
        Entry(b"c/d/e", b""),
        Entry(b"b/y", b"y"),
    ]
    if format_name == "DAIKATANA":
        plain.append(Entry(b"t/z.tga", bytes.fromhex("7fff"), 0, 65))
    return plain


def raw_of(entry: Entry) -> bytes:
    """The raw bytes; the one compressed sample is a run of zeros."""
    return entry.stored if entry.raw_size is None else bytes(entry.raw_size)


@pytest.mark.parametrize("format_name", OLD)
@pytest.mark.parametrize("gap", [b"", b"\0\0\0"])
@pytest.mark.parametrize("directory_first", [False, True])
def test_through_an_ewad_every_format_comes_back_byte_for_byte(
    run: Run, tmp_path: Path, format_name: str, gap: bytes, directory_first: bool
) -> None:
    """ "EWAD to WAD rebuilds from it, byte for byte where the bytes outside lumps and directory are zero or absent"."""
    entries = sample(format_name)
    data = arranged(
        format_name,
        entries,
        gap=gap,
        directory_first=directory_first,
        tail=gap,
        order=list(range(len(entries)))[::-1],
    )
    (tmp_path / "in").write_bytes(data)
    assert run("convert", tmp_path / "in", tmp_path / "mid.ewad", "--from", format_name).status == 0
    assert run("verify", tmp_path / "mid.ewad").status == 0
    ran = run("convert", tmp_path / "mid.ewad", tmp_path / "out", "--format", format_name, "--json")
    assert (ran.status, ran.json["exact"]) == (0, True)
    assert (tmp_path / "out").read_bytes() == data


@pytest.mark.parametrize("format_name", OLD)
@pytest.mark.parametrize("gap", [b"", b"\0\0\0"])
@pytest.mark.parametrize("directory_first", [False, True])
def test_extract_and_pack_give_every_format_back_byte_for_byte(
    run: Run, tmp_path: Path, format_name: str, gap: bytes, directory_first: bool
) -> None:
    """ "`extract` then `pack` of the extracted folder gives the same archive where the format allows"."""
    entries = sample(format_name)
    data = arranged(format_name, entries, gap=gap, directory_first=directory_first, tail=gap)
    (tmp_path / "in").write_bytes(data)
    assert run("extract", tmp_path / "in", "-C", tmp_path / "d", "--format", format_name).status == 0
    ran = run("pack", tmp_path / "d", tmp_path / "out", "--json")
    assert (ran.status, ran.json["exact"], ran.json["format"]) == (0, True, format_name)
    assert (tmp_path / "out").read_bytes() == data


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_every_pair_keeps_bytes_and_order_and_the_names_that_both_can_hold(
    run: Run, tmp_path: Path, first: str, second: str
) -> None:
    entries = sample(first)
    (tmp_path / "in").write_bytes(arranged(first, entries))
    there = run(
        "convert",
        tmp_path / "in",
        tmp_path / "mid",
        "--from",
        first,
        "--format",
        second,
        "--names",
        "truncate",
    )
    assert there.status == 0, there.err
    back = run(
        "convert",
        tmp_path / "mid",
        tmp_path / "out",
        "--from",
        second,
        "--format",
        first,
        "--names",
        "truncate",
    )
    assert back.status == 0, back.err
    found = entries_of(first, (tmp_path / "out").read_bytes())
    assert [raw_of(entry) for entry in found] == [raw_of(entry) for entry in entries]
    both_flat, both_pathed = first in FLAT and second in FLAT, first in PATHED and second in PATHED
    if both_flat or both_pathed:
        assert [entry.name for entry in found] == [entry.name for entry in entries]
    if first in KIND and second in KIND:
        assert found == entries
    if first in KIND and second not in KIND:
        assert "no lump types" in there.err
        assert "gets 0" in back.err


@pytest.mark.parametrize("format_name", OLD)
def test_a_format_written_as_itself_keeps_every_entry(run: Run, tmp_path: Path, format_name: str) -> None:
    entries = [
        entry._replace(
            name=entry.name + b"\0x" if format_name in FLAT[:3] and len(entry.name) < 6 else entry.name
        )
        for entry in sample(format_name)
    ]
    (tmp_path / "in").write_bytes(arranged(format_name, entries, gap=b"junk", share=True))
    ran = run("convert", tmp_path / "in", tmp_path / "out", "--from", format_name, "--format", format_name)
    assert ran.status == 0, ran.err
    found = entries_of(format_name, (tmp_path / "out").read_bytes())
    assert [entry._replace(stored=raw_of(entry), raw_size=None) for entry in found] == [
        entry._replace(stored=raw_of(entry), raw_size=None) for entry in entries
    ]
    assert (tmp_path / "out").read_bytes()[:4] == (tmp_path / "in").read_bytes()[:4]


@pytest.mark.parametrize("format_name", OLD)
def test_bytes_that_no_lump_holds_are_counted_and_the_rest_comes_back(
    run: Run, tmp_path: Path, format_name: str
) -> None:
    """ "else it says what is lost"."""
    entries = sample(format_name)
    lossless = arranged(format_name, entries, gap=bytes(2), tail=bytes(7))
    data = arranged(format_name, entries, gap=b"\0!", tail=b"the end")
    (tmp_path / "in").write_bytes(data)
    there = run("convert", tmp_path / "in", tmp_path / "mid.ewad", "--from", format_name)
    lost = len(entries) + 1 + 7
    assert f"{lost} bytes outside" in there.err
    back = run("convert", tmp_path / "mid.ewad", tmp_path / "out", "--format", format_name)
    assert back.status == 0
    assert f"{lost} bytes outside" in back.err
    assert "not byte for byte the original" in back.out
    assert (tmp_path / "out").read_bytes() == lossless


@pytest.mark.parametrize("format_name", OLD)
def test_shared_and_overlapping_lumps_come_back(run: Run, tmp_path: Path, format_name: str) -> None:
    """Case 1: "shared and overlapping ranges are legal; every entry survives a round trip"."""
    entries = [
        Entry(b"SONG1", b"music"),
        Entry(b"SONG2", b"music"),
        Entry(b"OTHER", b"other"),
        Entry(b"EMPTY"),
    ]
    data = arranged(format_name, entries, share=True, empty_at=0)
    (tmp_path / "in").write_bytes(data)
    assert run("convert", tmp_path / "in", tmp_path / "mid.ewad", "--from", format_name).status == 0
    assert run("convert", tmp_path / "mid.ewad", tmp_path / "out", "--format", format_name).status == 0
    assert (tmp_path / "out").read_bytes() == data


names = st.binary(min_size=1, max_size=8).filter(
    lambda name: name.strip(b"\0") and name[0] and not name[0] & 0x80
)
lumps = st.lists(st.tuples(names, st.binary(max_size=20)), max_size=8)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lumps, st.booleans(), st.booleans(), st.integers(0, 3))
def test_any_wad_comes_back_through_an_ewad_and_through_a_folder(
    tmp_path: Path, given_lumps: list[tuple[bytes, bytes]], share: bool, first: bool, gap: int
) -> None:
    """Any names, any bytes behind a NUL, twins, empty lumps; what one folder cannot hold is refused."""
    entries = [Entry(name.rstrip(b"\0"), data) for name, data in given_lumps]
    data = arranged("PWAD", entries, share=share, directory_first=first, gap=bytes(gap))
    source, middle, out = tmp_path / "in", tmp_path / "mid.ewad", tmp_path / "out"
    source.write_bytes(data)
    assert main(["convert", str(source), str(middle), "--from", "PWAD"]) == 0
    assert main(["convert", str(middle), str(out), "--format", "PWAD"]) == 0
    assert out.read_bytes() == data
    shutil.rmtree(tmp_path / "d", ignore_errors=True)
    status = main(["extract", str(source), "-C", str(tmp_path / "d"), "--format", "PWAD"])
    assert status in {0, 4}
    if status == 0:
        assert main(["pack", str(tmp_path / "d"), str(out)]) == 0
        assert out.read_bytes() == data


stored = st.tuples(
    st.binary(min_size=1, max_size=12).filter(lambda name: 0 not in name),
    st.binary(max_size=40),
    st.sampled_from([0, 0x01020304, int.from_bytes(b"TEXR", "little")]),
    st.integers(0, 65535),
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(stored, max_size=6, unique_by=lambda lump: lump[0]),
    st.sampled_from([1, 16, 64]),
    st.integers(0, 2**64 - 1),
    st.booleans(),
)
def test_any_ewad_comes_back_through_a_folder(
    tmp_path: Path, given_lumps: list[tuple[bytes, bytes, int, int]], alignment: int, seed: int, named: bool
) -> None:
    """Types, schemas, alignment, seed and the keys of stripped names are what the sidecar is for."""
    lumps = [ewad.Written(name, data, None, fourcc, schema) for name, data, fourcc, schema in given_lumps]
    data = ewad.build(lumps, alignment=alignment, seed=seed, named=named)
    (tmp_path / "in.ewad").write_bytes(data)
    shutil.rmtree(tmp_path / "d", ignore_errors=True)
    (tmp_path / "d").mkdir()
    status = main(["extract", str(tmp_path / "in.ewad"), "-C", str(tmp_path / "d")])
    assert status in {0, 4}
    if status == 0:
        assert main(["pack", str(tmp_path / "d"), str(tmp_path / "out.ewad")]) == 0
        assert (tmp_path / "out.ewad").read_bytes() == data


def test_every_sound_vector_comes_back_through_a_folder(run: Run, tmp_path: Path) -> None:
    """Every EWAD of the vectors that the specification's writer made, compressed and shared lumps included."""
    folder = Path(__file__).parents[1] / "vectors"
    said = json.loads((folder / "expect.json").read_text())
    sound = [name for name, what in said.items() if what.get("view", what["load"]) == "ok"]
    kept = 0
    for name in sound:
        path, to = folder / f"{name}.bin", tmp_path / name
        ran = run("extract", path, "-C", to)
        if ran.status != 0:  # names that no folder can hold, lumps that do not decode
            continue
        ran = run(
            "pack", to, tmp_path / "out.ewad", "--json", "--format", open_archive(path.read_bytes()).format
        )
        assert ran.status == 0, ran.err
        if ran.json["exact"] is not False:
            assert (tmp_path / "out.ewad").read_bytes() == path.read_bytes(), name
            kept += 1
        else:
            assert ran.json["warnings"], name
    assert kept > 10
