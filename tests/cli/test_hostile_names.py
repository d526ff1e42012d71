"""Names from archives may hold anything, and none of it reaches a terminal raw."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.builders.ewad import Written, build

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

NAMES = [
    b"\x1b[31mred\x1b[0m",
    b"\x1b]52;c;aGk=\x07",  # OSC 52 writes the clipboard
    b"\x1b]0;title\x1b\\",
    b"\x9b31mc1",  # CSI as one byte
    "\x9b31m".encode(),  # and as U+009B
    b"a\rb",
    b"a\nlumpyard: error: forged",
    b"tab\there",
    b"back\x08space",
    b"bell\x07",
    b"del\x7f",
    "gpj\u202egnp.exe".encode(),
    "\u2066iso\u2069".encode(),
    "\u200fmark".encode(),
    "\u2028line".encode(),
    b"\xff\xfe\x80bad utf-8",
    b"\xed\xa0\x80 surrogate",
    b"<script>alert(1)</script>",
    b'"quote\\back',
    b"'; rm -rf ~ #",
    b"=cmd|' /C calc'!A0",
    b"{{7*7}}${x}%s{0}",
    b"--help",
    "e\u0301 音楽 \U0001f469\u200d\U0001f680".encode(),
]
RAW = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]"
)


def is_safe(data: bytes) -> bool:
    return RAW.search(data.decode()) is None  # and it is UTF-8


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "hostile.ewad"
    path.write_bytes(build([Written(name, b"data" + name) for name in NAMES]))
    return path


@pytest.mark.parametrize("options", [[], ["--long"], ["--json"]])
def test_listing_shows_no_raw_control_character(run: Run, archive: Path, options: list[str]) -> None:
    ran = run("ls", *options, archive)
    assert ran.status == 0
    assert is_safe(ran.stdout)
    assert ran.out.count("\n") == len(NAMES) + {"--long": 1, "--json": 2}.get("".join(options), 0)


def test_json_gives_every_name_back(run: Run, archive: Path) -> None:
    items = run("ls", "--json", archive).json
    assert sorted(item["name"].encode("utf-8", "surrogateescape") for item in items) == sorted(NAMES)
    for item in items:
        name = item["name"].encode("utf-8", "surrogateescape")
        assert item.get("name_hex") == (None if is_utf8(name) else name.hex())


def is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_errors_show_no_raw_control_character(run: Run, archive: Path, name: bytes) -> None:
    text = name.decode("utf-8", "surrogateescape")
    for command in (
        ["cat", archive, "--", f"{text}x"],
        ["ls", archive, "--", f"{text}x"],
        ["info", f"{archive}{text}"],
    ):
        ran = run(*command)
        assert ran.status in {1, 2, 5}
        assert is_safe(ran.stderr)
        assert ran.err.count("\n") == 1


@pytest.mark.parametrize("name", NAMES)
def test_each_lump_can_be_read_by_its_name(run: Run, archive: Path, name: bytes) -> None:
    ran = run("cat", archive, "--", name.decode("utf-8", "surrogateescape"))
    assert (ran.status, ran.stdout) == (0, b"data" + name)


def test_verify_shows_no_raw_control_character(run: Run, archive: Path) -> None:
    data = bytearray(archive.read_bytes())
    for name in NAMES:
        data[data.index(b"data" + name)] ^= 1
    archive.write_bytes(data)
    for options in ([], ["--json"]):
        ran = run("verify", *options, archive)
        assert ran.status == 1
        assert is_safe(ran.stdout)
    assert len(json.loads(ran.stdout)[0]["problems"]) == len(NAMES)


def test_a_path_that_is_not_utf8_is_opened_and_shown(run: Run, tmp_path: Path, archive: Path) -> None:
    odd = tmp_path / "caf\udce9\x1b[1m.ewad"
    odd.write_bytes(archive.read_bytes())
    assert run("info", odd).out.splitlines()[0].endswith(r"caf\xe9\x1b[1m.ewad")
    assert run("info", "--json", odd).json["path"] == str(odd)
    assert run("verify", odd).status == 0
