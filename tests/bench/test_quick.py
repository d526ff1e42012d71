"""The benchmark programs still run: on small data, without a look at the clock."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[2] / "bench"


def _run(program: str, *arguments: str | Path) -> str:
    command = [sys.executable, BENCH / program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_work_does_what_it_should_and_leaves_the_data_as_it_was(tmp_path: Path) -> None:
    """One changed file makes one lump anew, and nothing to do is nothing to do: run.py stops where that isn't so."""
    made = _run("make_data.py", "S", "--quick", "--data", tmp_path / "data")
    table = _run("run.py", "--quick", "--rounds", "1", "--data", tmp_path / "data", "--results", tmp_path)
    (path,) = tmp_path.glob("*.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    works = {"cold-S", "change", "nothing", "cold-L", "hc-S", "memory", "open"}
    assert set(document["runs"]) == works
    for row in document["rows"]:
        assert row["title"] in table
        assert row["ours"] > 0
        assert row["met"] is None, "small data says nothing about targets"

    assert _run("make_data.py", "S", "--quick", "--data", tmp_path / "again") == made
    for path in (tmp_path / "again/S/files").rglob("*.bin"):
        used = tmp_path / "data" / path.relative_to(tmp_path / "again")
        assert used.read_bytes() == path.read_bytes()


def test_archives_are_the_same_each_time_too(tmp_path: Path) -> None:
    first, second = (_run("make_data.py", "E", "--quick", "--data", tmp_path / name) for name in "ab")
    assert first == second
    assert "2 files" in first


def test_every_stage_of_the_profile_is_there(tmp_path: Path) -> None:
    _run("make_data.py", "S", "--quick", "--data", tmp_path)
    text = _run("profile_ship.py", tmp_path / "S", "--inside")
    (line,) = (line for line in text.splitlines() if line.startswith("read and digest"))
    assert line.endswith(" 400")
