"""What a stream can show: colors, its width, its encoding.

Colors only on a terminal that is not `dumb`, and never where NO_COLOR is set (no-color.org).
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    from collections.abc import Mapping

_CODES = {"bold": "1", "dim": "2", "red": "1;31", "green": "32", "yellow": "1;33", "cyan": "36"}


class Terminal(NamedTuple):
    """What is known of one output stream."""

    color: bool = False
    width: int | None = None  # in cells; None: not a terminal, nothing is cut

    def paint(self, text: str, style: str) -> str:
        """The text in a style (a key of the codes above), or as it is where there are no colors."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.color and text else text


PLAIN = Terminal()


def look_at(stream: TextIO | None, environ: Mapping[str, str]) -> Terminal:
    """What a stream can show under this environment."""
    if stream is None or not is_terminal(stream):
        return PLAIN
    color = not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    return Terminal(color, _width(stream, environ))


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at this stream; a closed one is none."""
    try:
        return stream.isatty()
    except ValueError:
        return False


def _width(stream: TextIO, environ: Mapping[str, str]) -> int:
    columns = environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def encodable(text: str, encoding: str | None) -> bytes:
    """The text in a stream's encoding; what does not fit stands as an escape, never an error."""
    try:
        return text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return text.encode(encoding or "utf-8", "backslashreplace")
    except LookupError:
        return text.encode("ascii", "backslashreplace")


def abandon(stream: TextIO) -> None:
    """Point a stream at nothing, so that what it still holds is no error when Python flushes it at exit."""
    with suppress(OSError, ValueError):  # no real stream
        number = stream.fileno()
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, number)
        os.close(nothing)
