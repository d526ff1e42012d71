"""How a BLOCKMAP differs from the exact one for its own grid (`maps.blockmap_check`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.blockmap import MAX_ENTRIES
from lumpyard.maps.blockmap_lists import BlockmapFinding
from lumpyard.maps.cells import CELL, Span, cells_of, length_in, most_cells, moved, spans, touches_corner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.blockmap import Grid
    from lumpyard.maps.blockmap_lists import Lists
    from lumpyard.maps.model import DoomMap, Line

BLOCKING = 0x3  # flags of a line: nothing passes, monsters do not
SLIVER = 2  # map units in a cell; what zdbsp leaves out by rounding has up to 1.2


def compare_cells(level: DoomMap, read: Lists) -> list[BlockmapFinding]:
    """Lines that are not where they should be.

    Nearly all cells of nearly all maps have the lines that they should have, so cells are compared first, and only the
    lines of those that differ are looked at.
    """
    if sum(map(len, read.cells)) > MAX_ENTRIES:
        message = (
            f"BLOCKMAP has more than {MAX_ENTRIES} lines in its cells: they are not compared with the map"
        )
        return [BlockmapFinding("blockmap-tangled", "error", message)]
    expected, suspects = _expected(level, read.grid)
    for should, have in zip(expected, read.cells, strict=True):
        if len(should) != len(have) or tuple(should) != tuple(have):
            suspects.update(set(should).symmetric_difference(have))
    return _differences(level, read, suspects) if suspects else []


def _expected(level: DoomMap, grid: Grid) -> tuple[list[list[int]], set[int]]:
    """The lines of each cell as they should be, and the lines that are not wholly in the grid."""
    columns, rows = grid.columns, grid.rows
    points = [(int(x) - grid.x, int(y) - grid.y) for x, y in level.vertices]
    known = len(points)
    cell_of = [
        row * columns + column
        if 0 <= (column := x // CELL) < columns and 0 <= (row := y // CELL) < rows
        else -1
        for x, y in points
    ]
    cells: list[list[int]] = [[] for _ in range(columns * rows)]
    outside: set[int] = set()
    entries = 0
    for number, line in enumerate(level.lines):
        v1, v2 = line[0], line[1]
        if v1 >= known or v2 >= known:
            continue
        start, end = cell_of[v1], cell_of[v2]
        if start < 0 or end < 0:
            outside.add(number)
        elif start == end:  # two lines of three
            cells[start].append(number)
        elif entries < MAX_ENTRIES:
            for across, up in cells_of(Span(*points[v1], *points[v2])):
                cells[up * columns + across].append(number)
                entries += 1
    return cells, outside


def _differences(level: DoomMap, read: Lists, suspects: set[int]) -> list[BlockmapFinding]:
    grid = read.grid
    listed: dict[int, set[tuple[int, int]]] = {}
    for cell, numbers in enumerate(read.cells):
        for number in suspects.intersection(numbers):
            row, column = divmod(cell, grid.columns)
            listed.setdefault(number, set()).add((column, row))
    findings: list[BlockmapFinding] = []
    absent: list[int] = []
    looked_at = 0
    for number, span in spans(level, sorted(suspects)):
        seen = moved(span, grid.x, grid.y)
        looked_at += most_cells(seen)  # before there are any: a line of a text may be very long
        if looked_at > MAX_ENTRIES:
            break
        cells = cells_of(seen)
        found = listed.get(number, set())
        inside = {cell for cell in cells if 0 <= cell[0] < grid.columns and 0 <= cell[1] < grid.rows}
        if inside and not found:
            absent.append(number)
        if found or len(inside) < len(cells):
            findings += _of_line(number, span, grid, (len(cells), inside, found or inside))
    findings += _absent(level, absent)
    order = ("blockmap-grid", "blockmap-missing", "blockmap-line-absent", "blockmap-sliver", "blockmap-extra")
    return sorted(findings, key=lambda finding: order.index(finding.id))


def _of_line(
    number: int, span: Span, grid: Grid, cells: tuple[int, set[tuple[int, int]], set[tuple[int, int]]]
) -> Iterator[BlockmapFinding]:
    """What is wrong with a line: how many cells it should be in, those of them inside the grid, those it is in."""
    many, inside, found = cells
    seen = moved(span, grid.x, grid.y)

    def tell(id_: str, level: str, text: str) -> BlockmapFinding:
        return BlockmapFinding(id_, level, f"line {number} {text}", "line", number, span.x1, span.y1)

    if len(inside) < many:
        text = f"lies outside BLOCKMAP's grid in {many - len(inside)} of its {many} cells"
        yield tell("blockmap-grid", "error", text)
    lacking = sorted(inside - found)
    slivers = [cell for cell in lacking if length_in(seen, *cell) < SLIVER]
    if len(slivers) < len(lacking):
        first = next(cell for cell in lacking if cell not in slivers)
        text = f"is not in {len(lacking)} of its {len(inside)} cells in BLOCKMAP, first {_cell(first)}"
        yield tell("blockmap-missing", "error", text)
    elif slivers:
        text = f"is not in {len(slivers)} cells of BLOCKMAP that it only just comes into, first {_cell(slivers[0])}"
        yield tell("blockmap-sliver", "info", text)
    beyond = sorted(cell for cell in found - inside if not touches_corner(seen, *cell))
    if beyond:
        text = f"is in {len(beyond)} cells of BLOCKMAP that it does not go through, first {_cell(beyond[0])}"
        yield tell("blockmap-extra", "info", text)


def _cell(cell: tuple[int, int]) -> str:
    return f"column {cell[0]}, row {cell[1]}"


def _absent(level: DoomMap, absent: Sequence[int]) -> Iterator[BlockmapFinding]:
    """What is to be said of lines that are nowhere: one finding for all that nothing hits, one for all others."""
    harmless = [number for number in absent if _is_never_hit(level, level.lines[number])]
    others = sorted({*absent} - {*harmless})
    for id_, grade, numbers in (
        ("blockmap-missing", "error", others),
        ("blockmap-line-absent", "info", harmless),
    ):
        if not numbers:
            continue
        x, y = level.vertices[level.lines[numbers[0]].v1]
        more = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
        message = f"line {numbers[0]}{more} of {len(level.lines)} lines: in no cell of BLOCKMAP, so nothing hits them"
        yield BlockmapFinding(id_, grade, message, "line", numbers[0], x, y)


def _is_never_hit(level: DoomMap, line: Line) -> bool:
    """Whether nothing can tell that a line is not in BLOCKMAP; zokumbsp leaves such lines out.

    That is a line without length, one without effect between sectors of the same heights and tag, which move together,
    or one whose sectors are all shut: nothing gets there.
    """
    sides = [side for side in (line.front, line.back) if side is not None]
    if any(side >= len(level.sides) or level.sides[side].sector >= len(level.sectors) for side in sides):
        return False
    if level.vertices[line.v1] == level.vertices[line.v2]:
        return True
    sectors = [level.sectors[level.sides[side].sector] for side in sides]
    if all(sector.ceiling_height <= sector.floor_height and not sector.tag for sector in sectors):
        return True
    heights = {(sector.floor_height, sector.ceiling_height, sector.tag) for sector in sectors}
    return len(sectors) == 2 and len(heights) == 1 and not line.special and not line.flags & BLOCKING
