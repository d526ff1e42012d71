"""The tests' own reader of IWAD and PWAD, a WAD taken apart into a folder tree, one file a lump, and a plain writer.

The writer shares nothing with the one under test, and writes any arrangement of IWAD, PWAD, PACK, WAD2 and WAD3, sound
or broken. Source: "WAD Format", sections Classic, WAD2 and WAD3.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# The tests' own list, not `maps.finding`'s: what is judged must not say what is right.
MAP_ORDER = [
    *("THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS", "SSECTORS"),
    *("NODES", "SECTORS", "REJECT", "BLOCKMAP"),
]
MAP_LUMPS = frozenset([*MAP_ORDER, "BEHAVIOR"])
BLOCKS = {"F": "flats", "P": "patches", "S": "sprites"}


def lumps(data: bytes) -> list[tuple[bytes, bytes]]:
    """Name, without its zeros, and bytes of every lump in directory order."""
    signature, count, start = struct.unpack_from("<4sII", data)
    assert signature in {b"IWAD", b"PWAD"}, signature
    assert start + 16 * count <= len(data)
    found = []
    for offset, size, name in struct.iter_unpack("<II8s", data[start : start + 16 * count]):
        assert offset + size <= len(data)
        found.append((name.rstrip(b"\0"), data[offset : offset + size]))
    return found


def explode(wad_path: str | Path, folder: str | Path) -> dict[str, bytes]:
    """The bytes of every lump, by the path below the folder where it now is a file.

    Lumps of a map are in `maps/MAP01/`, those between markers in `flats/`, `patches/` and `sprites/`, all others in
    `lumps/`; markers are empty files. Names are escaped so that any file system takes them, also one without case, and
    a second lump of one path becomes `NAME~2.lmp`.
    """
    files: dict[str, bytes] = {}
    for place, raw in _places(lumps(Path(wad_path).read_bytes())):
        path = f"{place}.lmp"
        number = 2
        while path in files:
            path = f"{place}~{number}.lmp"
            number += 1
        files[path] = raw
    for parent in sorted({path.rpartition("/")[0] for path in files}):
        (Path(folder) / parent).mkdir(parents=True, exist_ok=True)
    for path, raw in files.items():
        (Path(folder) / path).write_bytes(raw)
    return files


def _places(found: list[tuple[bytes, bytes]]) -> list[tuple[str, bytes]]:
    """Where each lump goes, without suffix and before twins are told apart."""
    places = []
    current_map = block = ""
    for raw_name, raw in found:
        name = raw_name.decode("latin-1")
        if re.fullmatch(r"MAP\d\d|E\dM\d", name):
            current_map = name
        elif name not in MAP_LUMPS:
            current_map = ""
        marker = re.fullmatch(r"([FPS])+\d?_(START|END)", name)
        if marker:
            block = BLOCKS[marker[1]]
        folder = f"maps/{current_map}" if current_map else block or "lumps"
        places.append((f"{folder}/{_escaped(name)}", raw))
        if marker and marker[2] == "END" and not re.search(r"\d", name):
            block = ""
    return places


def _escaped(name: str) -> str:
    """A file name that any system takes: letters, digits, `_` and `-` stay, all else becomes `%` and two digits."""
    return re.sub(r"[^A-Za-z0-9_-]", lambda found: f"%{ord(found[0]):02X}", name) or "%"


class Entry(NamedTuple):
    """An entry to write, sound or not: None means what is right."""

    name: bytes  # all bytes of the field that are not zero padding; cut where it is longer
    data: bytes = b""
    offset: int | None = None
    size: int | None = None
    raw_size: int | None = None  # WAD2 and WAD3: as the fields below
    kind: int = 0
    compression: int = 0
    padding: int = 0


def build(
    entries: Sequence[Entry],
    signature: bytes = b"PWAD",
    *,
    directory_first: bool = False,
    gap: bytes = b"",
    tail: bytes = b"",
    count: int | None = None,
    directory_offset: int | None = None,
) -> bytes:
    """A WAD, or a WAD2 or WAD3 by its signature; `gap` stands ahead of each lump and of the directory."""
    entry_size = 32 if signature in {b"WAD2", b"WAD3"} else 16
    head = 12 + (entry_size * len(entries) if directory_first else 0)
    data = bytearray()
    directory = bytearray()
    for entry in entries:
        data += gap
        offset = head + len(data) if entry.offset is None else entry.offset
        size = len(entry.data) if entry.size is None else entry.size
        data += entry.data
        if entry_size == 16:
            directory += struct.pack("<II8s", offset, size, entry.name)
            continue
        raw_size = size if entry.raw_size is None else entry.raw_size
        kinds = entry.kind, entry.compression, entry.padding
        directory += struct.pack("<IIIBBH16s", offset, size, raw_size, *kinds, entry.name)
    data += gap
    start = 12 if directory_first else 12 + len(data)
    if count is None:
        count = len(entries)
    if directory_offset is None:
        directory_offset = start
    parts = (directory, data) if directory_first else (data, directory)
    return struct.pack("<4sII", signature, count, directory_offset) + b"".join(parts) + tail
