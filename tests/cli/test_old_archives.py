"""The commands that read, on every old format: documented JSON, lookup, leniency, damage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad
from tests.builders.arranged import FLAT, OLD, PATHED, Entry, arranged

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

KIND = {"WAD2": 0x40, "WAD3": 0x40}  # textures would be looked at
# Of a DAIKATANA: 67 zeros; a stream that ends too early; a code that means nothing.
GOOD, SHORT, ODD = bytes.fromhex("407fff"), bytes.fromhex("0061ff"), bytes.fromhex("0061fe0062ff")


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def sample(format_name: str) -> list[Entry]:
    kind = KIND.get(format_name, 0)
    return [Entry(b"ONE", b"first", kind), Entry(b"\xff\xe9", b"odd", kind), Entry(b"EMPTY", b"", kind)]


@pytest.fixture(params=OLD)
def old(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_info_has_what_every_format_has(run: Run, tmp_path: Path, old: str) -> None:
    """ "info: path, format, lumps, …, size": fields that the format does not hold are left out."""
    path = write(tmp_path / "a", arranged(old, sample(old)))
    ran = run("info", "--json", path, "--format", old)
    assert ran.json == {"path": str(path), "format": old, "lumps": 3, "size": path.stat().st_size}
    assert run("info", path, "--format", old).out.splitlines()[1:3] == [f"  format  {old}", "  lumps   3"]


def test_ls_has_name_offset_and_sizes_and_the_kind_of_wad2_and_wad3(
    run: Run, tmp_path: Path, old: str
) -> None:
    """ "every format has name, offset, stored_size and raw_size, WAD2 and WAD3 also kind, a number" """
    path = write(tmp_path / "a", arranged(old, sample(old)))
    items = run("ls", "--json", path, "--format", old).json
    more = {"kind": KIND[old]} if old in KIND else {"flags": 0} if old == "DAIKATANA" else {}
    assert items == [
        {"name": "ONE", **more, "offset": 12, "stored_size": 5, "raw_size": 5},
        {"name": "\udcff\udce9", "name_hex": "ffe9", **more, "offset": 17, "stored_size": 3, "raw_size": 3},
        {"name": "EMPTY", **more, "offset": 20, "stored_size": 0, "raw_size": 0},
    ]


def test_auto_goes_by_the_signature(run: Run, tmp_path: Path, old: str) -> None:
    path = write(tmp_path / "a", arranged(old, [Entry(b"ONE", b"first"), Entry(b"TWO", b"second")]))
    assert run("info", "--json", path).json["format"] == old


def test_lumps_are_read_found_and_verified(run: Run, tmp_path: Path, old: str) -> None:
    path = write(tmp_path / "a", arranged(old, sample(old)))
    assert run("cat", path, "ONE", "--format", old).stdout == b"first"
    assert run("cat", path, "\udcff\udce9", "--format", old).stdout == b"odd"
    assert run("cat", path, "--entry", "2", "--format", old).stdout == b""
    assert run("cat", path, "one", "--format", old).status == 1
    assert run("cat", path, "--entry", "3", "--format", old).status == 1
    assert run("ls", path, "O*", "--format", old).out == "ONE\n"
    ran = run("verify", "--json", path, "--format", old)
    assert (ran.status, ran.json) == (0, [{"path": str(path), "verdict": "ok", "problems": []}])


@pytest.mark.parametrize(("formats", "taken"), [(FLAT, b"last"), (PATHED, b"first")])
def test_of_twins_the_formats_rule_takes_one_and_entry_the_other(
    run: Run, tmp_path: Path, formats: tuple[str, ...], taken: bytes
) -> None:
    """Case 23: "duplicates addressed by index; last wins for lookup"; "duplicates (PAK): lookup first + warning"."""
    for old in formats:
        path = write(tmp_path / old, arranged(old, [Entry(b"A", b"first"), Entry(b"A", b"last")]))
        ran = run("cat", path, "A", "--format", old)
        assert (ran.status, ran.stdout) == (0, taken)
        assert "2 lumps have the name 'A' (entries 0, 1)" in ran.err
        for entry, expected in enumerate([b"first", b"last"]):
            ran = run("cat", path, "--entry", entry, "--format", old)
            assert ran.stdout == expected


def test_name_and_entry_are_one_or_the_other(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "a", arranged("PWAD", sample("PWAD")))
    assert run("cat", path, "ONE", "--entry", "0").status == 2
    assert run("cat", path).status == 2
    for number in ("-1", "x", "9" * 30, "٣"):
        assert run("cat", path, f"--entry={number}").status == 2


def test_a_lump_of_a_wad_is_also_found_by_the_path_that_extract_writes(run: Run, tmp_path: Path) -> None:
    names = [b"S_START", b"A", b"S_END", b"F_START", b"A", b"F_END"]
    path = write(tmp_path / "a", arranged("PWAD", [Entry(name, b"%d" % at) for at, name in enumerate(names)]))
    assert run("cat", path, "sprites/A").stdout == b"1"
    assert run("cat", path, "flats/A").stdout == b"4"
    assert run("ls", path, "sprites/*").out.split() == ["S_START", "A", "S_END"]


def test_a_lump_that_does_not_decode_gives_no_byte_and_the_others_still_read(
    run: Run, tmp_path: Path
) -> None:
    """ "a lump that fails to decode doesn't prevent the others, and `cat` of it writes no byte and exits 3" """
    entries = [Entry(b"good.tga", GOOD, 0, 67), Entry(b"bad.tga", SHORT, 0, 50), Entry(b"raw.tga", b"raw")]
    path = write(tmp_path / "a.pak", arranged("DAIKATANA", entries))
    ran = run("cat", path, "bad.tga")
    assert (ran.status, ran.stdout) == (3, b"")
    assert "entry 1 ('bad.tga')" in ran.err
    assert run("cat", path, "good.tga").stdout == bytes(67)
    assert run("cat", path, "raw.tga").stdout == b"raw"
    assert run("ls", path).out.split() == ["good.tga", "bad.tga", "raw.tga"]
    (found,) = run("verify", "--json", path).json
    assert found["verdict"] == "malformed"
    assert [problem["entry"] for problem in found["problems"]] == [1]
    ran = run("extract", path, "-C", tmp_path / "d")
    assert ran.status == 3
    assert sorted(file.name for file in (tmp_path / "d").iterdir()) == [
        "%lumpyard.json",
        "good.tga",
        "raw.tga",
    ]
    ran = run("pack", tmp_path / "d", tmp_path / "out.pak")
    assert "'bad.tga' is gone" in ran.err


def test_a_leniency_is_a_warning_that_names_the_entry(run: Run, tmp_path: Path) -> None:
    """Case 125: "code 254: strict error, lenient no-op"."""
    path = write(tmp_path / "a.pak", arranged("DAIKATANA", [Entry(b"x", b"1"), Entry(b"odd.tga", ODD, 0, 2)]))
    assert run("cat", path, "odd.tga").status == 3
    ran = run("cat", path, "odd.tga", "--lenient")
    assert (ran.status, ran.stdout) == (0, b"ab")
    assert ran.err.startswith(f"lumpyard: warning: {path}: entry 1 ('odd.tga'): ")
    assert run("cat", path, "x", "--lenient").err == ""
    (found,) = run("verify", "--json", path, "--lenient").json
    assert (found["verdict"], [warning["entry"] for warning in found["warnings"]]) == ("ok", [1])
    ran = run("verify", path, "--lenient")
    assert (ran.status, ran.err.count("\n")) == (0, 1)


def test_many_warnings_are_counted_and_json_has_them_all(run: Run, tmp_path: Path) -> None:
    entries = [Entry(b"A%d" % number) for number in range(50)]
    path = write(tmp_path / "a.wad", arranged("PWAD", entries, empty_at=9999, tail=b"x"))
    assert run("info", path).status == 3
    ran = run("info", path, "--lenient")
    assert ran.status == 0
    assert len(ran.err.splitlines()) == 21
    assert ran.err.splitlines()[-1].startswith(f"lumpyard: warning: {path}: and 30 warnings more")
    assert len(run("verify", path, "--lenient", "--json").json[0]["warnings"]) == 50


def test_hostile_names_are_escaped_in_every_format(run: Run, tmp_path: Path, old: str) -> None:
    entries = [
        Entry(b"\x1b[31mX", b"1"),
        Entry(b"a\rb", b"2"),
        Entry(b"\x9bX", b"3"),
        Entry(b"\xe2\x80\xaeX", b"4"),
    ]
    path = write(tmp_path / "a", arranged(old, [*entries, *entries], empty_at=0))
    for command in (
        ["ls"],
        ["ls", "-l"],
        ["ls", "--json"],
        ["verify"],
        ["cat", "--entry", 0],
        ["cat", b"\x1b[31mX".decode()],
    ):
        ran = run(command[0], path, *command[1:], "--format", old)
        assert not any(char in ran.out + ran.err for char in "\x1b\r\x9b\u202e")
    run("extract", path, "-C", tmp_path / "d", "--format", old)
    for file in (tmp_path / "d").iterdir():
        assert file.name.isascii()


def test_lumps_of_an_ewad_are_found_by_entry_too(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "a.ewad", ewad.build([ewad.Written(b"a", b"1")]))
    assert run("cat", path, "--entry", 0).stdout == b"1"
    assert run("cat", path, "--entry", 1).status == 1
