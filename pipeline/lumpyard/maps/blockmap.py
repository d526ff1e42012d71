"""BLOCKMAP: the lines in each cell of a grid, for the engine's collisions.

    offset  size  field
    0       2     x of the grid's west edge, signed
    2       2     y of its south edge, signed
    4       2     columns
    6       2     rows
    8       2*n   for each cell, from the south-west and eastwards first: where its list starts, in words
    ...           lists: a 0, line numbers, 65535; equal cells share a list

Numbers are words of 16 bits, unsigned but for the edges. What is built here is exact: a line is in the list of every
cell that it has a point in (cells.py), and in no other; lists are sorted. The grid starts 8 units south-west of the
map, as in DoomBSP, whose maps most engines were tried with.

Source: "Doom map", BLOCKMAP; measured against 100 maps of Freedoom.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.cells import CELL, cells_of, moved, spans
from lumpyard.maps.limits import OverLimit, over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.maps.cells import Span
    from lumpyard.maps.model import DoomMap

MARGIN = 8  # map units between the grid's edges and the map
END = 0xFFFF  # of a list; so no line has this number
MAX_OFFSET = 0xFFFF  # in words
MAX_ENTRIES = (
    4_000_000  # lines in cells: the largest map of Freedoom has 21,000, and memory must end somewhere
)


class Grid(NamedTuple):
    """Where BLOCKMAP's cells are."""

    x: int  # map units, of the west edge
    y: int  # of the south edge
    columns: int
    rows: int


def build_blockmap(level: DoomMap) -> bytes | OverLimit:
    """The lump for a map as it is; lines without vertices are in no cell, and a map without lines is one empty cell.

    OverLimit: `blockmap-too-many-lines`; `blockmap-too-wide`, more cells than offsets reach beyond;
    `blockmap-too-large`, more words than that; `blockmap-too-many-entries`.
    """
    lines = list(spans(level))
    if lines and lines[-1][0] >= END:
        return over("blockmap-too-many-lines", "lines in a BLOCKMAP", lines[-1][0] + 1, END)
    grid = grid_around([span for _, span in lines])
    cells = grid.columns * grid.rows
    if 4 + cells > MAX_OFFSET:
        return over("blockmap-too-wide", "cells in a BLOCKMAP", cells, MAX_OFFSET - 4)
    lists = _lists(lines, grid)
    return lists if isinstance(lists, OverLimit) else encode(grid, lists)


def grid_around(lines: Sequence[Span]) -> Grid:
    """The grid that holds all lines, with the margin in the south and west."""
    if not lines:
        return Grid(0, 0, 1, 1)
    west = min(min(line.x1, line.x2) for line in lines) - MARGIN
    south = min(min(line.y1, line.y2) for line in lines) - MARGIN
    east = max(max(line.x1, line.x2) for line in lines)
    north = max(max(line.y1, line.y2) for line in lines)
    # In the far corner of the plan there is no room for a margin.
    west, south = max(west, -0x8000), max(south, -0x8000)
    return Grid(west, south, (east - west) // CELL + 1, (north - south) // CELL + 1)


def _lists(lines: Sequence[tuple[int, Span]], grid: Grid) -> list[list[int]] | OverLimit:
    """The numbers of the lines in each cell, ascending."""
    lists: list[list[int]] = [[] for _ in range(grid.columns * grid.rows)]
    entries = 0
    for number, span in lines:
        cells = cells_of(moved(span, grid.x, grid.y))
        entries += len(cells)
        if entries > MAX_ENTRIES:
            return over("blockmap-too-many-entries", "lines in cells of a BLOCKMAP", entries, MAX_ENTRIES)
        for column, row in cells:
            lists[row * grid.columns + column].append(number)
    return lists


def encode(grid: Grid, lists: Sequence[Sequence[int]]) -> bytes | OverLimit:
    """The lump of such a grid with such lists, cell by cell; equal ones are written once, where the first stands."""
    at = 4 + len(lists)
    offsets: list[int] = []
    words: list[int] = []
    placed: dict[tuple[int, ...], int] = {}
    for numbers in map(tuple, lists):
        if numbers not in placed:
            placed[numbers] = at + len(words)
            words += (0, *numbers, END)
        offsets.append(placed[numbers])
    last = max(offsets)
    if last > MAX_OFFSET:
        return over("blockmap-too-large", "words before the last list of a BLOCKMAP", last, MAX_OFFSET)
    header = struct.pack("<hhHH", *grid)
    return header + struct.pack(f"<{len(offsets) + len(words)}H", *offsets, *words)
