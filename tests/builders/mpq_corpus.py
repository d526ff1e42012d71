"""The MPQ archives in tests/mpq-corpus, put together as its README says."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "mpq-corpus"


@cache
def manifest() -> dict[str, list[dict[str, Any]]]:
    """What MANIFEST.json says."""
    found: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "MANIFEST.json").read_text())
    return found


def archive_named(name: str) -> bytes:
    """The bytes of one good archive."""
    return load(next(archive for archive in manifest()["archives"] if archive["archive"] == name))


def load(archive: dict[str, Any]) -> bytes:
    """The bytes of an archive."""
    if "hex" in archive:
        return bytes.fromhex(archive["hex"])
    data = bytearray((FOLDER / archive["file"]).read_bytes())
    if "hole" in archive:
        offset, size = archive["hole"]
        data[offset:offset] = bytes(size)
    for offset, digits in archive.get("edits", []):
        data[offset : offset + len(digits) // 2] = bytes.fromhex(digits)
    return bytes(data[: archive["bytes"]])


def raw_name(member: str) -> bytes:
    """A member's name as it is in the archive; the manifest has one character a byte."""
    return member.encode("latin-1")
