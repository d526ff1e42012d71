"""Law: whatever a rule does wrong or reports is told, in one line each, and nothing of it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.world import MemoryWorld, a_lump, a_recipe
from tests.cooking.cooks import cook_one, message_of, problems_of

from lumpyard.build.cooking.cook import cook
from lumpyard.errors import CookError, DiskError, MalformedError, RuleError
from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lumpyard.rule import Source


def test_all_problems_of_a_source_are_reported_and_none_of_its_products() -> None:
    def run(sources: Sequence[Source]) -> Any:
        sources[0].problem("bad colour", line=3, column=7, hint="use red")
        sources[0].problem("odd size", line=1, warning=True)
        return [Product(b"")]

    assert [str(problem) for problem in problems_of(run)] == [
        "art/a.txt:1: warning[W0601]: odd size",
        "art/a.txt:3:7: error[E0601]: bad colour",
    ]


def test_warnings_alone_do_not_stop_a_cook() -> None:
    def run(sources: Sequence[Source]) -> Any:
        sources[0].problem("odd size", warning=True)
        return [Product(b"")]

    [warning] = cook_one(run).warnings
    assert str(warning) == "art/a.txt: warning[W0601]: odd size"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ValueError("no\nlines  here"), "ValueError: no lines here"),
        (KeyError("k"), "KeyError: 'k'"),
        (RuntimeError(), "RuntimeError"),
        (SystemExit(3), "SystemExit: 3"),
        (MemoryError(), "MemoryError"),
        (MalformedError("bad directory", "directory"), "MalformedError: bad directory"),
        (
            UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad byte"),
            "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: bad byte",
        ),
    ],
)
def test_an_exception_of_a_rule_is_one_line_with_the_rule_and_the_path(
    error: BaseException, says: str
) -> None:
    def run(_: object) -> Any:
        raise error

    message = message_of(run)
    assert message.startswith(f"rule 'test' failed on art/a.txt: {says} (at ")


def test_an_exception_while_products_are_made_is_the_same() -> None:
    def run(_: object) -> Any:
        yield Product(b"")
        raise ValueError("late")

    assert "ValueError: late" in message_of(run)


def test_the_message_says_the_line_of_a_local_rule_file() -> None:
    """The registry runs local rule files as modules that are named by their path, `#` and a mark."""
    names: dict[str, Any] = {"__name__": "tools/level_rule.py#12ab"}
    helper: dict[str, Any] = {"__name__": "tools/grid.py#12ab"}
    exec(compile("\n\ndef half(x):\n    return x // 0\n", "/home/me/p/tools/grid.py", "exec"), helper)
    names["half"] = helper["half"]
    code = "def cook(sources, options):\n    return half(1)\n"
    exec(compile(code, "/home/me/p/tools/level_rule.py", "exec"), names)
    lump = a_lump(a_recipe(Rule(kind="level", version=1, cook=names["cook"])))
    with pytest.raises(CookError) as caught:
        cook(lump, [b""], MemoryWorld())
    assert str(caught.value) == (
        "art/a.txt: error[E0602]: rule 'level' failed on art/a.txt: "
        "ZeroDivisionError: integer division or modulo by zero (at tools/grid.py:4)"
    )


def test_problems_reported_before_an_exception_are_told_too() -> None:
    def run(sources: Sequence[Source]) -> Any:
        sources[0].problem("first", line=1)
        raise ValueError("then")

    assert [problem.code for problem in problems_of(run)] == ["E0602", "E0601"]


def test_very_long_texts_of_exceptions_are_cut() -> None:
    def run(_: object) -> Any:
        raise ValueError("x" * 10_000)

    assert len(message_of(run)) < 500


class VanishedError(CookError):
    """What the engine raises for a source that cannot be had."""

    exit_status = 5


@pytest.mark.parametrize("error", [RuleError("tool is gone"), VanishedError([]), KeyboardInterrupt()])
def test_what_is_not_the_rules_doing_passes_through(error: BaseException) -> None:
    class Broken(MemoryWorld):
        def read(self, path: str) -> bytes:
            raise error

    with pytest.raises(type(error)):
        cook_one(lambda sources: [Product(sources[0].read("x"))], world=Broken())


def test_a_file_that_cannot_be_read_is_an_error_at_the_source_with_its_own_status() -> None:
    class Broken(MemoryWorld):
        def read(self, path: str) -> bytes:
            raise DiskError(f"cannot read {path}: it is a folder, not a file")

    with pytest.raises(CookError) as caught:
        cook_one(lambda sources: [Product(sources[0].read("x"))], world=Broken())
    assert caught.value.exit_status == 5
    told = "art/a.txt: error[E0402]: art/a.txt needs x: cannot read x: it is a folder, not a file"
    assert str(caught.value) == told


@pytest.mark.parametrize(
    "wrong", [{"message": 5}, {"hint": None}, {"line": "3"}, {"line": -1}, {"column": 1.5}, {"column": -7}]
)
def test_a_problem_that_is_none_is_the_rules_fault(wrong: dict[str, Any]) -> None:
    def run(sources: Sequence[Source]) -> Any:
        sources[0].problem(**{"message": "odd size", "warning": True, **wrong})
        return [Product(b"")]

    assert message_of(run).startswith("rule 'test' failed on art/a.txt: TypeError: a problem's ")


# --- asking --------------------------------------------------------------------------------------
