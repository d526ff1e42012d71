"""docs/maps.md lists each check with its level and targets, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from lumpyard.maps.checks import CHECKS
from lumpyard.maps.checks.checking import SHOWN
from lumpyard.maps.tables.games import GAMES, TARGETS

PAGE = (Path(__file__).parents[2] / "docs" / "maps.md").read_text("utf-8")
SECTION = PAGE.partition("\n## Checks\n")[2].partition("\n## ")[0]


def test_the_table_is_the_catalogue() -> None:
    rows = [
        tuple(cell.strip() for cell in row.split("|")[1:-1])
        for row in SECTION.splitlines()
        if row[:3] == "| `"
    ]
    expected = [
        (
            f"`{check.id}`",
            check.level,
            "all" if check.targets == TARGETS else ", ".join(check.targets),
            check.what,
        )
        for check in CHECKS
    ]
    assert rows == expected


def test_ids_are_words_with_hyphens_and_each_is_there_once() -> None:
    names = [check.id for check in CHECKS]
    assert len({*names}) == len(names)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+|medusa", name) for name in names)


def test_targets_games_and_the_most_findings_are_said() -> None:
    for name in (*TARGETS, *GAMES):
        assert f"`{name}`" in SECTION
    assert f"at most {SHOWN} findings" in SECTION
