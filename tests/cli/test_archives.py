"""Commands that read archives: documented JSON and status for each of the vectors, and what people see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.ewad import Written, build
from xxhash import xxh64_intdigest

if TYPE_CHECKING:
    from tests.cli.conftest import Run

VECTORS = Path(__file__).parents[1] / "vectors"
EXPECT: dict[str, dict[str, Any]] = {
    name: said
    for name, said in json.loads((VECTORS / "expect.json").read_text()).items()
    if name.startswith("ewad-")
}
SOUND = [name for name, said in EXPECT.items() if said.get("view") == "ok"]
BROKEN = [
    name for name, said in EXPECT.items() if said.get("view", said["load"]) in {"malformed", "unsupported"}
]
STATUS = {"malformed": 3, "unsupported": 4}

LUMPS = [
    Written(b"scripts/main.lua", b"start()\n", fourcc=int.from_bytes(b"SCRP", "little"), schema=2),
    Written(b"textures/a.png", b"\x89PNG" * 10),
    Written(b"textures/ui/b.png", b"aaaa\x00\x01\x00\x02", fourcc=0x01020304),
]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "base.ewad"
    path.write_bytes(build(LUMPS))
    return path


@pytest.fixture
def stripped(tmp_path: Path) -> Path:
    path = tmp_path / "stripped.ewad"
    path.write_bytes(build(LUMPS, named=False))
    return path


def type_of(fourcc: int) -> str | None:
    four = fourcc.to_bytes(4, "little")
    if not fourcc:
        return None
    return four.decode() if all(32 <= byte <= 126 for byte in four) else f"0x{fourcc:08x}"


@pytest.mark.parametrize("name", SOUND)
def test_info_gives_the_documented_json(run: Run, name: str) -> None:
    path, said = VECTORS / f"{name}.bin", EXPECT[name]
    ran = run("info", "--json", path)
    assert ran.status == 0
    assert list(ran.json.items()) == [
        ("path", str(path)),
        ("format", "EWAD"),
        ("lumps", len(said["entries"])),
        ("alignment", said["alignment"]),
        ("seed", said["seed"]),
        ("stripped", said["stripped"]),
        ("archive_hash", said["archive_hash"]),
        ("size", said["size"]),
    ]


@pytest.mark.parametrize("name", SOUND)
def test_ls_gives_the_documented_json(run: Run, name: str) -> None:
    ran = run("ls", "--json", VECTORS / f"{name}.bin")
    assert ran.status == 0
    assert len(ran.json) == len(EXPECT[name]["entries"])
    for item, said in zip(ran.json, EXPECT[name]["entries"], strict=True):
        raw = None if said["name"] is None else bytes.fromhex(said["name"])
        expected = {
            "name": None if raw is None else raw.decode("utf-8", "surrogateescape"),
            "key": said["key"],
            "type": type_of(said["type"]),
            "schema": said["schema"],
            "flags": said["flags"],
            "offset": said["offset"],
            "stored_size": said["stored"],
            "raw_size": said["raw"],
            "content_hash": said["content_hash"],
        }
        try:
            if raw is not None:
                raw.decode()
        except UnicodeDecodeError:
            expected["name_hex"] = said["name"]
        assert item == expected


@pytest.mark.parametrize("name", list(EXPECT))
def test_verify_gives_a_verdict_for_each_archive(run: Run, name: str) -> None:
    path, said = VECTORS / f"{name}.bin", EXPECT[name]
    ran = run("verify", "--json", path)
    (found,) = ran.json
    assert found["path"] == str(path)
    assert (found["verdict"] == "ok") == (found["problems"] == []) == (ran.status == 0)
    assert ran.status in {0, 1}
    if said.get("view") in STATUS:
        assert found["verdict"] == said["view"]
    elif said["load"] == "malformed":
        assert found["verdict"] == "malformed"
    for problem in found["problems"]:
        assert set(problem) == {"code", "message", "entry"}
        assert problem["code"] == problem["code"].lower()
        assert "\n" not in problem["message"]


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("command", [["info"], ["ls"], ["cat", "NAME"], ["extract", "-C", "nowhere"]])
def test_a_broken_archive_gets_one_line_and_its_status(run: Run, name: str, command: list[str]) -> None:
    path = VECTORS / f"{name}.bin"
    ran = run(command[0], path, *command[1:])
    assert ran.status == STATUS[EXPECT[name]["load"]]
    assert ran.stdout == b""
    assert ran.err.startswith(f"lumpyard: error: {path}: ")
    assert ran.err.count("\n") == 1


def test_verify_checks_the_others_after_a_file_that_cannot_be_read(
    run: Run, archive: Path, tmp_path: Path
) -> None:
    broken = VECTORS / "ewad-bad-content-hash.bin"
    ran = run("verify", "--json", tmp_path / "nowhere", broken, archive, tmp_path)
    assert ran.status == 5
    assert [found["verdict"] for found in ran.json] == ["malformed", "ok"]
    assert len(ran.err.splitlines()) == 2


def test_verify_is_0_or_1_whatever_the_verdicts(run: Run, archive: Path) -> None:
    assert run("verify", archive).status == 0
    assert run("verify", archive, VECTORS / "ewad-bad-flag-high.bin").status == 1
    assert run("verify", VECTORS / "ewad-bad-version-1.bin", archive).status == 1


def test_verify_says_what_is_wrong(run: Run, archive: Path) -> None:
    ran = run("verify", archive, VECTORS / "ewad-bad-content-hash.bin")
    first, second, third = ran.out.splitlines()
    assert first == f"{archive}: ok (3 lumps, {archive.stat().st_size} B)"
    assert second.endswith("ewad-bad-content-hash.bin: malformed")
    assert third.startswith("  entry ")
    assert third.endswith("[content-hash]")


def test_ls_lists_names_in_directory_order(run: Run, archive: Path) -> None:
    names = [lump.name.decode() for lump in sorted(LUMPS, key=lambda lump: xxh64_intdigest(lump.name))]
    assert run("ls", archive).out.splitlines() == names


def test_ls_takes_globs_and_whole_names(run: Run, archive: Path) -> None:
    assert set(run("ls", archive, "textures/**").out.split()) == {"textures/a.png", "textures/ui/b.png"}
    assert run("ls", archive, "*/*.lua", "textures/a.png").out.count("\n") == 2
    assert run("ls", "--json", archive, "*/*.lua").json[0]["type"] == "SCRP"


def test_ls_long_shows_every_field(run: Run, archive: Path) -> None:
    titles, *rows = run("ls", "-l", archive, "**/b.png", "**/main.lua").out.splitlines()
    assert titles.split() == [
        "type",
        "schema",
        "raw",
        "stored",
        "codec",
        "offset",
        "content",
        "hash",
        "key",
        "name",
    ]
    assert len(rows) == 2
    assert any(row.startswith("SCRP") and row.endswith("  scripts/main.lua") for row in rows)
    assert any(row.startswith("0x01020304") for row in rows)


def test_a_pattern_that_matches_nothing_is_1_and_the_rest_is_listed(run: Run, archive: Path) -> None:
    ran = run("ls", archive, "*.lua", "textures/a.png", "textures/A.png")
    assert ran.status == 1
    assert ran.out == "textures/a.png\n"
    assert ran.err.splitlines() == [
        f"lumpyard: error: {archive}: no lump matches '*.lua'; did you mean '**/*.lua'?",
        f"lumpyard: error: {archive}: no lump matches 'textures/A.png'; did you mean 'textures/a.png'?",
    ]


def test_names_that_look_like_patterns_are_found_as_stored(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "odd.ewad"
    path.write_bytes(
        build([Written(b"a[1].png", b"one"), Written(b"/abs\\", b"two"), Written(b"a1.png", b"x")])
    )
    assert run("ls", path, "/abs\\").out == "/abs\\\n"
    assert set(run("ls", path, "a[1].png").out.split()) == {"a[1].png", "a1.png"}
    assert run("cat", path, "a[1].png").stdout == b"one"
    assert run("ls", path, "/nix").status == 2


def test_lumps_without_a_name_are_called_by_their_keys(run: Run, stripped: Path) -> None:
    keys = sorted(f"{xxh64_intdigest(lump.name):016x}" for lump in LUMPS)
    assert run("ls", stripped).out.splitlines() == keys
    assert run("ls", stripped, f"{keys[1][:5]}*").out.splitlines() == [keys[1]]
    assert run("ls", stripped, "textures/a.png").out.splitlines() == [
        f"{xxh64_intdigest(b'textures/a.png'):016x}"
    ]


@pytest.mark.parametrize("lump", LUMPS)
def test_cat_finds_by_name_and_by_key_where_names_are_stripped(
    run: Run, archive: Path, stripped: Path, lump: Written
) -> None:
    key = f"{xxh64_intdigest(lump.name):016x}"
    for path, name in (
        (archive, lump.name.decode()),
        (stripped, lump.name.decode()),
        (stripped, key),
        (stripped, key.upper()),
    ):
        ran = run("cat", path, name)
        assert (ran.status, ran.stdout, ran.stderr) == (0, lump.stored, b"")


def test_cat_says_which_name_was_meant(run: Run, archive: Path) -> None:
    ran = run("cat", archive, "b.png")
    assert (ran.status, ran.stdout) == (1, b"")
    assert ran.err == f"lumpyard: error: {archive}: no lump 'b.png'; did you mean 'textures/ui/b.png'?\n"


def test_cat_writes_no_byte_of_a_lump_that_is_damaged(run: Run, tmp_path: Path) -> None:
    data = bytearray(build([Written(b"whole", b"w" * 50), Written(b"damaged", b"d" * 50)]))
    data[data.index(b"d" * 50) + 49] ^= 1
    path = tmp_path / "bad.ewad"
    path.write_bytes(data)
    assert run("cat", path, "whole").stdout == b"w" * 50
    ran = run("cat", path, "damaged")
    assert (ran.status, ran.stdout) == (3, b"")
    assert "content hash" in ran.err


def test_cat_writes_no_byte_of_a_block_that_does_not_decode(run: Run) -> None:
    path = VECTORS / "ewad-bad-lz4-raw-lies.bin"
    (problem,) = run("verify", "--json", path).json[0]["problems"]
    name = run("ls", "--json", path).json[problem["entry"]]["name"]
    ran = run("cat", path, name)
    assert (ran.status, ran.stdout) == (3, b"")


def test_the_format_may_be_named(run: Run, archive: Path) -> None:
    assert run("info", "--format", "EWAD", archive).status == 0
    assert run("info", "--format", "ewad", archive).status == 0
    ran = run("info", "--format", "IWAD", archive)
    assert ran.status == 3
    assert "not of format IWAD: it starts with 'EWAD'" in ran.err
    assert run("info", "--format", "ZIP", archive).status == 2


@pytest.mark.parametrize("data", [b"", b"EWA", b"PK\x03\x04" + bytes(100)])
def test_no_known_signature_is_malformed(run: Run, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(data)
    assert run("info", path).status == 3
    assert run("verify", "--json", path).json[0]["verdict"] == "malformed"


def test_info_reads_well(run: Run, stripped: Path) -> None:
    size = stripped.stat().st_size
    assert run("info", stripped).out.splitlines()[:5] == [
        str(stripped),
        "  format        EWAD",
        "  lumps         3",
        f"  size          {size} B",
        "  names         stripped",
    ]
