"""`lumpyard pack`, and names that file systems take for something else (section F of the cases from the field)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad
from tests.builders.arranged import Entry, arranged, entries_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

SIDECAR = "%lumpyard.json"


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_without_a_sidecar_lumps_are_sorted_by_name(run: Run, tmp_path: Path) -> None:
    """ "Without a sidecar: lumps sorted by name, format from --format or the suffix"."""
    for name in ("b/x", "a", "B", "b/a", "%41UX", "c%2Fd"):
        write(tmp_path / "d" / name, name.encode())
    ran = run("pack", tmp_path / "d", tmp_path / "out.pak")
    assert (ran.status, ran.err) == (0, "")
    assert entries_of("PAK", (tmp_path / "out.pak").read_bytes()) == [
        Entry(b"AUX", b"%41UX"), Entry(b"B", b"B"), Entry(b"a", b"a"), Entry(b"b/a", b"b/a"), Entry(b"b/x", b"b/x"),
        Entry(b"c/d", b"c%2Fd"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("o.ewad", "EWAD"),
        ("o.PAK", "PAK"),
        ("o.wad", "PWAD"),
        ("o.iwad", "IWAD"),
        ("o.wad2", "WAD2"),
        ("o.wad3", "WAD3"),
    ],
)
def test_the_suffix_says_the_format(run: Run, tmp_path: Path, name: str, expected: str) -> None:
    write(tmp_path / "d" / "A", b"1")
    assert run("pack", tmp_path / "d", tmp_path / name, "--json").json["format"] == expected


def test_a_suffix_that_says_nothing_needs_format(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "d" / "A", b"1")
    ran = run("pack", tmp_path / "d", tmp_path / "o.bin")
    assert ran.status == 2
    assert "--format" in ran.err
    assert run("pack", tmp_path / "d", tmp_path / "o.bin", "--format", "ewad").status == 0


def test_a_plain_ewad_is_the_specifications_writers_and_leaves_no_sidecar(run: Run, tmp_path: Path) -> None:
    lumps = [ewad.Written(b"a/b.txt", b"1" * 100), ewad.Written(b"c", b"2")]
    source = write(tmp_path / "in.ewad", ewad.build(lumps))
    assert run("extract", source, "-C", tmp_path / "d").status == 0
    assert not (tmp_path / "d" / SIDECAR).exists()
    assert run("pack", tmp_path / "d", tmp_path / "out.ewad").status == 0
    assert (tmp_path / "out.ewad").read_bytes() == source.read_bytes()


def test_the_sidecar_is_for_whole_archives_and_can_be_left_out(run: Run, tmp_path: Path) -> None:
    source = write(tmp_path / "in.wad", arranged("PWAD", [Entry(b"A", b"1"), Entry(b"B", b"2")]))
    run("extract", source, "A", "-C", tmp_path / "some")
    run("extract", source, "--no-sidecar", "-C", tmp_path / "all")
    assert [path.name for path in (tmp_path / "some").iterdir()] == ["A"]
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["A", "B"]


def test_a_second_archive_does_not_take_the_place_of_the_firsts_sidecar(run: Run, tmp_path: Path) -> None:
    first = write(tmp_path / "1.wad", arranged("PWAD", [Entry(b"A", b"1")]))
    second = write(tmp_path / "2.wad", arranged("IWAD", [Entry(b"B", b"2")]))
    assert run("extract", first, "-C", tmp_path / "d").status == 0
    ran = run("extract", second, "-C", tmp_path / "d")
    assert ran.status == 5
    assert SIDECAR in ran.err
    assert not (tmp_path / "d" / "B").exists()
    assert run("extract", second, "-C", tmp_path / "d", "--no-sidecar").status == 0


def test_no_lump_can_have_the_sidecars_name(run: Run, tmp_path: Path) -> None:
    entries = [Entry(SIDECAR.encode(), b"mine"), Entry(b"%", b"1"), Entry(b"%25", b"2")]
    source = write(tmp_path / "in.pak", arranged("PAK", entries))
    assert run("extract", source, "-C", tmp_path / "d").status == 0
    assert (tmp_path / "d" / "%25lumpyard.json").read_bytes() == b"mine"
    assert run("pack", tmp_path / "d", tmp_path / "out.pak").status == 0
    assert (tmp_path / "out.pak").read_bytes() == source.read_bytes()


@pytest.mark.parametrize("data", [b"", b"{}", b'{"format": "PWAD", "signature": "PWAD"}', b"\0" * 100])
def test_a_broken_sidecar_is_malformed(run: Run, tmp_path: Path, data: bytes) -> None:
    write(tmp_path / "d" / "A", b"1")
    write(tmp_path / "d" / SIDECAR, data)
    ran = run("pack", tmp_path / "d", tmp_path / "out.wad")
    assert ran.status == 3
    assert ran.err.startswith(f"lumpyard: error: {tmp_path}/d/{SIDECAR} cannot be used: ")
    assert not (tmp_path / "out.wad").exists()


def test_a_folder_may_become_another_format(run: Run, tmp_path: Path) -> None:
    """The origin lump is then that of the original archive."""
    source = write(tmp_path / "in.wad", arranged("PWAD", [Entry(b"B", b"1"), Entry(b"A", b"2")]))
    run("extract", source, "-C", tmp_path / "d")
    assert run("pack", tmp_path / "d", tmp_path / "mid.ewad", "--format", "EWAD").status == 0
    ran = run("convert", tmp_path / "mid.ewad", tmp_path / "out.wad")
    assert "byte for byte the original" in ran.out
    assert (tmp_path / "out.wad").read_bytes() == source.read_bytes()


def test_new_files_are_told_and_go_behind_their_folder(run: Run, tmp_path: Path) -> None:
    source = write(
        tmp_path / "in.wad",
        arranged("PWAD", [Entry(b"F_START"), Entry(b"A", b"1"), Entry(b"F_END"), Entry(b"Z")]),
    )
    run("extract", source, "-C", tmp_path / "d")
    write(tmp_path / "d" / "flats" / "B", b"2")
    ran = run("pack", tmp_path / "d", tmp_path / "out.wad")
    assert ran.status == 0
    assert "'flats/B' is new" in ran.err
    assert [entry.name for entry in entries_of("PWAD", (tmp_path / "out.wad").read_bytes())] == [
        b"F_START", b"A", b"B", b"F_END", b"Z",
    ]  # fmt: skip


def test_the_archive_itself_and_temporary_files_are_not_packed(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "d" / "A", b"1")
    write(tmp_path / "d" / "out.pak", b"an older one")
    write(tmp_path / "d" / ".x.0123456789abcdef.lumpyard-tmp", b"of a run that was killed")
    assert run("pack", tmp_path / "d", tmp_path / "d" / "out.pak").status == 0
    assert entries_of("PAK", (tmp_path / "d" / "out.pak").read_bytes()) == [Entry(b"A", b"1")]


def test_what_is_no_file_is_told(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "d" / "A", b"1")
    os.mkfifo(tmp_path / "d" / "pipe")
    (tmp_path / "d" / "leaves").symlink_to("/etc/passwd")
    ran = run("pack", tmp_path / "d", tmp_path / "out.pak")
    assert ran.status == 0
    assert "'pipe' is a FIFO; it is left out" in ran.err
    assert "'leaves' is a link" in ran.err
    assert entries_of("PAK", (tmp_path / "out.pak").read_bytes()) == [Entry(b"A", b"1")]


def test_a_folder_that_is_not_there_is_5(run: Run, tmp_path: Path) -> None:
    ran = run("pack", tmp_path / "nowhere", tmp_path / "out.pak")
    assert ran.status == 5
    assert "no such folder" in ran.err


def test_an_mpqs_folder_needs_another_format(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "d" / "A", b"1")
    document = {"format": "MPQ", "signature": "MPQ\x1a", "entries": [{"name": "A", "raw_name": "41"}]}
    write(tmp_path / "d" / SIDECAR, json.dumps(document).encode())
    assert run("pack", tmp_path / "d", tmp_path / "out.mpq").status == 2
    assert run("pack", tmp_path / "d", tmp_path / "out.pak").status == 0


# Section F

DEVICES = ["AUX", "CON", "COM1", "LPT9", "NUL.TXT", "NUL.tar.gz", "COM1.log", "aux"]
ODD = ["A.", "B ", "C:D", "E?", 'F"', "G*", "H<", "I>", "J|"]


@pytest.mark.parametrize("format_name", ["PWAD", "WAD3", "PAK", "DAIKATANA"])
def test_names_that_windows_takes_for_something_else_are_escaped_and_come_back(
    run: Run, tmp_path: Path, format_name: str
) -> None:
    """Cases 136 and 137: "escape reversibly (`AUX_` + manifest), also with extensions"; "trailing dot/space"."""
    most = 8 if format_name == "PWAD" else 15
    names = [name for name in (*DEVICES[:-1], *ODD) if len(name) <= most]
    entries = [Entry(name.encode(), name.encode()) for name in names]
    source = write(tmp_path / "in", arranged(format_name, entries))
    assert run("extract", source, "-C", tmp_path / "d", "--format", format_name).status == 0
    for path in (tmp_path / "d").iterdir():
        assert path.name.split(".")[0].rstrip(" ").upper() not in {"AUX", "CON", "NUL", "COM1", "LPT9"}
        assert not set(path.name) & set(':*?"<>|')
        assert path.name[-1] not in ". "
    assert run("pack", tmp_path / "d", tmp_path / "out").status == 0
    assert (tmp_path / "out").read_bytes() == source.read_bytes()
    (tmp_path / "d" / SIDECAR).unlink()
    assert run("pack", tmp_path / "d", tmp_path / "loose", "--format", format_name).status == 0
    found = entries_of(format_name, (tmp_path / "loose").read_bytes())
    assert sorted(found) == sorted(entries)


@pytest.mark.parametrize(
    "name", [b"../evil.cfg", b"a/../../b", b"C:\\x", b"\\\\srv\\x", b"/etc/x", b"../out2/x", b"..\\..\\x"]
)
@pytest.mark.parametrize("format_name", ["PAK", "DAIKATANA", "EWAD"])
def test_names_that_lead_out_are_refused_in_every_format(
    run: Run, tmp_path: Path, format_name: str, name: bytes
) -> None:
    """Cases 130 to 134: "refuse the entry, write nothing"; "one safe_join for all formats"."""
    if format_name == "EWAD":
        data = ewad.build([ewad.Written(b"fine", b"1"), ewad.Written(name, b"evil")])
    else:
        data = arranged(format_name, [Entry(b"fine", b"1"), Entry(name, b"evil")])
    source = write(tmp_path / "x" / "in", data)
    ran = run("extract", source, "-C", tmp_path / "x" / "out", "--format", format_name)
    assert (ran.status, ran.stdout) == (4, b"")
    assert f"entry {0 if 'entry 0' in ran.err else 1}: " in ran.err
    assert [path.name for path in tmp_path.rglob("*")] == ["x", "in"]


@pytest.mark.parametrize("name", [b"..", b"../x", b"..\\..\\x", b"/etc/x", b"C:\\x", b".", b"a/b"])
def test_in_a_wad_a_slash_is_part_of_a_name_and_leads_nowhere(run: Run, tmp_path: Path, name: bytes) -> None:
    source = write(tmp_path / "x" / "in.wad", arranged("PWAD", [Entry(name, b"1")]))
    assert run("extract", source, "-C", tmp_path / "x" / "out").status == 0
    (path,) = [path for path in (tmp_path / "x" / "out").iterdir() if path.name != SIDECAR]
    assert path.is_file()
    assert sorted(path.name for path in (tmp_path / "x").iterdir()) == ["in.wad", "out"]
    assert run("pack", tmp_path / "x" / "out", tmp_path / "again.wad").status == 0
    assert (tmp_path / "again.wad").read_bytes() == source.read_bytes()


@pytest.mark.parametrize("format_name", ["PWAD", "PAK", "DAIKATANA", "EWAD"])
@pytest.mark.parametrize(("first", "second"), [(b"A.TXT", b"a.txt"), (b"\xc3\x89", b"\xc3\xa9")])
def test_names_that_differ_in_case_only_are_reported(
    run: Run, tmp_path: Path, format_name: str, first: bytes, second: bytes
) -> None:
    """Case 139: "case-fold collisions reported at extract"; the way out is to extract one of them."""
    if format_name == "EWAD":
        data = ewad.build([ewad.Written(first, b"1"), ewad.Written(second, b"2")])
    else:
        data = arranged(format_name, [Entry(first, b"1"), Entry(second, b"2")])
    source = write(tmp_path / "in", data)
    ran = run("extract", source, "-C", tmp_path / "d", "--format", format_name)
    assert ran.status == 4
    for name in (first, second):
        assert f"'{name.decode()}'" in ran.err
    assert not (tmp_path / "d").exists()
    assert run("extract", source, first.decode(), "-C", tmp_path / "d", "--format", format_name).status == 0
