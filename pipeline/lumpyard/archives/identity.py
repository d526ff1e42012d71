"""The content id: what an archive holds, however it is laid out or compressed (docs/content-id.md).

BLAKE3-256 over `lumpyard content id 1` and a NUL, then for each lump, sorted by name:

    u32       length of the name
    ...       the name
    4 bytes   fourcc
    u16       schema version
    u64       raw size
    32 bytes  BLAKE3-256 of the raw bytes

Integers are little-endian. Lumps of equal names stay in the order of the directory.
"""

from __future__ import annotations

from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING

from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAGIC = b"lumpyard content id 1\0"
_LENGTH = Struct("<I")
_FACTS = Struct("<IHQ32s")  # the fourcc's four bytes are those of its u32, lowest first


def content_id(lumps: Iterable[tuple[bytes, int, int, int, bytes]]) -> str:
    """The content id, 64 hex digits, of lumps in the order of the directory.

    Each is (name, fourcc as u32, schema version, raw size, BLAKE3-256 of its raw bytes). Source: design.md,
    section 9.
    """
    return content_id_of(lump_piece(*lump) for lump in sorted(lumps, key=itemgetter(0)))


def content_id_of(pieces: Iterable[bytes]) -> str:
    """The content id of lumps whose pieces are sorted by name."""
    return digest(_MAGIC + b"".join(pieces)).hex()


def lump_piece(name: bytes, fourcc: int, schema: int, raw_size: int, raw_digest: bytes) -> bytes:
    """What one lump puts into a content id."""
    return _LENGTH.pack(len(name)) + name + _FACTS.pack(fourcc, schema, raw_size, raw_digest)
