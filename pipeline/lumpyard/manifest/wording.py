"""What is wrong with YAML that doesn't parse, in plain words.

PyYAML's two parsers word it differently, and neither says what to do. Their marks differ too where a text
ends too soon or an escape is unknown; the place is then the start of what isn't finished.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lumpyard.errors import Place, Problem
from lumpyard.manifest.codes import SYNTAX

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"[^\s,]+")
_VALUE = re.compile(r"\s*(?:- +)*(?:[^\s:'\"]+: +)?(?=([*&!|>%@`{\[]))")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_QUOTE_IT = "a text that starts with '{char}' needs quotes: \"{word}\""
_ALIGN = "keys of one map start in the same column"
UNKNOWN_ESCAPE = (
    "an unknown escape in this text",
    "in double quotes a backslash starts an escape; paths are written with `/`",
)


def syntax_problem(path: str, lines: Sequence[str], error: Any) -> Problem:
    """The problem of a MarkedYAMLError."""
    context, problem = str(error.context or ""), str(error.problem or "")
    mark = error.problem_mark or error.context_mark
    at_end = mark is None or (mark.line, mark.column) >= (len(lines) - 1, len(lines[-1]))
    unfinished = error.context_mark is not None and (
        at_end or any(word in context for word in ("quoted scalar", "alias", "anchor", "tag", "simple key"))
    )
    mark = error.context_mark if unfinished else mark
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
    message, hint = _explain(context, problem, lines, line, column)
    return Problem(Place(path, line, column), SYNTAX, message, hint)


def word_at(lines: Sequence[str], line: int, column: int) -> str:
    """The text that someone probably meant to write at a place."""
    rest = lines[line - 1][column - 1 :] if line <= len(lines) else ""
    found = _WORD.match(rest)
    word = found[0] if found else rest.strip()
    for opening, closing in ("{}", "[]", "{}"):
        while word.endswith(closing) and word.count(closing) > word.count(opening):  # of what is around it
            word = word[:-1]
    return word


def _explain(context: str, problem: str, lines: Sequence[str], line: int, column: int) -> tuple[str, str]:
    """A message and a hint."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    char = text[column - 1 : column]
    if char == "\t":
        return "a tab where YAML wants spaces", "indent with spaces"
    if "quoted scalar" in context:
        if "escape" in problem or "hexdecimal" in problem:
            return UNKNOWN_ESCAPE
        return "this quote is never closed", ""
    if any(word in context for word in ("alias", "anchor", "tag", "directive")):
        return f"'{char}' can't stand at the start of a text", _quote_hint(lines, line, column)
    if "cannot start any token" in problem:
        return f"a text can't start with '{char}'", _quote_hint(lines, line, column)
    if "mapping values are not allowed" in problem:
        return "a `key: value` can't stand here", f"{_ALIGN}; a text with `: ` in it needs quotes"
    if "simple key" in context:
        return "a key without its `:`", ""
    if "flow" in context and char in ("[", "{"):
        return f"this '{char}' is never closed", ""
    opened = _late_quote(lines, line, column)
    if opened:
        return (
            "unexpected text here",
            f"the quote that opens in line {opened} closes here; is one missing there?",
        )
    started = _VALUE.match(text)
    if started is not None and started.end() < column:
        return "unexpected text here", _quote_hint(lines, line, started.end() + 1)
    if "flow" in context:
        return "expected a `,` or the closing bracket here", ""
    if "block mapping" in context:
        return "expected a key here", _ALIGN
    if "block collection" in context:
        return "expected a `- ` here", "items of one list start in the same column"
    return " ".join(f"{context} {problem}".split()) or "not YAML", ""


def _late_quote(lines: Sequence[str], line: int, column: int) -> int:
    """The line of a quote that nobody closed, so that the next one, just before this place, did; else 0."""
    quote = lines[line - 1][column - 2 : column - 1] if 0 < line <= len(lines) and column > 1 else ""
    if quote not in ("'", '"'):
        return 0
    odd = (at for at in range(line - 1, 0, -1) if _COMMENT.sub("", lines[at - 1]).count(quote) % 2)
    return next(odd, 0)


def _quote_hint(lines: Sequence[str], line: int, column: int) -> str:
    word = word_at(lines, line, column)
    return _QUOTE_IT.format(char=word[:1], word=word)
