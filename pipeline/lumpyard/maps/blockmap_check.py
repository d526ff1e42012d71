"""What is wrong with a BLOCKMAP, and how it differs from the exact one for its own grid.

id                    level     what
blockmap-empty        info      there is none: the engine makes its own
blockmap-extended     info      starts with XBM1: 32-bit, not looked into
blockmap-truncated    error     ends within its header or its offsets
blockmap-offset       error     a cell's list starts outside the lump, or in front of the lists
blockmap-unended      error     a list runs past the end of the lump
blockmap-line         error     a list names a line that there isn't
blockmap-no-zero      warning   lists do not start with 0; some engines skip the first line
blockmap-tangled      error     lists that share words, and so many that it can be no accident
blockmap-grid         error     the grid does not hold all lines
blockmap-missing      error     a line is in some of its cells and not in others
blockmap-line-absent  info      lines that are in no cell at all: some builders leave out those that nothing hits
blockmap-sliver       info      a line is not in a cell that it only just comes into: zdbsp and glbsp round
blockmap-extra        info      a line is in cells that it has no point in, more than corners that it touches
blockmap-wide         warning   more than 511 columns or rows: positions in the engine overflow
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.blockmap import END, MAX_ENTRIES, Grid
from lumpyard.maps.cells import CELL, Span, cells_of, length_in, most_cells, moved, spans, touches_corner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.model import DoomMap

EXTENDED = b"XBM1"
MAX_CELLS_ACROSS = 511  # 65535 units, in 16.16 numbers
SLIVER = 2  # map units in a cell; what zdbsp leaves out by rounding has up to 1.2
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


def check_blockmap(level: DoomMap) -> list[BlockmapFinding]:
    """All that is wrong with a map's BLOCKMAP, in the table's order; of lines, in theirs."""
    lump = bytes(level.lumps.get("BLOCKMAP", b""))
    if not lump:
        return [BlockmapFinding("blockmap-empty", "info", "there is no BLOCKMAP: the engine makes its own")]
    if lump[:4] == EXTENDED:
        return [
            BlockmapFinding(
                "blockmap-extended", "info", "an extended BLOCKMAP (XBM1), which is not looked into"
            )
        ]
    read = decode(lump, len(level.lines))
    if isinstance(read, BlockmapFinding):
        return [read]
    findings = list(read.findings)
    if max(read.grid.columns, read.grid.rows) > MAX_CELLS_ACROSS:
        findings.append(_wide(read.grid))
    return findings + _compare(level, read)


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
    ends = _ends(words)
    known: dict[int, Sequence[int]] = {}
    problems: list[tuple[str, int, str]] = []
    bare = read = 0
    cells: list[Sequence[int]] = []
    for cell, offset in enumerate(words[4:first]):
        if offset not in known:
            end = ends[offset] if offset < len(ends) else 0
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


def _ends(words: Sequence[int]) -> list[int]:
    """For each word the place of the first 65535 at or behind it; the number of words where there is none."""
    ends = [len(words)] * len(words)
    end = len(words)
    for at in range(len(words) - 1, -1, -1):
        if words[at] == END:
            end = at
        ends[at] = end
    return ends


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
    bad = [(place, number) for place, number in enumerate(numbers) if number >= lines]
    if bad:
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


def _wide(grid: Grid) -> BlockmapFinding:
    message = (
        f"BLOCKMAP has {grid.columns} x {grid.rows} cells: "
        f"beyond {MAX_CELLS_ACROSS} positions in the engine overflow"
    )
    return BlockmapFinding("blockmap-wide", "warning", message)


def _compare(level: DoomMap, read: Lists) -> list[BlockmapFinding]:
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
    points = [(int(x) - grid.x, int(y) - grid.y) for x, y in level.vertices]
    known, columns, rows = len(points), grid.columns, grid.rows
    cells: list[list[int]] = [[] for _ in range(columns * rows)]
    outside: set[int] = set()
    entries = 0
    for number, line in enumerate(level.lines):
        v1, v2 = line[:2]
        if v1 >= known or v2 >= known:
            continue
        x1, y1 = points[v1]
        x2, y2 = points[v2]
        column, row = x1 // CELL, y1 // CELL
        if not (
            0 <= column < columns and 0 <= row < rows and 0 <= x2 // CELL < columns and 0 <= y2 // CELL < rows
        ):
            outside.add(number)
        elif column == x2 // CELL and row == y2 // CELL:  # two lines of three
            cells[row * columns + column].append(number)
        elif entries < MAX_ENTRIES:
            for across, up in cells_of(Span(x1, y1, x2, y2)):
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
    for number, span in spans(level):
        if number not in suspects:
            continue
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


def _absent(level: DoomMap, absent: Sequence[int]) -> list[BlockmapFinding]:
    """One finding for all lines that are nowhere."""
    if not absent:
        return []
    line = level.lines[absent[0]]
    x, y = level.vertices[line.v1]
    more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
    message = (
        f"line {absent[0]}{more} of {len(level.lines)} lines: in no cell of BLOCKMAP, so nothing hits them"
    )
    return [BlockmapFinding("blockmap-line-absent", "info", message, "line", absent[0], x, y)]
