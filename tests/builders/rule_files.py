"""Rule files for tests, and how they are loaded."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from lumpyard.errors import Place, ProblemsError
from lumpyard.manifest.model import Named
from lumpyard.registry import (
    Registered,
    RuleTable,
    load_rules,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

PLAIN = """\
from lumpyard.rule import Product, Rule

def cook(sources, options):
    return [Product({data})]

RULE = Rule(kind="level", version=1, cook=cook)
"""


def load(files: Mapping[str, str | bytes], *paths: str, root: str = "/project") -> RuleTable:
    """The rules of a project in memory; each path is listed in a line of its own, the first in line 1."""
    listed = [Named(path, Place("assets.yaml", number, 9)) for number, path in enumerate(paths, 1)]
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return load_rules(listed, root, data.get)


def problems(files: Mapping[str, str | bytes], *paths: str) -> list[tuple[int, str, str]]:
    """Line, code and message of all problems."""
    with pytest.raises(ProblemsError) as caught:
        load(files, *paths)
    return [(problem.place.line, problem.code, problem.message) for problem in caught.value.problems]


def level(files: Mapping[str, str | bytes], path: str = "tools/level_rule.py") -> Registered:
    """The rule `level` of one rule file."""
    found = load(files, path).find("level")
    assert found is not None
    return found


def output(entry: Registered) -> bytes:
    """What a rule without sources makes."""
    (product,) = entry.rule.cook([], entry.rule.options())
    return product.data


@contextmanager
def installing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """A function that puts a distribution with one entry point, and a module, on the path."""
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)

    def install(name: str, point: str, module: str, code: str, version: str = "1.2") -> None:
        info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[lumpyard.rules]\n{point} = {module}:RULE\n")
        (folder / f"{module}.py").write_text(code)

    yield install
    for added in set(sys.modules) - before:
        del sys.modules[added]
