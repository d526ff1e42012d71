"""A `Source` in memory, and a short way to run a rule on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.errors import CookError, Place, Problem
from lumpyard.rule import Product

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.rule import Rule


class Reported(NamedTuple):
    """A call of `Source.problem`."""

    message: str
    line: int
    column: int
    hint: str
    warning: bool


@dataclass
class FakeSource:
    """A source whose world is a dict; it remembers what was asked and reported."""

    path: str
    data: bytes
    name: str = "lump"
    files: Mapping[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    reported: list[Reported] = field(default_factory=list)

    def read(self, path: str) -> bytes:
        self.asked.append(f"read {path}")
        if path not in self.files:
            raise CookError([Problem(Place(self.path), "E0000", f"no file {path}")])
        return self.files[path]

    def exists(self, path: str) -> bool:
        self.asked.append(f"exists {path}")
        return path in self.files

    def glob(self, pattern: str) -> Sequence[str]:
        self.asked.append(f"glob {pattern}")
        return sorted(path for path in self.files if fnmatchcase(path, pattern))

    def run(self, tool: str, args: Sequence[str], **rest: Any) -> Mapping[str, bytes]:
        raise NotImplementedError(f"{tool} {args} {rest}")

    def problem(
        self, message: str, *, line: int = 0, column: int = 0, hint: str = "", warning: bool = False
    ) -> None:
        self.reported.append(Reported(message, line, column, hint, warning))

    @property
    def errors(self) -> list[str]:
        """Messages that fail the cook."""
        return [report.message for report in self.reported if not report.warning]

    @property
    def warnings(self) -> list[str]:
        """Messages that do not."""
        return [report.message for report in self.reported if report.warning]


def cooked(rule: Rule, path: str, data: bytes, **options: Any) -> tuple[FakeSource, bytes]:
    """A source after a rule ran on it, and the bytes of the one product."""
    source = FakeSource(path, data)
    (product,) = rule.cook([source], rule.options(**options))
    assert product == Product(product.data)  # name, type and schema are left to the manifest and the rule
    return source, product.data
