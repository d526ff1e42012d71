"""A diff of two archives as text: what differs as a whole, the totals, the lumps, the maps.

Every line is safe to print. The totals are in bytes, so that everybody can add them up.
"""

from __future__ import annotations

import sys
from itertools import groupby
from typing import TYPE_CHECKING

from lumpyard.console.diff_maps import is_long, short_changes, thing_names
from lumpyard.console.diff_words import LABELS, STYLES, detail_of, fact_text, sign_of
from lumpyard.console.escape import escape_name
from lumpyard.console.signed import signed_bytes, signed_percent, signed_size
from lumpyard.console.sizes import count_text
from lumpyard.console.tables import Column, render_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.console.terminal import Terminal
    from lumpyard.report.changes import ArchiveDiff, Change, Total
    from lumpyard.report.map_changes import MapChange

MOST_SHOWN = 20  # lumps of one status; `--all` shows all
_SILENT = "moved"  # what is only counted, unless all are shown


def diff_text(
    diff: ArchiveDiff, maps: Sequence[MapChange], terminal: Terminal, most: int | None = MOST_SHOWN
) -> Iterator[str]:
    """Lines of text; `most` lumps of a status and changes of a map, or all."""
    yield terminal.paint(f"{escape_name(diff.old.path)} -> {escape_name(diff.new.path)}", "bold")
    yield f"  {headline(diff)}"
    if diff.facts:
        yield ""
        for fact in diff.facts:
            what, how = fact_text(fact)
            yield f"  {what}: {escape_name(how)}"
    if diff.differs():
        yield ""
        yield from totals_text(diff.totals, diff.old.size, diff.new.size, terminal.width)
    for status, group in groupby(diff.changes, key=lambda change: change.status):
        if status != _SILENT or most is None:
            yield ""
            yield from _group(diff, status, list(group), terminal, most)
    for text, names in short_changes(maps).items():
        yield ""
        yield f"{', '.join(map(escape_name, names))}: {text}"
    for change in filter(is_long, maps):
        yield ""
        yield from map_lines(change, most)
    for note in diff.notes:
        yield ""
        yield f"note: {escape_name(note)}"


def headline(diff: ArchiveDiff) -> str:
    """The whole in one line."""
    if not diff.differs():
        return f"equal: {count_text(len(diff.new.lumps), 'lump')}, {diff.new.size:,} bytes"
    percent = signed_percent(diff.delta, diff.old.size)
    size = f"{signed_bytes(diff.delta)} bytes" + (f" ({percent})" if percent else "")
    counts = [
        f"{total.lumps:,} {LABELS[total.what]}"
        for total in diff.totals
        if total.lumps and total.what != "same"
    ]
    return "; ".join([size, ", ".join(counts) or "all lumps as they were"])


def shown_totals(totals: Iterable[Total]) -> list[Total]:
    """The rows that say something."""
    return [total for total in totals if total.lumps or total.old_bytes or total.new_bytes]


def totals_text(totals: Iterable[Total], old: int, new: int, width: int | None = None) -> Iterator[str]:
    """The totals as a table that adds up."""
    columns = [
        Column("bytes of"),
        *(Column(title, right=True) for title in ("lumps", "old", "new", "change")),
    ]
    rows = [
        [
            LABELS[total.what],
            f"{total.lumps:,}" if total.lumps else "",
            f"{total.old_bytes:,}",
            f"{total.new_bytes:,}",
            signed_bytes(total.delta),
        ]
        for total in shown_totals(totals)
    ]
    rows.append(["file", "", f"{old:,}", f"{new:,}", signed_bytes(new - old)])
    yield from render_table(columns, rows, width, indent="  ")


def _group(
    diff: ArchiveDiff, status: str, group: Sequence[Change], terminal: Terminal, most: int | None
) -> Iterator[str]:
    """The lumps of one status, those that weigh most first where not all are shown."""
    shown = heaviest(group, most)
    yield terminal.paint(f"{LABELS[status]} ({len(group):,})", "bold")
    columns = [Column(""), Column("", cut=True), Column("", right=True), Column("", cut=True)]
    rows = [
        [sign_of(status), escape_name(change.name), signed_size(change.delta), detail_of(diff, change)]
        for change in shown
    ]
    for line in render_table(columns, rows, terminal.width, indent="  ", titles=False):
        yield terminal.paint(line, STYLES[status]) if status in STYLES else line
    if len(group) > len(shown):
        yield f"  and {len(group) - len(shown):,} more (--all shows them)"


def heaviest(group: Sequence[Change], most: int | None) -> list[Change]:
    """As many changes as are to be shown: those that weigh most, then by name."""
    if most is None or len(group) <= most:
        return list(group)
    return sorted(group, key=lambda change: (-abs(change.delta), change.name))[:most]


def map_lines(change: MapChange, most: int | None) -> Iterator[str]:
    """What changed in a map that means something else than it did."""
    from lumpyard.console.map_changes import map_diff_text  # noqa: PLC0415 - few archives have maps

    assert change.diff is not None
    assert change.old is not None
    assert change.new is not None
    most = sys.maxsize if most is None else most
    return map_diff_text(change.diff, change.old, change.new, thing_names(change.new), most)
