"""A diff of two archives as Markdown, for a pull request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.console.diff_maps import map_lines
from lumpyard.console.diff_walk import diff_lines
from lumpyard.console.diff_words import TOTALS, detail_of, totals_rows
from lumpyard.console.markdown import code, details, table
from lumpyard.console.signed import signed_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.console.diff_walk import Group
    from lumpyard.report.changes import ArchiveDiff
    from lumpyard.report.map_changes import MapChange

_HARMLESS = re.compile("(?:[A-Za-z0-9 .,;()]|->)*")
MOST_SHOWN = 50  # lumps of one status: a comment may have 65,536 characters


def diff_markdown(
    diff: ArchiveDiff, maps: Sequence[MapChange], most: int | None = MOST_SHOWN
) -> Iterator[str]:
    """Lines of Markdown: a heading, the totals, and the lumps behind a click."""
    return diff_lines(diff, maps, _Markdown(most), most)


class _Markdown(NamedTuple):
    """A `Renderer`."""

    most: int | None

    def head(self, diff: ArchiveDiff, headline: str) -> Iterator[str]:
        yield f"### {code(diff.old.path)} → {code(diff.new.path)}"
        yield ""
        yield f"**{headline}**"

    def facts(self, facts: Sequence[tuple[str, str]]) -> Iterator[str]:
        return (f"- {what}: {code(how)}" for what, how in facts)

    def totals(self, diff: ArchiveDiff) -> Iterator[str]:
        rows = [[*texts, signed_bytes(delta)] for *texts, delta in totals_rows(diff)]
        rows[-1][0], rows[-1][-1] = f"**{rows[-1][0]}**", f"**{rows[-1][-1]}**"
        return table(TOTALS, rows, right=(1, 2, 3, 4))

    def group(self, diff: ArchiveDiff, group: Group) -> Iterator[str]:
        rows = [
            [code(change.name), signed_bytes(change.delta), _plain(detail_of(diff, change))]
            for change in group.shown
        ]
        lines = list(table(("lump", "bytes", ""), rows, right=(1,)))
        if group.left_out:
            lines += ["", f"and {group.left_out:,} more"]
        return details(group.title, lines)

    def maps(self, names: Sequence[str], words: str) -> Iterator[str]:
        yield f"{', '.join(map(code, names))}: {_plain(words)}"

    def changed_map(self, change: MapChange) -> Iterator[str]:
        return map_lines(change, self.most, markdown=True)

    def note(self, note: str) -> Iterator[str]:
        yield f"> {_plain(note)}"


def _plain(words: str) -> str:
    """Words as they are, where they can mean nothing else."""
    return words if _HARMLESS.fullmatch(words) else code(words)
