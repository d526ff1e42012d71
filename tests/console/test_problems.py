"""Problems on screen: nothing raw from a file, carets under what they mean, one shape for all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.console.escape import escape_name
from lumpyard.console.problems import count_problems, cut_excerpt, render_problems
from lumpyard.console.tables import cell_width
from lumpyard.errors import DiskError, Place, Problem

MANIFEST = """version: 1
sets:
  textures:
    fils: "*.png"
\t名前: x
"""

PROBLEMS = [
    Problem(Place("assets.yaml", 4, 5), "E0120", "unknown key 'fils'", "did you mean 'files'?"),
    Problem(Place("assets.yaml", 5, 6), "W0101", "odd"),
    Problem(Place("assets.yaml", 2), "E0101", "a whole line"),
    Problem(Place("assets.yaml"), "E0103", "too big"),
    Problem(Place("gone.yaml", 3, 1), "E0101", "first\nsecond \x1b[31m", "hint \u202e"),
]

GOLDEN = """\
assets.yaml:4:5: error[E0120]: unknown key 'fils'
  4 |     fils: "*.png"
    |     ^
  hint: did you mean 'files'?

assets.yaml:5:6: warning[W0101]: odd
  5 |     名前: x
    |           ^

assets.yaml:2: error[E0101]: a whole line
  2 | sets:

assets.yaml: error[E0103]: too big

gone.yaml:3:1: error[E0101]: first
  second \\x1b[31m
  hint: hint \\u{202e}

4 errors, 1 warning
"""


def read(path: str) -> str:
    if path == "assets.yaml":
        return MANIFEST
    raise FileNotFoundError(path)


def test_a_report_has_each_problem_with_its_line_a_caret_and_a_hint() -> None:
    assert render_problems(PROBLEMS, read, color=False) == GOLDEN


def test_colors_add_nothing_but_colors() -> None:
    colored = render_problems(PROBLEMS[:2], read, color=True)
    assert "\x1b[1;31merror[E0120]\x1b[0m" in colored
    for code in ("0", "1", "2", "1;31", "1;33", "36"):
        colored = colored.replace(f"\x1b[{code}m", "")
    assert colored == render_problems(PROBLEMS[:2], read, color=False)


def test_no_problems_are_no_report() -> None:
    assert render_problems([], read, color=False) == ""


@pytest.mark.parametrize(
    "error", [OSError("gone"), DiskError("gone"), UnicodeDecodeError("utf-8", b"", 0, 0, "")]
)
def test_a_file_that_cannot_be_read_again_leaves_the_problem_without_its_line(error: Exception) -> None:
    def fail(path: str) -> str:
        raise error

    report = render_problems(PROBLEMS[:1], fail, color=False)
    assert report.splitlines()[:2] == [
        "assets.yaml:4:5: error[E0120]: unknown key 'fils'",
        "  hint: did you mean 'files'?",
    ]


def test_each_file_is_read_once() -> None:
    reads: list[str] = []

    def once(path: str) -> str:
        reads.append(path)
        return MANIFEST

    render_problems(PROBLEMS[:4], once, color=False)
    assert reads == ["assets.yaml"]


@given(st.text(st.characters(exclude_characters="\r\n"), max_size=300), st.integers(0, 310))
def test_the_caret_is_under_the_cell_of_its_column(line: str, column: int) -> None:
    excerpt = cut_excerpt(line, column)
    assert excerpt.text == escape_name(excerpt.text)
    assert cell_width(excerpt.text) <= 100 + 2 * len("...") + len("\\u{ffff}")
    if not column:
        assert excerpt.indent is None
        return
    assert excerpt.indent is not None
    char = line.rstrip()[column - 1 : column]
    if char not in ("", "\t") and cell_width(escape_name(char)):
        under = [
            at for at in range(len(excerpt.text)) if cell_width(excerpt.text[:at]) == len(excerpt.indent)
        ]
        assert any(excerpt.text.startswith(escape_name(char), at) for at in under)


def test_a_long_line_is_cut_around_the_caret() -> None:
    line = "a" * 200 + "X" + "b" * 200
    text, indent = cut_excerpt(line, 201)
    assert text == "..." + "a" * 33 + "X" + "b" * 66 + "..."
    assert indent is not None
    assert text[len(indent)] == "X"


def test_what_is_counted_reads_like_english() -> None:
    error, warning = PROBLEMS[0], PROBLEMS[1]
    assert count_problems([error]) == "1 error"
    assert count_problems([warning, warning]) == "2 warnings"
    assert count_problems([error, warning]) == "1 error, 1 warning"
