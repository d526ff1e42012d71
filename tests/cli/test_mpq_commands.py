"""The commands on MPQs: names in any case and with either slash, archives without a list of names, no writing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.builders.mpq import (
    COMPRESS,
    ENCRYPTED,
    FIX_KEY,
    Written,
    build,
    hash_entries,
    listfile,
    with_hashes,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

TEXT = b"".join(b"Line %d of a text that packs well.\n" % number for number in range(300))
FILES = [
    Written(b"readme.txt", TEXT, COMPRESS),
    Written(b"Units\\Human\\Knight.mdx", TEXT[:5000], COMPRESS | ENCRYPTED | FIX_KEY),
    Written(b"empty"),
]
NAMES = [file.name.decode() for file in FILES]
LANGUAGES = [Written(b"ui\\text.txt", b"language %d" % locale, locale=locale) for locale in (0, 0x407, 0x40C)]


@pytest.fixture
def named(tmp_path: Path) -> Path:
    path = tmp_path / "named.mpq"
    path.write_bytes(build([*FILES, listfile(FILES)]))
    return path


@pytest.fixture
def nameless(tmp_path: Path) -> Path:
    path = tmp_path / "nameless.mpq"
    path.write_bytes(build(FILES))
    return path


def test_info_and_ls_have_what_every_format_has(run: Run, named: Path) -> None:
    data = run("info", "--json", named).json
    assert (data["format"], data["lumps"], data["size"]) == ("MPQ", 4, named.stat().st_size)
    items = run("ls", "--json", named).json
    assert [item["name"] for item in items] == [*NAMES, "(listfile)"]
    assert [item["raw_size"] for item in items[:3]] == [len(file.raw) for file in FILES]
    assert all({"offset", "stored_size"} <= set(item) for item in items)
    assert run("verify", named).status == 0


def test_a_name_is_found_in_any_case_and_with_either_slash(run: Run, named: Path) -> None:
    """ "in an MPQ `/` equals `\\` and ASCII case is ignored" """
    for wanted in ("Units\\Human\\Knight.mdx", "units/human/knight.mdx", "UNITS\\HUMAN/KNIGHT.MDX"):
        ran = run("cat", named, wanted)
        assert (ran.status, ran.stdout, ran.err) == (0, FILES[1].raw, "")
        assert run("ls", named, wanted).out == "Units\\Human\\Knight.mdx\n"
    assert run("ls", named, "Units/**").out == "Units\\Human\\Knight.mdx\n"
    assert run("cat", named, "Units/Human").status == 1


def test_extract_makes_folders_of_backslashes(run: Run, named: Path, tmp_path: Path) -> None:
    assert run("extract", named, "-C", tmp_path / "d").status == 0
    for file in FILES:
        assert (tmp_path / "d" / file.name.decode().replace("\\", "/")).read_bytes() == file.raw


def test_a_file_that_no_name_leads_to_is_listed_without_a_key(run: Run, named: Path) -> None:
    """Of an archive whose hash table lost an entry, the rest has keys as ever."""
    data = named.read_bytes()
    entries = [[*entry] for entry in hash_entries(data)]
    lost = next(entry for entry in entries if entry[3] == 1)
    lost[3] = 0xFFFFFFFE  # a file that was deleted
    named.write_bytes(with_hashes(data, entries))
    for options in ([], ["--long"], ["--json"]):
        assert run("ls", *options, named).status == 0
    rows = [line.split() for line in run("ls", "--long", named).out.splitlines()]
    assert rows[0][-2:] == ["key", "name"]
    assert [row[-2] == "-" for row in rows[1:]] == [False, True, False, False]


def test_a_list_of_names_names_what_the_archive_does_not(run: Run, nameless: Path, tmp_path: Path) -> None:
    """ "archives without a list file (by name, and with a user-given name list)" """
    assert [item["name"] for item in run("ls", "--json", nameless).json] == [None] * 3
    assert run("cat", nameless, "readme.txt").stdout == TEXT
    names = tmp_path / "names.txt"
    names.write_bytes(b"\xef\xbb\xbf" + "\r\n".join([*NAMES, "not in it", ""]).encode())
    assert run("ls", nameless, "--listfile", names).out.split() == NAMES
    assert run("extract", nameless, "-C", tmp_path / "d", "--listfile", names).status == 0
    assert (tmp_path / "d" / "Units" / "Human" / "Knight.mdx").read_bytes() == FILES[1].raw
    assert run("verify", nameless, "--listfile", names).status == 0
    ran = run("convert", nameless, tmp_path / "out.pak", "--listfile", names)
    assert (ran.status, ran.err) == (0, "")
    assert run("ls", nameless, "--listfile", tmp_path / "nowhere").status == 5


def test_what_nothing_names_is_called_by_its_key_and_told(run: Run, nameless: Path, tmp_path: Path) -> None:
    listed = run("ls", nameless).out.split()
    assert all(len(name) == 16 for name in listed)
    assert run("cat", nameless, listed[0]).stdout == TEXT
    ran = run("convert", nameless, tmp_path / "out.ewad")
    assert ran.status == 0
    assert "nothing names 3 lumps (--listfile may)" in ran.err
    assert {*run("ls", tmp_path / "out.ewad").out.split()} == {*listed, ".lumpyard/origin"}


def test_the_languages_of_a_file_are_told_apart_by_number_and_by_entry(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "languages.mpq"
    path.write_bytes(build([*LANGUAGES, listfile(LANGUAGES)]))
    ran = run("cat", path, "ui/text.txt")
    assert (ran.status, ran.stdout) == (0, b"language 0")
    assert "3 lumps have the name" in ran.err
    assert {run("cat", path, "--entry", entry).stdout for entry in range(3)} == {
        file.raw for file in LANGUAGES
    }
    assert run("convert", path, tmp_path / "out.pak").status == 0
    found = run("ls", tmp_path / "out.pak", "ui/*").out.split()
    assert len(found) == 3
    assert run("cat", tmp_path / "out.pak", "ui/text.txt").stdout == b"language 0"


@pytest.mark.parametrize("target", ["EWAD", "PAK", "DAIKATANA"])
def test_an_mpq_is_converted_with_every_byte(run: Run, named: Path, tmp_path: Path, target: str) -> None:
    out = tmp_path / "out"
    assert run("convert", named, out, "--format", target).status == 0
    for file in FILES:
        ran = run("cat", out, file.name.decode().replace("\\", "/"), "--format", target)
        assert ran.stdout == file.raw


def test_an_mpq_is_a_source_only(run: Run, named: Path, tmp_path: Path) -> None:
    ran = run("convert", named, tmp_path / "out.mpq", "--format", "MPQ")
    assert ran.status == 2
    assert "MPQ is read, not written" in ran.err
    run("convert", named, tmp_path / "mid.ewad")
    origin = json.loads(run("cat", tmp_path / "mid.ewad", ".lumpyard/origin").stdout)
    assert (origin["format"], "layout" in origin) == ("MPQ", False)
    assert run("convert", tmp_path / "mid.ewad", tmp_path / "out.pak").status == 0
    assert run("ls", tmp_path / "out.pak").out.split() == [entry["name"] for entry in origin["entries"]]


def test_a_damaged_file_gives_no_byte_and_the_others_still_read(
    run: Run, named: Path, tmp_path: Path
) -> None:
    """Case 151: "short or failed sector = read error"."""
    data = bytearray(named.read_bytes())
    (place,) = [item["offset"] for item in run("ls", "--json", named).json if item["name"] == "readme.txt"]
    data[place + 40] ^= 0xFF
    named.write_bytes(data)
    ran = run("cat", named, "readme.txt")
    assert (ran.status, ran.stdout) == (3, b"")
    assert run("cat", named, NAMES[1]).stdout == FILES[1].raw
    ran = run("extract", named, "-C", tmp_path / "d")
    assert ran.status == 3
    assert not (tmp_path / "d" / "readme.txt").exists()
    assert (tmp_path / "d" / "empty").exists()
    assert run("convert", named, tmp_path / "out.pak").status == 3
    assert not (tmp_path / "out.pak").exists()
