"""What tests of the virtual file system mount: folders and archives of each kind, out of names and bytes."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

import lz4.block
from tests.builders import ewad, mpq, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    Files = Iterable[tuple[str, bytes]]


def packed_lump(name: bytes, raw: bytes) -> ewad.Written:
    """A lump of an EWAD, compressed."""
    return ewad.Written(name, lz4.block.compress(raw, store_size=False), len(raw))


def make_ewad(files: Files, *, compressed: bool = False, named: bool = True) -> bytes:
    """An EWAD, its lumps raw or compressed, with or without names."""
    lumps = [
        packed_lump(name.encode(), raw) if compressed else ewad.Written(name.encode(), raw)
        for name, raw in files
    ]
    return ewad.build(lumps, named=named)


def make_mpq(files: Files, *, listed: bool = True, packed: bool = False) -> bytes:
    """An MPQ, with or without its list of names."""
    written = [
        mpq.Written(name.encode().replace(b"/", b"\\"), raw, mpq.COMPRESS if packed else 0)
        for name, raw in files
    ]
    return mpq.build([*written, mpq.listfile(written)] if listed else written)


def make_wad(files: Files, signature: bytes = b"PWAD") -> bytes:
    """An IWAD, PWAD or PACK."""
    return plain.wad([(name.encode(), raw) for name, raw in files], signature)


def make_pak(files: Files) -> bytes:
    """A PAK as Quake has it."""
    return plain.pak([(name.encode(), raw) for name, raw in files])


def make_wad3(files: Files, signature: bytes = b"WAD3") -> bytes:
    """A WAD2 or WAD3."""
    lumps = list(files)
    data, directory = bytearray(12), bytearray()
    for name, raw in lumps:
        directory += struct.pack("<IIIBBH16s", len(data), len(raw), len(raw), 0x43, 0, 0, name.encode())
        data += raw
    struct.pack_into("<4sII", data, 0, signature, len(lumps), len(data))
    return bytes(data + directory)


def make_daikatana(files: Files) -> bytes:
    """A Daikatana PAK, nothing in it compressed."""
    data, directory = bytearray(12), bytearray()
    for name, raw in files:
        directory += struct.pack("<56sIIII", name.encode(), len(data), len(raw), 0, 0)
        data += raw
    struct.pack_into("<4sII", data, 0, b"PACK", len(data), len(directory))
    return bytes(data + directory)


MAKERS = {
    "EWAD": make_ewad,
    "IWAD": lambda files: make_wad(files, b"IWAD"),
    "PWAD": make_wad,
    "PACK": lambda files: make_wad(files, b"PACK"),
    "WAD2": lambda files: make_wad3(files, b"WAD2"),
    "WAD3": make_wad3,
    "PAK": make_pak,
    "DAIKATANA": make_daikatana,
    "MPQ": make_mpq,
}


def write_tree(folder: str | Path, files: Files) -> None:
    """Loose files below a folder."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, raw in files:
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
