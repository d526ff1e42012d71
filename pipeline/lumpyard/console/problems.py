"""Problems as people read them: where, what, the line itself with a caret below it, and what to do.

```
assets.yaml:12:9: error[E0120]: unknown key 'fils' in set 'textures'
  12 |         fils: "*.png"
     |         ^
  hint: did you mean 'files'?

1 error
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.console.escape import escape_name
from lumpyard.console.tables import cell_width
from lumpyard.console.terminal import PLAIN, Terminal
from lumpyard.errors import Error
from lumpyard.manifest.text import split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lumpyard.errors import Problem

_WIDEST = 100  # cells of an excerpt
_TAB = "    "  # YAML has no tabs of its own; this is what most editors show
_CUT = "..."


class Excerpt(NamedTuple):
    """A line that is safe to print, and the spaces that put a caret under its place."""

    text: str
    indent: str | None  # None: the place is the line as a whole


def render_problems(problems: Iterable[Problem], read: Callable[[str], str], *, color: bool) -> str:
    """The problems in their order and a line that counts them; empty where there are none.

    `read` gives the text of a file by a place's path. Where it raises an OSError, a ValueError or an Error,
    the problem stands without its line.
    """
    known = list(problems)
    if not known:
        return ""
    terminal = Terminal(color=True) if color else PLAIN
    files: dict[str, list[str]] = {}
    blocks = ["\n".join(_iter_lines(problem, read, files, terminal)) for problem in known]
    return "\n\n".join([*blocks, count_problems(known)]) + "\n"


def count_problems(problems: Iterable[Problem]) -> str:
    """How many there are: "2 errors, 1 warning"."""
    errors = [problem.is_error for problem in problems]
    counts = ((sum(errors), "error"), (len(errors) - sum(errors), "warning"))
    return ", ".join(f"{number} {word}{'s' if number > 1 else ''}" for number, word in counts if number)


def cut_excerpt(line: str, column: int) -> Excerpt:
    """A line of a file around a column (from 1, in characters; 0 for none), in at most 100 cells or so."""
    shown = [_TAB if char == "\t" else escape_name(char) for char in line.rstrip()]
    widths = list(map(cell_width, shown))
    at = column - 1 if column else 0
    start = 0
    if sum(widths) > _WIDEST:
        start = _start(widths, min(at, len(widths)))
        shown = shown[: _end(widths, start)]
    text = (_CUT if start else "") + "".join(shown[start:])
    if len(shown) < len(widths):
        text += _CUT
    if not column:
        return Excerpt(text, None)
    before = sum(widths[start:at]) + max(at - len(widths), 0) + (len(_CUT) if start else 0)
    return Excerpt(text, " " * before)


def _iter_lines(
    problem: Problem, read: Callable[[str], str], files: dict[str, list[str]], terminal: Terminal
) -> Iterator[str]:
    """The lines of one problem."""
    place = problem.place
    level, style = ("error", "red") if problem.is_error else ("warning", "yellow")
    first, *more = problem.message.split("\n")
    label = terminal.paint(f"{level}[{escape_name(problem.code)}]", style)
    yield f"{terminal.paint(escape_name(str(place)), 'bold')}: {label}: {escape_name(first)}"
    yield from (f"  {escape_name(line)}" for line in more)
    lines = _lines_of(place.path, read, files) if place.line else []
    if 0 < place.line <= len(lines):
        excerpt = cut_excerpt(lines[place.line - 1], place.column)
        number = str(place.line)
        yield f"  {terminal.paint(f'{number} |', 'dim')} {excerpt.text}".rstrip()
        if excerpt.indent is not None:
            bar = terminal.paint(f"{'':{len(number)}} |", "dim")
            yield f"  {bar} {excerpt.indent}{terminal.paint('^', style)}"
    if problem.hint:
        yield f"  {terminal.paint('hint:', 'cyan')} {escape_name(problem.hint)}"


def _lines_of(path: str, read: Callable[[str], str], files: dict[str, list[str]]) -> list[str]:
    """The lines of a file, none where it can't be read."""
    if path not in files:
        try:
            files[path] = split_lines(read(path))
        except (OSError, ValueError, Error):
            files[path] = []
    return files[path]


def _start(widths: list[int], at: int) -> int:
    """Where a cut line starts, so that what a caret is under has room on both sides."""
    room = _WIDEST // 3
    while at and room >= widths[at - 1]:
        at -= 1
        room -= widths[at]
    return at


def _end(widths: list[int], start: int) -> int:
    room = _WIDEST
    end = start
    while end < len(widths) and room >= widths[end]:
        room -= widths[end]
        end += 1
    return end
