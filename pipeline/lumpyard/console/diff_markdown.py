"""A diff of two archives as Markdown, for a pull request."""

from __future__ import annotations

import re
import sys
from itertools import groupby
from typing import TYPE_CHECKING

from lumpyard.console.diff_maps import is_long, short_changes, thing_names
from lumpyard.console.diff_text import headline, heaviest, shown_totals
from lumpyard.console.diff_words import LABELS, detail_of, fact_text
from lumpyard.console.markdown import code, details, table
from lumpyard.console.signed import signed_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.report.changes import ArchiveDiff
    from lumpyard.report.map_changes import MapChange

_HARMLESS = re.compile("(?:[A-Za-z0-9 .,;()]|->)*")
MOST_SHOWN = 50  # lumps of one status: a comment may have 65,536 characters


def diff_markdown(
    diff: ArchiveDiff, maps: Sequence[MapChange], most: int | None = MOST_SHOWN
) -> Iterator[str]:
    """Lines of Markdown: a heading, the totals, and the lumps behind a click."""
    yield f"### {code(diff.old.path)} → {code(diff.new.path)}"
    yield ""
    yield f"**{headline(diff)}**"
    for fact in diff.facts:
        what, how = fact_text(fact)
        yield ""
        yield f"- {what}: {code(how)}"
    if diff.differs():
        yield ""
        yield from _totals(diff)
    for status, group in groupby(diff.changes, key=lambda change: change.status):
        changes = list(group)
        if status == "moved" and most is not None:
            continue
        shown = heaviest(changes, most)
        rows = [
            [code(change.name), signed_bytes(change.delta), _plain(detail_of(diff, change))]
            for change in shown
        ]
        lines = list(table(("lump", "bytes", ""), rows, right=(1,)))
        if len(shown) < len(changes):
            lines += ["", f"and {len(changes) - len(shown):,} more"]
        yield ""
        yield from details(f"{LABELS[status]} ({len(changes):,})", lines)
    for text, names in short_changes(maps).items():
        yield ""
        yield f"{', '.join(map(code, names))}: {_plain(text)}"
    for change in filter(is_long, maps):
        yield ""
        yield from _map(change, most)
    for note in diff.notes:
        yield ""
        yield f"> {_plain(note)}"


def _totals(diff: ArchiveDiff) -> Iterator[str]:
    rows = [
        [
            LABELS[total.what],
            f"{total.lumps:,}" if total.lumps else "",
            f"{total.old_bytes:,}",
            f"{total.new_bytes:,}",
            signed_bytes(total.delta),
        ]
        for total in shown_totals(diff.totals)
    ]
    rows.append(
        ["**file**", "", f"{diff.old.size:,}", f"{diff.new.size:,}", f"**{signed_bytes(diff.delta)}**"]
    )
    return table(("bytes of", "lumps", "old", "new", "change"), rows, right=(1, 2, 3, 4))


def _plain(words: str) -> str:
    """Words as they are, where they can mean nothing else."""
    return words if _HARMLESS.fullmatch(words) else code(words)


def _map(change: MapChange, most: int | None) -> Iterator[str]:
    from lumpyard.console.map_changes import map_diff_markdown  # noqa: PLC0415 - few archives have maps

    assert change.diff is not None
    assert change.old is not None
    assert change.new is not None
    most = sys.maxsize if most is None else most
    return map_diff_markdown(change.diff, change.old, change.new, thing_names(change.new), most)
