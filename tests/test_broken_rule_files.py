"""What rule files may say, and what is wrong with one: a problem at its place in the manifest, all of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.rule_files import PLAIN, installing, level, load, problems

from lumpyard.errors import RuleError
from lumpyard.registry import (
    CODES,
    describe,
    options_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """A function that puts a distribution with one entry point, and a module, on the path."""
    with installing(tmp_path, monkeypatch) as install:
        yield install


def test_options_of_a_rule_file_may_be_written_with_postponed_annotations() -> None:
    code = """\
from __future__ import annotations
from dataclasses import dataclass, field
from typing import Literal
from lumpyard.rule import Rule

@dataclass(frozen=True, slots=True)
class Options:
    size: int
    kind: Literal["a", "b"] = field(default="a", metadata={"doc": "which one"})
    names: tuple[str, ...] = ("x",)
    limit: float | None = None

RULE = Rule(kind="level", version=1, cook=lambda s, o: [], options=Options)
"""
    assert [option[2:] for option in options_of(level({"tools/level_rule.py": code}).rule)] == [
        ("int", True, None, ""),
        ("a|b", False, "a", "which one"),
        ("list[str]", False, ("x",), ""),
        ("float|null", False, None, ""),
    ]


def test_a_file_may_define_several_rules() -> None:
    code = PLAIN.format(data="b''") + 'RULES = [RULE, Rule(kind="other", version=1, cook=cook)]\n'
    table = load({"r.py": code}, "r.py")
    assert {"level", "other"} <= set(table.by_kind)
    assert table.by_kind["level"].files == table.by_kind["other"].files == ("r.py",)


def line_of(message: str) -> str:
    return message.replace("{data}", "b''")


@pytest.mark.parametrize(
    ("files", "code", "message"),
    [
        ({}, "E0301", "there is no rule file r.py"),
        ({"r.py": "x = 1\ndef ("}, "E0302", "r.py:2 is not Python: SyntaxError: "),
        ({"r.py": b"x = 1\0"}, "E0302", "r.py is not Python: "),
        ({"r.py": b"x = '\xff'"}, "E0302", "r.py"),
        ({"r.py": "x = " + "(" * 9999}, "E0302", "r.py"),
        ({"r.py": "x = 1\n\n1 / 0"}, "E0303", "r.py:3 fails to load: ZeroDivisionError: division by zero"),
        ({"r.py": "import h", "h.py": "\n1 / 0"}, "E0303", "h.py:2 fails to load: ZeroDivisionError"),
        (
            {"r.py": "import h", "h.py": "\n\nx ="},
            "E0303",
            "h.py:3 fails to load: SyntaxError: invalid syntax",
        ),
        (
            {"r.py": "\nimport no_such"},
            "E0303",
            "r.py:2 fails to load: ModuleNotFoundError: No module named 'no_such'",
        ),
        (
            {"r.py": "from . import h"},
            "E0303",
            "r.py:1 fails to load: ImportError: attempted relative import",
        ),
        (
            {"r.py": "from h import x", "h.py": ""},
            "E0303",
            "r.py:1 fails to load: ImportError: cannot import name 'x'",
        ),
        ({"r.py": "raise SystemExit(3)"}, "E0303", "r.py:1 fails to load: SystemExit: 3"),
        ({"r.py": "x = 1"}, "E0304", "r.py defines neither RULE nor RULES"),
        ({"r.py": "RULE = 'x'"}, "E0304", "RULE of r.py is of type str, not a lumpyard.rule.Rule"),
        ({"r.py": "RULES = 'x'"}, "E0304", "RULES of r.py is of type str, not a list or tuple of Rule"),
        (
            {"r.py": PLAIN.replace("version=1", "version=1, libraries=('no-such-lib',)")},
            "E0304",
            "r.py: rule 'level' needs no-such-lib, not installed here",
        ),
        (
            {"r.py": PLAIN.replace("version=1", "version=1, options=int")},
            "E0303",
            "r.py:6 fails to load: TypeError: rule 'level': options must be a frozen dataclass",
        ),
        (
            {"r.py": PLAIN.replace('"level"', '"text"')},
            "E0305",
            "rule kind 'text' of r.py is already taken by lumpyard ",
        ),
    ],
)
def test_a_broken_rule_file_is_a_problem_in_the_manifest(
    files: dict[str, str | bytes], code: str, message: str
) -> None:
    files = {path: line_of(text) if isinstance(text, str) else text for path, text in files.items()}
    ((line, found, text),) = problems(files, "r.py")
    assert (line, found) == (1, code)
    assert text.startswith(message)
    assert "\n" not in text
    assert code in CODES


def test_the_problems_of_all_rule_files_come_at_once() -> None:
    files = {"a.py": "1 / 0", "c.py": "RULE = 1", "d.py": PLAIN.format(data="b''")}
    found = problems(files, "a.py", "b.py", "c.py", "d.py", "d.py")
    assert [(line, code) for line, code, _ in found] == [
        (1, "E0303"),
        (2, "E0301"),
        (3, "E0304"),
        (5, "E0305"),
    ]
    assert found[-1][2] == "rule kind 'level' of d.py is listed twice"


def test_a_broken_rule_package_is_told_before_rule_files(install: Any) -> None:
    install("acme-rules", "level", "acme_worse", "1 / 0")
    with pytest.raises(RuleError):
        load({"a.py": "1 / 0"}, "a.py")


def test_an_option_may_be_a_list_of_entries_of_several_keys() -> None:
    code = (
        "from dataclasses import dataclass\nfrom lumpyard.rule import Rule\n"
        "@dataclass(frozen=True)\nclass Entry:\n    id: str\n    x: float | None = None\n"
        "@dataclass(frozen=True)\nclass Options:\n    ignore: tuple[Entry, ...] = (Entry('a'),)\n"
        "RULE = Rule(kind='level', version=1, cook=print, options=Options)"
    )
    (option,) = next(entry for entry in describe(load({"r.py": code}, "r.py")) if entry["kind"] == "level")[
        "options"
    ]
    assert (option["type"], option["default"]) == ("list[{id, x?}]", [{"id": "a", "x": None}])


def test_an_interrupt_while_a_rule_file_runs_is_no_problem_of_it() -> None:
    with pytest.raises(KeyboardInterrupt):
        load({"r.py": "raise KeyboardInterrupt"}, "r.py")


def with_option(field: str) -> str:
    """A rule file whose rule has one option."""
    return (
        "from dataclasses import dataclass, field\nfrom typing import Literal\nfrom lumpyard.rule import Rule\n"
        f"@dataclass(frozen=True)\nclass Options:\n    {field}\n"
        "RULE = Rule(kind='level', version=1, cook=print, options=Options)"
    )


@pytest.mark.parametrize(
    "hint", ["dict[str, int]", "list[int]", "tuple[int, int]", "bytes", "int | str", "'Literal[1]'"]
)
def test_an_option_that_no_manifest_can_set_is_refused(hint: str) -> None:
    ((_, code_found, text),) = problems({"r.py": with_option(f"bad: {hint} = None")}, "r.py")
    assert code_found == "E0304"
    assert "option bad has type" in text


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("bad: int = '5'", "option bad is of type int, its default is '5'"),
        ("bad: int = True", "option bad is of type int, its default is True"),
        ("bad: float = float('nan')", "option bad is of type float, its default is nan"),
        ("bad: bool | None = 0", "option bad is of type bool|null, its default is 0"),
        ("bad: Literal['a', 'b'] = 'c'", "option bad is of type a|b, its default is 'c'"),
        ("bad: tuple[str, ...] = 'abc'", "option bad is of type list[str], its default is 'abc'"),
        ("bad: tuple[int, ...] = field(default_factory=lambda: ('a',))", "its default is ('a',)"),
        ("bad: int = field(default_factory=lambda: 1 // 0)", "the default of option bad fails: "),
    ],
)
def test_a_default_that_no_manifest_could_say_is_refused(field: str, message: str) -> None:
    ((_, code_found, text),) = problems({"r.py": with_option(field)}, "r.py")
    assert code_found == "E0304"
    assert message in text
