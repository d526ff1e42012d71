"""Which namespace each lump of a WAD is in: that of the block or map it stands in, else the global one.

The names of a block's lumps are looked up apart: a flat may have the name of a patch.

Source: docs/formats.md, sections Names and look-ups, Namespaces and maps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.wad.maps import find_maps
from lumpyard.archives.wad.markers import find_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.archives.model import Finding, Lump
    from lumpyard.archives.wad.maps import MapSet
    from lumpyard.archives.wad.markers import Block

GLOBAL = ""
MAPS = "maps"


class Namespaces(NamedTuple):
    """The parts of a WAD."""

    blocks: list[Block]  # by their start
    maps: list[MapSet]  # in directory order
    spaces: list[str]  # of each entry: GLOBAL, the use of its block (`flats`), or MAPS for a map's lumps
    findings: list[Finding]  # by entry, all with the verdict `ok`
    last: dict[tuple[str, bytes], int]  # the last entry of each name in each namespace

    def find(self, name: bytes, space: str = GLOBAL) -> int | None:
        """The last entry of that name in one namespace; those of blocks and maps are not in the global one.

        Markers are: an engine finds a map, or the start of its flats, by a global name. An empty name leads
        nowhere.
        """
        return self.last.get((space, name)) if name else None


def namespaces(lumps: Sequence[Lump]) -> Namespaces:
    """The blocks and maps of a WAD's lumps, in directory order; nothing but names is read."""
    names = [lump.name or b"" for lump in lumps]
    maps, map_findings = find_maps(names)
    blocks, block_findings = find_blocks(names, [found.marker for found in maps])
    spaces = [GLOBAL] * len(names)
    covered = 0  # the first block to cover an entry has it
    for block in blocks:
        start = max(block.start + 1, covered)
        spaces[start : block.end] = [block.use] * (block.end - start)
        covered = max(covered, block.end + block.closed)
    for found in maps:
        spaces[found.marker] = GLOBAL
        for entry in found.lumps:
            spaces[entry] = MAPS
    findings = sorted((*map_findings, *block_findings), key=lambda finding: finding.entry or 0)
    last = {key: entry for entry, key in enumerate(zip(spaces, names, strict=True))}
    return Namespaces(blocks, maps, spaces, findings, last)


def first_choices(lumps: Sequence[Lump]) -> dict[bytes, int]:
    """Which entry a name leads to: the last in the global namespace, else the last of all.

    A flat must not hide a picture of the same name, and still be found where there is none.
    """
    found = namespaces(lumps)
    choices = {lump.name or b"": entry for entry, lump in enumerate(lumps)}
    choices |= {name: entry for (space, name), entry in found.last.items() if space == GLOBAL}
    return choices
