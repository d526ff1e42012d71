"""Stripped archives get their names back from the `.ewsym`, one by one, in listings and throughout logs."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from tests.builders.ewad import Written, build
from xxhash import xxh64_intdigest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

LUMPS = [
    Written(b"textures/brick.png", b"png", fourcc=int.from_bytes(b"TEXR", "little"), schema=3),
    Written(b"scripts/main.lua", b"lua"),
    Written(b"odd\x1b[1m\xff\tname", b"odd"),
]
KEYS = {lump.name: f"{xxh64_intdigest(lump.name):016x}" for lump in LUMPS}
BRICK = KEYS[b"textures/brick.png"]


@pytest.fixture
def stripped(tmp_path: Path) -> Path:
    path = tmp_path / "base.ewad"
    path.write_bytes(build(LUMPS, named=False))
    return path


@pytest.fixture
def symbols(stripped: Path, tmp_path: Path) -> Path:
    """Written by hand, from the words of design.md, section 9, with a key and a column that readers don't know."""
    header_hash = stripped.read_bytes()[48:56][::-1].hex()
    names = {b"odd\x1b[1m\xff\tname": r"odd\x1b[1m\xff\tname"}
    rows = sorted(
        f"{KEYS[lump.name]}\t{names.get(lump.name, lump.name.decode('latin-1'))}\tTEXR\t3\tx"
        for lump in LUMPS
    )
    text = (
        f"EWSYM 1\narchive: base\narchive-hash: {header_hash}\nnew-key: 1\n\nkey\tname\tfourcc\tschema\tnew\n"
    )
    path = tmp_path / "base.ewsym"
    path.write_text(text + "\n".join(rows) + "\n")
    return path


def test_a_key_has_a_name_and_a_name_a_key(run: Run, symbols: Path) -> None:
    for wanted in (BRICK, BRICK.upper(), f"0x{BRICK}", "textures/brick.png"):
        ran = run("symbols", symbols, wanted)
        assert (ran.status, ran.out, ran.err) == (0, f"{BRICK}  textures/brick.png\n", "")


def test_without_keys_all_lumps_are_listed(run: Run, symbols: Path) -> None:
    lines = run("symbols", symbols).out.splitlines()
    assert [line.split()[0] for line in lines] == sorted(KEYS.values())
    assert rf"{KEYS[LUMPS[2].name]}  odd\x1b[1m\xff\x09name" in lines


def test_what_is_not_there_is_1_and_the_rest_is_listed(run: Run, symbols: Path) -> None:
    ran = run("symbols", symbols, "0123456789abcdef", BRICK, "brick.png")
    assert (ran.status, ran.out) == (1, f"{BRICK}  textures/brick.png\n")
    assert ran.err.splitlines() == [
        f"lumpyard: error: {symbols}: no lump has the key 0123456789abcdef",
        f"lumpyard: error: {symbols}: no lump 'brick.png'; did you mean 'textures/brick.png'?",
    ]


def test_json_has_what_the_ledger_says(run: Run, symbols: Path) -> None:
    (lump,) = run("symbols", "--json", symbols, BRICK).json
    assert (lump["key"], lump["name"], lump["type"], lump["schema"]) == (
        BRICK,
        "textures/brick.png",
        "TEXR",
        3,
    )


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_a_log_gets_names_in_place_of_keys(run: Run, symbols: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = (
        f"crash in 0x{BRICK.upper()} ({BRICK}): \xff\r\n".encode("latin-1")
        + b"x" * 70_000
        + f"\n[{BRICK}]".encode()
    )
    feed(monkeypatch, log)
    ran = run("symbols", "--filter", symbols)
    assert ran.status == 0
    name = b"textures/brick.png"
    assert (
        ran.stdout
        == b"crash in " + name + b" (" + name + b"): \xff\r\n" + b"x" * 70_000 + b"\n[" + name + b"]"
    )


@pytest.mark.parametrize("text", [f"a{BRICK}", f"{BRICK}0", f"_{BRICK}", BRICK[:15], "0123456789abcdef"])
def test_what_is_no_key_of_the_archive_stays(
    run: Run, symbols: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    feed(monkeypatch, text.encode())
    assert run("symbols", "--filter", symbols).out == text


def test_names_in_a_log_are_safe_to_print(run: Run, symbols: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, KEYS[LUMPS[2].name].encode())
    assert run("symbols", "--filter", symbols).out == r"odd\x1b[1m\xff\x09name"


def test_a_filter_takes_no_keys(run: Run, symbols: Path) -> None:
    assert run("symbols", "--filter", symbols, BRICK).status == 2


def test_reading_commands_take_symbols(run: Run, stripped: Path, symbols: Path, tmp_path: Path) -> None:
    names = {item["name"] for item in run("ls", "--json", "--symbols", symbols, stripped).json}
    assert names == {lump.name.decode("utf-8", "surrogateescape") for lump in LUMPS}
    assert run("ls", "--symbols", symbols, stripped, "textures/*").out == "textures/brick.png\n"
    assert run("extract", "--symbols", symbols, stripped, "scripts/**", "-C", tmp_path / "out").status == 0
    assert (tmp_path / "out" / "scripts" / "main.lua").read_bytes() == b"lua"
    assert run("cat", "--symbols", symbols, stripped, "brick.png").err.endswith(
        "did you mean 'textures/brick.png'?\n"
    )
    assert run("info", "--symbols", symbols, stripped).status == 0


def test_symbols_of_another_archive_are_refused(run: Run, symbols: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ewad"
    other.write_bytes(build(LUMPS[:2], named=False))
    for command in (["ls"], ["info"], ["extract", "-C", tmp_path / "out"]):
        ran = run(command[0], "--symbols", symbols, other, *command[1:])
        assert ran.status == 2
        assert "belongs to another archive" in ran.err


@pytest.mark.parametrize(
    ("data", "status"),
    [(b"", 3), (b"EWSYM 2\n\nkey\tname\n", 4), (b"EWSYM 1\n\nkey\tname\nzz\tx\n", 3), (b"\xff\n", 3)],
)
def test_a_file_that_is_no_ewsym_is_one_line(
    run: Run, stripped: Path, tmp_path: Path, data: bytes, status: int
) -> None:
    path = tmp_path / "bad.ewsym"
    path.write_bytes(data)
    for command in (["symbols", path], ["ls", "--symbols", path, stripped]):
        ran = run(*command)
        assert (ran.status, ran.stdout, ran.err.count("\n")) == (status, b"", 1)
        assert str(path) in ran.err
