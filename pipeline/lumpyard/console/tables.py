"""Aligned columns for terminals and pipes.

Cells are text that was escaped already. Widths are counted in terminal cells: East Asian wide characters take
two, combining marks none. Only columns that say so are shortened to a terminal's width, in the middle, where
paths differ least; nothing is cut through a pipe, nor where too little would be left. No line ends in spaces.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAP = "  "
_LEAST = 16  # cells that a shortened column keeps


class Column(NamedTuple):
    """One column of a table."""

    title: str
    right: bool = False  # numbers stand to the right
    cut: bool = False  # may be shortened on a terminal


def cell_width(text: str) -> int:
    """Terminal cells that a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def shorten(text: str, width: int, ellipsis: str = "…") -> str:
    """The text, its middle left out where it takes more than `width` cells."""
    if cell_width(text) <= width:
        return text
    room = max(width - cell_width(ellipsis), 0)
    head = _take(text, room - room // 2)
    tail = _take(text[::-1], room - cell_width(head))[::-1]
    return head + ellipsis + tail


def _take(text: str, width: int) -> str:
    used = 0
    for position, char in enumerate(text):
        used += _char_width(char)
        if used > width:
            return text[:position]
    return text


def pad(text: str, width: int, right: bool = False) -> str:
    """The text with spaces up to a width in cells."""
    spaces = " " * (width - cell_width(text))
    return spaces + text if right else text + spaces


def render_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    width: int | None = None,
    indent: str = "",
    titles: bool = True,
) -> Iterator[str]:
    """Lines of a table, without line ends; `width` is the terminal's, or None for a pipe."""
    body = [[column.title for column in columns], *rows] if titles else rows
    if not body:
        return
    widths = [max(map(cell_width, cells)) for cells in zip(*body, strict=True)]
    if width is not None:
        _fit(columns, widths, width - len(indent))
    for row in body:
        cells = (
            pad(shorten(text, room) if column.cut else text, room, column.right)
            for text, room, column in zip(row, widths, columns, strict=True)
        )
        yield (indent + _GAP.join(cells)).rstrip(" ")


def _fit(columns: Sequence[Column], widths: list[int], width: int) -> None:
    """Narrow columns that may be cut, the widest first, until the table fits; where it cannot, none is cut."""
    whole = widths.copy()
    excess = sum(widths) + len(_GAP) * (len(widths) - 1) - width
    while excess > 0:
        widest = max(
            (i for i, column in enumerate(columns) if column.cut), key=lambda i: widths[i], default=None
        )
        if widest is None or widths[widest] <= _LEAST:
            widths[:] = whole  # it would wrap all the same, and say less
            return
        others = [widths[i] for i, column in enumerate(columns) if column.cut and i != widest]
        step = max(1, min(excess, widths[widest] - max([*others, _LEAST])))
        widths[widest] -= step
        excess -= step


def render_pairs(pairs: Sequence[tuple[str, str]], indent: str = "  ") -> Iterator[str]:
    """Lines of names and values, the values aligned."""
    yield from render_table((Column(""), Column("")), pairs, indent=indent, titles=False)
