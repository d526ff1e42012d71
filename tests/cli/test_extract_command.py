"""`lumpyard extract` on archives of others: below the folder or not at all, whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.ewad import Written, build
from xxhash import xxh64_intdigest

from lumpyard.convert import SIDECAR

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

LUMPS = [Written(b"a.txt", b"a"), Written(b"sub/b.txt", b"bb"), Written(b"sub/c.bin", b"ccc")]


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def write(folder: Path, lumps: list[Written], **options: bool) -> Path:
    path = folder / "in.ewad"
    path.write_bytes(build(lumps, **options))  # type: ignore[arg-type]
    return path


def test_every_lump_becomes_a_file(run: Run, tmp_path: Path) -> None:
    archive, to = write(tmp_path, LUMPS), tmp_path / "new" / "out"
    ran = run("extract", archive, "-C", to)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"3 lumps of {archive} written to {to}\n"
    assert files(to) == {"a.txt": b"a", "sub/b.txt": b"bb", "sub/c.bin": b"ccc"}


def test_patterns_choose(run: Run, tmp_path: Path) -> None:
    archive, to = write(tmp_path, LUMPS), tmp_path / "out"
    assert run("extract", archive, "-C", to, "sub/*.txt", "a.txt").status == 0
    assert set(files(to)) == {"a.txt", "sub/b.txt"}


def test_a_pattern_that_matches_nothing_writes_nothing(run: Run, tmp_path: Path) -> None:
    archive, to = write(tmp_path, LUMPS), tmp_path / "out"
    ran = run("extract", archive, "a.txt", "*.wav", "-C", to)
    assert (ran.status, ran.stdout) == (1, b"")
    assert not to.exists()


def test_what_is_there_is_overwritten_only_by_force(run: Run, tmp_path: Path) -> None:
    archive, to = write(tmp_path, LUMPS), tmp_path / "out"
    to.mkdir()
    (to / "a.txt").write_bytes(b"mine")
    ran = run("extract", archive, "-C", to)
    assert (ran.status, ran.stdout) == (5, b"")
    assert "a.txt" in ran.err
    assert files(to) == {"a.txt": b"mine"}
    assert run("extract", archive, "-C", to, "--force").status == 0
    assert files(to)["a.txt"] == b"a"


@pytest.mark.parametrize(
    "name", [b"../evil.cfg", b"a/../../b", b"/etc/x", b"C:\\x", b"\\\\srv\\x", b"..\\..\\x"]
)
def test_one_name_that_leads_out_refuses_all(run: Run, tmp_path: Path, name: bytes) -> None:
    archive, to = write(tmp_path, [*LUMPS, Written(name, b"evil")]), tmp_path / "out"
    before = files(tmp_path)
    ran = run("extract", archive, "-C", to)
    assert (ran.status, ran.stdout) == (4, b"")
    assert ran.err.startswith(f"lumpyard: error: {archive}: entry ")
    assert files(tmp_path) == before


def test_lumps_without_names_are_named_by_their_keys(run: Run, tmp_path: Path) -> None:
    archive, to = write(tmp_path, LUMPS, named=False), tmp_path / "out"
    assert run("extract", archive, "-C", to).status == 0
    found = files(to)
    assert found.pop(SIDECAR)
    assert found == {f"{xxh64_intdigest(lump.name):016x}": lump.stored for lump in LUMPS}


def test_a_damaged_lump_is_named_and_the_others_are_written(run: Run, tmp_path: Path) -> None:
    data = bytearray(build([*LUMPS, Written(b"bad", b"d" * 40)]))
    data[data.index(b"d" * 40)] ^= 1
    archive, to = tmp_path / "in.ewad", tmp_path / "out"
    archive.write_bytes(data)
    ran = run("extract", archive, "-C", to)
    assert ran.status == 3
    assert "'bad'" in ran.err
    assert set(files(to)) == {"a.txt", "sub/b.txt", "sub/c.bin"}


def test_json_says_which_file_holds_which_lump(run: Run, tmp_path: Path) -> None:
    archive, to = write(tmp_path, [Written(b"AUX", b"x"), Written(b"b:c", b"y")]), tmp_path / "out"
    items = run("extract", "--json", archive, "-C", to).json
    assert {item["name"] for item in items} == {"AUX", "b:c"}
    for item in items:
        assert set(item) == {"entry", "name", "path"}
        assert (to / item["path"]).is_file()
