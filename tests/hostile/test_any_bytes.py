"""Any file of any content gives a documented error or a valid result, in little memory: seeded, for all formats."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.builders import judges
from tests.hostile import hammer

if TYPE_CHECKING:
    from pathlib import Path

FORMATS = ["IWAD", "PWAD", "PACK", "WAD2", "WAD3", "PAK", "DAIKATANA", "EWAD", "MPQ"]


def hammered(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    judges.program("smpq", "smpq")
    command = [sys.executable, "-m", "tests.hostile.hammer", *options, str(folder)]
    return subprocess.run(command, cwd=hammer.ROOT, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.parametrize("seed", [1, 2])
def test_broken_archives_of_every_format_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    """More than 4,000 of them; see `hammer.check` for what must hold."""
    done = hammered(tmp_path, "--seed", str(seed), "--mutants", "250")
    assert done.returncode == 0, done.stdout + done.stderr
    outcomes = dict(line.split(" ", 1) for line in done.stdout.splitlines()[:-1])
    assert list(outcomes) == FORMATS
    for format_name, counted in outcomes.items():
        codes = dict(re.findall(r"(\S+) (\d+)", counted))
        assert {"ok", "signature"} <= codes.keys(), format_name
        assert len(codes) > 4, format_name


def test_broken_archives_are_mounted_extracted_and_converted_or_refused(tmp_path: Path) -> None:
    done = hammered(tmp_path, "--seed", "3", "--mutants", "10", "--above")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" ok ") > 6


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize(
    "data", [b"", b"\0", bytes(64), b"\xff" * 300, b"<!DOCTYPE html>" + b"x" * 99], ids=len
)
def test_what_is_no_archive_at_all_is_said_to_be_none(format_name: str, data: bytes) -> None:
    """An HTML page that was saved under an archive's name, too: it is never half of an archive."""
    for reading in ("auto", format_name):
        assert hammer.check(data, reading) == "signature"


def test_a_reader_that_raises_what_is_not_documented_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def reader(*_: object, **__: object) -> None:
        raise IndexError

    monkeypatch.setattr(hammer, "open_archive", reader)
    with pytest.raises(IndexError):
        hammer.check(b"PWAD", "auto")


def test_a_reader_that_takes_a_gigabyte_does_not_pass() -> None:
    program = "from tests.hostile import hammer; hammer.limit_memory(); bytes(1 << 30)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=hammer.ROOT, capture_output=True, check=False, timeout=60
    )
    assert b"MemoryError" in done.stderr
