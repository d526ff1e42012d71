"""Names in another format: what does not fit is refused, all of it at once, or changed as asked for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad
from tests.builders.arranged import Entry, arranged, entries_of
from tests.cli.conversions import MAP, ewad_of, names_of, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


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


@pytest.mark.parametrize("options", [[], ["--names", "truncate"]])
def test_a_lump_that_nothing_names_is_told_once_and_given_no_name(
    run: Run, tmp_path: Path, options: list[str]
) -> None:
    """To shorten names does not help there: what has no name stays so, or is refused."""
    source = write(tmp_path / "in.ewad", ewad.build([ewad.Written(b"a", b"1")], named=False))
    for target, form in ((tmp_path / "out.pak", "PAK"), (tmp_path / "out.wad", "PWAD")):
        ran = run("convert", source, target, *options)
        assert ran.status == 4
        assert [line for line in ran.err.splitlines() if "error" in line and "--symbols" not in line] == [
            f"lumpyard: error: {target}: nothing is written; {form} cannot hold it (1 problem)"
        ]
    ran = run("convert", source, tmp_path / "out.ewad", *options, "--json")
    assert (ran.status, ran.json["renamed"]) == (0, [])
    assert not (tmp_path / "out.ewad.names").exists()


@pytest.mark.parametrize("form", ["PAK", "DAIKATANA"])
def test_twins_are_refused_where_they_were_and_numbered_where_that_is_asked_for(
    run: Run, tmp_path: Path, form: str
) -> None:
    """A PAK that has a name twice is written anew with `--names truncate`; nothing says that it is numbered else."""
    entries = [Entry(b"a/x.txt", b"1"), Entry(b"a/x.txt", b"22"), Entry(b"a/x~2.txt", b"3")]
    source, out = write(tmp_path / "in.pak", arranged(form, entries)), tmp_path / "out.pak"
    assert run("convert", source, tmp_path / "in.ewad", "--from", form).status == 0
    for given, reading in ((source, ["--from", form]), (tmp_path / "in.ewad", [])):
        out.unlink(missing_ok=True)
        ran = run("convert", given, out, *reading, "--format", form)
        assert (ran.status, out.exists()) == (4, False)
        assert "numbered" not in ran.err
        assert ran.err.endswith("cannot hold it (1 problem); --names truncate may help\n")
        ran = run("convert", given, out, *reading, "--format", form, "--names", "truncate")
        assert ran.status == 0
        assert names_of(out, form) == [b"a/x.txt", b"a/x~3.txt", b"a/x~2.txt"]
        assert (tmp_path / "out.pak.names").read_text() == "new\told\na/x~3.txt\ta/x.txt\n"


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
