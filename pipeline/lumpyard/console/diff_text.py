"""A diff of two archives as text for terminals and pipes.

Every line is safe to print. The totals are in bytes, so that everybody can add them up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.console.diff_maps import map_lines
from lumpyard.console.diff_walk import diff_lines
from lumpyard.console.diff_words import STYLES, TOTALS, detail_of, sign_of, totals_rows
from lumpyard.console.escape import escape_name
from lumpyard.console.signed import signed_bytes, signed_size
from lumpyard.console.tables import Column, cell_width, render_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.console.diff_walk import Group
    from lumpyard.console.terminal import Terminal
    from lumpyard.report.changes import ArchiveDiff
    from lumpyard.report.map_changes import MapChange

MOST_SHOWN = 20  # lumps of one status; `--all` shows all
_LONG = 40  # cells of what is said of a lump; a shorter text is no path, and half of it says nothing


def diff_text(
    diff: ArchiveDiff, maps: Sequence[MapChange], terminal: Terminal, most: int | None = MOST_SHOWN
) -> Iterator[str]:
    """Lines of text; `most` lumps of a status and changes of a map, or all."""
    return diff_lines(diff, maps, _Text(terminal, most), most)


class _Text(NamedTuple):
    """A `Renderer`."""

    terminal: Terminal
    most: int | None

    def head(self, diff: ArchiveDiff, headline: str) -> Iterator[str]:
        yield self.terminal.paint(f"{escape_name(diff.old.path)} -> {escape_name(diff.new.path)}", "bold")
        yield f"  {headline}"

    def facts(self, facts: Sequence[tuple[str, str]]) -> Iterator[str]:
        return (f"  {what}: {escape_name(how)}" for what, how in facts)

    def totals(self, diff: ArchiveDiff) -> Iterator[str]:
        first, *numbers = TOTALS
        columns = [Column(first), *(Column(title, right=True) for title in numbers)]
        rows = [[*texts, signed_bytes(delta)] for *texts, delta in totals_rows(diff)]
        return render_table(columns, rows, self.terminal.width, indent="  ")

    def group(self, diff: ArchiveDiff, group: Group) -> Iterator[str]:
        status = group.status
        yield self.terminal.paint(group.title, "bold")
        rows = [
            [sign_of(status), escape_name(change.name), signed_size(change.delta), detail_of(diff, change)]
            for change in group.shown
        ]
        is_long = any(cell_width(row[-1]) > _LONG for row in rows)
        columns = [Column(""), Column("", cut=True), Column("", right=True), Column("", cut=is_long)]
        for line in render_table(columns, rows, self.terminal.width, indent="  ", titles=False):
            yield self.terminal.paint(line, STYLES[status]) if status in STYLES else line
        if group.left_out:
            yield f"  and {group.left_out:,} more (--all shows them)"

    def maps(self, names: Sequence[str], words: str) -> Iterator[str]:
        yield f"{', '.join(map(escape_name, names))}: {words}"

    def changed_map(self, change: MapChange) -> Iterator[str]:
        return map_lines(change, self.most)

    def note(self, note: str) -> Iterator[str]:
        yield f"note: {escape_name(note)}"
