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
blockmap-missing      error     a line is not in all of its cells, or in none though things can hit it
blockmap-line-absent  info      lines in no cell at all, which nothing hits: some builders leave them out
blockmap-sliver       info      a line is not in a cell that it only just comes into: zdbsp and glbsp round
blockmap-extra        info      a line is in cells that it has no point in, more than corners that it touches
blockmap-wide         warning   more than 511 columns or rows: positions in the engine overflow
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.blockmap_compare import compare_cells
from lumpyard.maps.blockmap_lists import BlockmapFinding, decode

if TYPE_CHECKING:
    from lumpyard.maps.blockmap import Grid
    from lumpyard.maps.model import DoomMap

EXTENDED = b"XBM1"
MAX_CELLS_ACROSS = 511  # 65535 units, in 16.16 numbers


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
    return findings + compare_cells(level, read)


def _wide(grid: Grid) -> BlockmapFinding:
    message = (
        f"BLOCKMAP has {grid.columns} x {grid.rows} cells: "
        f"beyond {MAX_CELLS_ACROSS} positions in the engine overflow"
    )
    return BlockmapFinding("blockmap-wide", "warning", message)
