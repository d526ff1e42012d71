"""docs/report.md names what there is: statuses, rows, codes, and the fields of both documents."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.builders import ewad
from tests.report.archives import inventory, written

from lumpyard.archives.structure import PARTS
from lumpyard.build.release import budgets, idle_budgets
from lumpyard.console.diff_words import LABELS
from lumpyard.report.changes import STATUSES
from lumpyard.report.diff import compare_archives
from lumpyard.report.diff_data import diff_data
from lumpyard.report.measure import SizeReport
from lumpyard.report.size_data import size_data
from lumpyard.report.sizes import Release, measure_inventory

TEXT = (Path(__file__).parents[2] / "docs/report.md").read_text("utf-8")


def fields(value: Any) -> set[str]:
    """All keys of a document, but those of `parts`, which are rows."""
    if isinstance(value, list):
        return {name for item in value for name in fields(item)}
    if isinstance(value, dict):
        inner = {name for key, item in value.items() if key != "parts" for name in fields(item)}
        return {*value, *inner}
    return set()


def test_every_status_and_every_row_is_explained() -> None:
    for status in STATUSES[:-1]:
        assert re.search(rf"\b{re.escape(LABELS[status])}\b", TEXT), status
        assert status == LABELS[status] or f"`{status}`" in TEXT
    for part in PARTS:
        assert f"| {part} |" in TEXT


def test_every_code_of_budgets_is_explained() -> None:
    known = {*budgets.OVER_SIZE, *budgets.OVER_GROWTH, budgets.UNKNOWN_GROWTH, idle_budgets.IDLE}
    assert set(re.findall(r"\b[EW]080\d\b", TEXT)) == known


def test_every_field_of_json_is_named() -> None:
    old = inventory(ewad.build([written("a", b"1"), written("x", b"content"), written("g", b"2", fourcc=9)]))
    new = inventory(ewad.build([written("a", b"22"), written("y", b"content", schema=1)]))
    diff = compare_archives(old, new)
    release = Release(1, 1, 1, 1, "0" * 16, is_same=False, parts=dict.fromkeys(PARTS, 0))
    sizes = measure_inventory("base", new, largest=3, release=release, before=old)
    found = fields(diff_data(diff, [], lambda _: {})) | fields(size_data(SizeReport((sizes,), ())))
    known_elsewhere = {"alignment", "seed", "stripped"}  # `info` has them
    assert [
        name
        for name in sorted(found - known_elsewhere)
        if f'"{name}"' not in TEXT and f"`{name}`" not in TEXT
    ] == []
