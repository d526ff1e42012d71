"""Markdown for pull requests, in which no name can mean anything but itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard.console.escape import escape_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TICKS = re.compile("`+")


def code(text: str) -> str:
    """A name as a code span that also stands in a table: no markup, no mention, no link."""
    safe = escape_name(text).replace("|", "\\|")
    if not safe.strip():
        return f"`{safe or ' '}`"
    longest = max(map(len, _TICKS.findall(safe)), default=0)
    if not longest:
        return f"`{safe}`"
    fence = "`" * (longest + 1)
    return f"{fence} {safe} {fence}"


def table(titles: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> Iterator[str]:
    """Lines of a table; cells are Markdown already. `right` are the columns that stand to the right."""
    yield f"| {' | '.join(titles)} |"
    yield "|" + "|".join("---:" if at in right else "---" for at in range(len(titles))) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def details(summary: str, lines: Sequence[str]) -> Iterator[str]:
    """Lines that show when one asks for them; the summary is plain words."""
    yield from ("<details>", f"<summary>{summary}</summary>", "", *lines, "", "</details>")
