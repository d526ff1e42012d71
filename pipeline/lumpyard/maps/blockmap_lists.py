"""The lists of a BLOCKMAP, read as far as they go, and what in them an engine would trip over."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.blockmap import END, MAX_ENTRIES, Grid
from lumpyard.maps.cells import CELL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHOWN = 8  # cells with a bad offset or list are told one by one, up to so many


class BlockmapFinding(NamedTuple):
    """One thing that is wrong or odd."""

    id: str
    level: str  # error, warning, info
    message: str
    kind: str = "map"  # line, or map for the BLOCKMAP as a whole
    number: int | None = None  # of the line
    x: float | None = None  # of the line's start
    y: float | None = None


class Lists(NamedTuple):
    """The lists of a BLOCKMAP, as far as they can be read."""

    grid: Grid
    cells: Sequence[Sequence[int]]  # line numbers by cell, from the south-west, eastwards first
    findings: Sequence[BlockmapFinding]


def decode(lump: bytes, lines: int) -> Lists | BlockmapFinding:
    """The grid and lists of a lump for a map of so many lines; a finding where there is nothing to read."""
    words = struct.unpack(f"<{len(lump) // 2}H", lump[: len(lump) // 2 * 2])
    if len(words) < 4:
        return _truncated(f"BLOCKMAP has {len(lump)} bytes, its header alone has 8")
    grid = Grid(*struct.unpack_from("<hhHH", lump))
    cells = grid.columns * grid.rows
    if 4 + cells > len(words):
        return _truncated(
            f"BLOCKMAP has {len(lump)} bytes; "
            f"the offsets of its {grid.columns} x {grid.rows} cells end at {8 + 2 * cells}"
        )
    return _decode_lists(words, grid, lines)


def _truncated(message: str) -> BlockmapFinding:
    return BlockmapFinding("blockmap-truncated", "error", message)


def _decode_lists(words: Sequence[int], grid: Grid, lines: int) -> Lists | BlockmapFinding:
    first = 4 + grid.columns * grid.rows
    known: dict[int, Sequence[int]] = {}
    problems: list[tuple[str, int, str]] = []
    bare = read = 0
    cells: list[Sequence[int]] = []
    for cell, offset in enumerate(words[4:first]):
        if offset not in known:
            end = _end(words, offset)
            read += max(end - offset, 0)
            if read > max(16 * len(words), MAX_ENTRIES):
                return BlockmapFinding(
                    "blockmap-tangled",
                    "error",
                    f"lists of BLOCKMAP share their words: {read} in a lump of {len(words)}",
                )
            known[offset] = _list(words, offset, end, first, lines, cell, problems)
            bare += bool(first <= offset < end and words[offset] != 0)
        cells.append(known[offset])
    findings = list(_told(problems, grid))
    if bare:
        message = f"{bare} of {len(known)} lists of BLOCKMAP do not start with 0: some engines skip their first line"
        findings.append(BlockmapFinding("blockmap-no-zero", "warning", message))
    return Lists(grid, cells, findings)


def _end(words: Sequence[int], start: int) -> int:
    """The place of the first 65535 at or behind a word; the number of words where there is none."""
    try:
        return words.index(END, start)
    except ValueError:
        return len(words)


def _list(
    words: Sequence[int],
    offset: int,
    end: int,
    first: int,
    lines: int,
    cell: int,
    problems: list[tuple[str, int, str]],
) -> Sequence[int]:
    """The lines of one list that exist; what is wrong with it goes to `problems`."""
    if not first <= offset < len(words):
        text = f"starts at word {offset}; lists are in words {first} to {len(words) - 1}"
        problems.append(("blockmap-offset", cell, text))
        return ()
    if end == len(words):
        problems.append(("blockmap-unended", cell, f"starts at word {offset} and has no end (65535)"))
    numbers = words[offset + (words[offset] == 0) : end]
    if max(numbers, default=-1) >= lines:
        bad = [(place, number) for place, number in enumerate(numbers) if number >= lines]
        place, number = bad[0]
        more = f", and {len(bad) - 1} more like it" if len(bad) > 1 else ""
        problems.append(
            ("blockmap-line", cell, f"names line {number} in place {place}{more}; there are {lines} lines")
        )
        return [number for number in numbers if number < lines]
    return numbers


def _told(problems: Sequence[tuple[str, int, str]], grid: Grid) -> Iterator[BlockmapFinding]:
    """Findings of cells, by kind; the first few of each kind and then how many more there are."""
    for id_ in ("blockmap-offset", "blockmap-unended", "blockmap-line"):
        those = [(cell, text) for found, cell, text in problems if found == id_]
        for cell, text in those[:SHOWN]:
            row, column = divmod(cell, grid.columns)
            x, y = grid.x + column * CELL, grid.y + row * CELL
            message = f"BLOCKMAP's list of column {column}, row {row} {text}"
            yield BlockmapFinding(id_, "error", message, x=x, y=y)
        if len(those) > SHOWN:
            yield BlockmapFinding(id_, "error", f"{len(those) - SHOWN} more lists of BLOCKMAP are like that")
