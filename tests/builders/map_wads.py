"""WADs of maps by name; a small map, and one with a line that has no length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.builders import doom_map, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    Lumps = Mapping[str, bytes]

SMALL = doom_map.DOOM
BARRED = {**SMALL, "LINEDEFS": doom_map.table("LINEDEFS", [*doom_map.LINES, (0, 0, 1, 0, 0, 0, 0xFFFF)])}
HOSTILE = b"\x1b[31m\xff`"  # name


def map_wad(
    maps: Mapping[str | bytes, Lumps] | None = None, signature: bytes = b"PWAD", **more: Lumps
) -> bytes:
    """A WAD with the lumps of each map behind its marker."""
    entries: list[tuple[bytes, bytes]] = []
    for name, lumps in [*(maps or {}).items(), *more.items()]:
        entries.append((name if isinstance(name, bytes) else name.encode(), b""))
        entries += [(lump.encode(), data) for lump, data in lumps.items()]
    return plain.wad(entries, signature)
