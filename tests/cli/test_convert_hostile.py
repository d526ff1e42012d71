"""Broken archives through convert, extract and pack: a documented status or a sound archive, never a fault."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.builders.mutants import mutant
from tests.builders.small_archives import small_archives

from lumpyard.archives.opening import FORMATS
from lumpyard.convert import TARGETS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

ROUNDS = 20  # of each format


@pytest.mark.parametrize("format_name", FORMATS)
def test_any_archive_is_converted_or_refused(run: Run, tmp_path: Path, format_name: str) -> None:
    """ "any file of any content gives a documented error or a valid result" """
    archives = small_archives(tmp_path / "sound")[format_name]
    rng = random.Random(f"convert {format_name}")
    source, out, folder = tmp_path / "in", tmp_path / "out", tmp_path / "d"
    converted = 0
    for number in range(ROUNDS):
        source.write_bytes(archives[number] if number < len(archives) else mutant(archives, rng))
        target = TARGETS[number % len(TARGETS)]
        lenient = ["--lenient"] if number % 3 == 0 else []
        ran = run(
            "convert", source, out, "--from", format_name, "--format", target, "--names", "truncate", *lenient
        )
        assert ran.status in {0, 3, 4}, ran.err
        assert (ran.status == 0) == out.exists()
        if ran.status == 0:
            converted += 1
            assert run("verify", out, "--format", target).status == 0
            out.unlink()
        ran = run("extract", source, "-C", folder, "--format", format_name, *lenient)
        assert ran.status in {0, 3, 4}, ran.err
        if folder.exists():
            ran = run("pack", folder, out, "--format", "EWAD")
            assert ran.status in {0, 4}, ran.err
            out.unlink(missing_ok=True)
            shutil.rmtree(folder)
    assert converted
