"""docs/formats.md says what the code does: codes, limits, formats."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import lumpyard
from lumpyard.archives.directory import HEADER_SIZE, MAX_LUMPS
from lumpyard.archives.flat import MAX_U32
from lumpyard.archives.opening import FORMATS
from lumpyard.archives.writing import WRITERS

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
SOURCES = Path(lumpyard.__file__).parent / "archives"
MODULES = [
    path.relative_to(SOURCES).as_posix()
    for pattern in ("cap.py", "flat*.py", "path*.py", "ranges.py", "wad/*.py", "wad2/*.py")
    for path in sorted(SOURCES.glob(pattern))
]
CODE_PLACE = {"Finding": 0, "MalformedError": 1, "UnsupportedError": 1}  # of the arguments


def codes(module: str) -> Iterator[str]:
    """All literal codes of errors and findings in a module."""
    for node in ast.walk(ast.parse((SOURCES / module).read_text("utf-8"))):
        code = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CODE_PLACE:
            code = node.args[CODE_PLACE[node.func.id]]
        elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
            code = node.value.elts[0]
        if isinstance(code, ast.Constant) and isinstance(code.value, str):
            yield code.value


@pytest.mark.parametrize("module", MODULES)
def test_every_code_is_on_the_page(module: str) -> None:
    assert {code for code in codes(module) if f"`{code}`" not in PAGE} == set()


def test_codes_are_found_at_all() -> None:
    assert {*codes("flat.py")} == {"signature", "header", "directory", "limit", "cap", "name-empty"}
    assert {*codes("ranges.py")} == {"range", "offset", "overlap", "empty-offset"}
    assert "miptex-name" in codes("wad2/miptex.py")


def test_every_format_is_in_the_table_and_said_to_be_written_or_not() -> None:
    head = PAGE.partition("\n\n## ")[0]
    rows = [line.split("|")[1:4] for line in head.splitlines() if line.startswith("| ")]
    for name in FORMATS:
        (row,) = (row for row in rows if re.search(rf"\b{name}\b", row[0]))
        assert row[1].strip() == "yes"
        assert row[2].strip() == ("yes" if name in WRITERS or name == "EWAD" else "no")


def test_limits_are_those_of_the_code() -> None:
    for limit in (MAX_LUMPS, MAX_U32, MAX_U32 - HEADER_SIZE):
        assert f"{limit:,}" in PAGE
