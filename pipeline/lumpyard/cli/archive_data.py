"""What the reading commands say of archives and lumps, as plain data for JSON (design.md, section 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.cli.archive_file import key_text

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
    data: dict[str, Any] = {"name": name}
    if (
        name is not None
        and not name.isascii()
        and (raw := name.encode("utf-8", "surrogateescape")) != _utf8(name)
    ):
        data["name_hex"] = raw.hex()
    if lump.key is not None:
        data["key"] = key_text(lump.key)
    if lump.fourcc is not None:
        data["type"] = type_text(lump.fourcc)
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


def _utf8(name: str) -> bytes | None:
    try:
        return name.encode()
    except UnicodeEncodeError:
        return None


def type_text(fourcc: int) -> str | None:
    """A type as its four bytes where they are printable ASCII, else as a hex number; None for 0."""
    if not fourcc:
        return None
    four = fourcc.to_bytes(4, "little")
    return four.decode("ascii") if all(0x20 <= byte < 0x7F for byte in four) else f"0x{fourcc:08x}"
