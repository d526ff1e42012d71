"""What the reading commands say of archives and lumps, as plain data for JSON (design.md, section 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.archives.model import type_text
from lumpyard.cli.archive_file import key_text
from lumpyard.report.fields import name_data

if TYPE_CHECKING:
    from lumpyard.archives.model import Archive, Lump


def info_data(path: str, archive: Archive) -> dict[str, Any]:
    """An archive; of alignment, seed, stripped and hash what its format holds."""
    data: dict[str, Any] = {"path": path, "format": archive.format, "lumps": len(archive.lumps)}
    if archive.alignment is not None:
        data["alignment"] = archive.alignment
    if archive.seed is not None:
        data |= {"seed": archive.seed, "stripped": archive.stripped}
    if archive.archive_hash is not None:
        data["archive_hash"] = key_text(archive.archive_hash)
    data["size"] = archive.size
    return data


def lump_data(lump: Lump, name: str | None) -> dict[str, Any]:
    """A lump; what its format does not hold is left out."""
    data: dict[str, Any] = {"name": None} if name is None else {**name_data(name)}
    if lump.key is not None:
        data["key"] = key_text(lump.key)
    if lump.fourcc is not None:
        data["type"] = type_text(lump.fourcc) or None
    if lump.kind is not None:
        data["kind"] = lump.kind
    if lump.schema is not None:
        data["schema"] = lump.schema
    if lump.flags is not None:
        data["flags"] = lump.flags
    data |= {"offset": lump.offset, "stored_size": lump.stored_size, "raw_size": lump.raw_size}
    if lump.content_hash is not None:
        data["content_hash"] = key_text(lump.content_hash)
    return data
