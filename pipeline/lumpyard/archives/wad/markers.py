"""Blocks of lumps between markers: `S_START` … `S_END` and their like.

A lump between two markers has a use of its own, so its name is looked up apart from all others. Which markers mean
which use:

| markers | use |
|---|---|
| `S_`, `SS_` | sprites |
| `P_`, `PP_`, `P1_` … `P9_` | patches |
| `F_`, `FF_`, `F1_` … `F9_` | flats |
| `C_`, `TX_`, `HI_`, `VX_`, `A_`, `V_` | colormaps, textures, hires, voxels, acs, voices |
| any other one or two letters or digits that have both markers | their prefix, as `G` |

`_START` of one form may be closed by `_END` of another (`FF_START` … `F_END` is what old tools write). Markers inside a
block are plain lumps of it (`P1_START` in all of id's IWADs). A block that is never closed ends at the next marker or
map.

Source: docs/formats.md, section Namespaces and maps; the specification has no markers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MARKER = re.compile(rb"([A-Z0-9]{1,2})_(START|END)")
_FOLDED = re.compile(rb"SS|P[P0-9]|F[F0-9]")
_USES = {
    b"S": "sprites",
    b"P": "patches",
    b"F": "flats",
    b"C": "colormaps",
    b"TX": "textures",
    b"HI": "hires",
    b"VX": "voxels",
    b"A": "acs",
    b"V": "voices",
}


class Marker(NamedTuple):
    """An entry that by its name opens or closes a block."""

    entry: int
    prefix: bytes  # upper-case, as `FF`
    use: str  # the namespace, as `flats`
    opens: bool


class Block(NamedTuple):
    """The lumps of one pair of markers."""

    use: str
    start: int  # entry of its `_START`
    end: int  # entry of its `_END`; in an unclosed block, of what it ends before
    closed: bool = True


class Blocks(NamedTuple):
    """All blocks of a WAD by their start, and what is odd about them (verdict `ok`)."""

    blocks: list[Block]
    findings: list[Finding]


def find_markers(names: Sequence[bytes]) -> list[Marker]:
    """All entries whose names are those of markers, in upper or lower case."""
    found = []
    for entry, name in enumerate(names):
        if b"_" in name and (match := _MARKER.fullmatch(name.upper())):
            prefix = match[1]
            folded = _FOLDED.fullmatch(prefix)
            plain = prefix[:1] if folded else prefix
            use = _USES.get(plain, prefix.decode("ascii"))
            found.append(Marker(entry, prefix, use, opens=match[2] == b"START"))
    return found


def find_blocks(names: Sequence[bytes], map_heads: Sequence[int]) -> Blocks:
    """The blocks of a WAD from its entries' names, and the entries (ascending) that maps start at."""
    markers = find_markers(names)
    by_use: dict[str, list[Marker]] = {}
    for marker in markers:
        by_use.setdefault(marker.use, []).append(marker)
    stops = sorted({*(marker.entry for marker in markers), *map_heads, len(names)})
    blocks: list[Block] = []
    findings: list[Finding] = []
    for use, own in by_use.items():
        known = use in _USES.values()
        end = -1
        for place, marker in enumerate(own):
            if marker.entry <= end:
                continue  # inside the block before
            closer = _closer(own, place) if marker.opens else None
            if closer is not None:
                end = closer
                blocks.append(Block(use, marker.entry, end))
            elif marker.opens and known:
                end = stops[bisect_right(stops, marker.entry)]
                blocks.append(Block(use, marker.entry, end, closed=False))
                end -= 1  # it may end at a marker of its own use
                findings.append(_unclosed(names, blocks[-1]))
            elif known:
                message = f"{_label(names, marker.entry)}: it closes a block that nothing opened"
                findings.append(Finding("block-stray", message, marker.entry, "ok"))
    blocks.sort(key=attrgetter("start"))
    return Blocks(blocks, [*findings, *_overlaps(names, blocks)])


def _closer(own: Sequence[Marker], place: int) -> int | None:
    """The entry that closes the block opened at a place among the markers of one use; None if none does.

    Another `_START` of the same form means that it was never closed; so all searches together pass each marker
    at most once for each form there is.
    """
    open_forms = [own[place].prefix]
    for later in range(place + 1, len(own)):
        marker = own[later]
        form = marker.prefix
        if marker.opens:
            if form == open_forms[0]:
                return None
            if form not in open_forms:
                open_forms.append(form)
            continue
        del open_forms[open_forms.index(form) if form in open_forms else -1 :]
        if not open_forms:
            return marker.entry
    return None


def _unclosed(names: Sequence[bytes], block: Block) -> Finding:
    before = f"before {_label(names, block.end)}" if block.end < len(names) else "with the archive"
    message = (
        f"{_label(names, block.start)}: the block that it opens is not closed, and is taken to end {before}"
    )
    return Finding("block-unclosed", message, block.start, "ok")


def _overlaps(names: Sequence[bytes], blocks: Sequence[Block]) -> Iterator[Finding]:
    """A warning for each block that starts inside another: the lumps of both are the other's."""
    outer = None
    for block in blocks:
        if outer and block.start < outer.end:
            message = (
                f"{_label(names, block.start)}: it starts a block inside that of {_label(names, outer.start)}, "
                "to which the lumps of both belong"
            )
            yield Finding("block-overlap", message, block.start, "ok")
        if not outer or block.end > outer.end:
            outer = block


def _label(names: Sequence[bytes], entry: int) -> str:
    return f"entry {entry} ({shown(names[entry])})"
