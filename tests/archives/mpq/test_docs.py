"""docs/mpq.md names every code of an error."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import lumpyard.archives.mpq

CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def codes() -> set[str]:
    """The second argument of each error that the modules raise, where it is written out, and the codes of warnings."""
    found = set()
    (folder,) = lumpyard.archives.mpq.__path__
    for path in Path(folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            place = {"MalformedError": 1, "UnsupportedError": 1, "Finding": 0, "_odd": 0}.get(node.func.id)
            if place is None or len(node.args) <= place:
                continue
            code = node.args[place]
            if isinstance(code, ast.Constant) and CODE.fullmatch(str(code.value)):
                found.add(str(code.value))
    return found


def test_every_code_is_in_the_documentation() -> None:
    text = (Path(__file__).parents[3] / "docs" / "mpq.md").read_text()
    found = codes()
    assert {"digest", "sector-table", "hash-entry", "zlib", "entries"} <= found
    assert {code for code in found if f"`{code}`" not in text} == set()
