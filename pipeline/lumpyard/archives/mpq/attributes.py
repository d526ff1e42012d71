"""`(attributes)`: checksums of whole files, by block.

    u32   100
    u32   which arrays follow: 1 CRC-32, 2 time, 4 MD5, 8 a bit for patches
    ...   the arrays in this order, each with an entry a block: u32, u64, 16 bytes, 1 bit

Archives made before the file itself was counted have one entry less. A checksum of zero is none. Those of sound that
was compressed with ADPCM are of the source, not of what can be read.
"""

from __future__ import annotations

from hashlib import md5
from typing import NamedTuple
from zlib import crc32

from lumpyard.errors import MalformedError
from lumpyard.records import numbers

_VERSION = 100
_CRC, _TIME, _MD5 = 1, 2, 4
_NO_DIGEST = bytes(16)


class Attributes(NamedTuple):
    """Checksums by block index; either may be shorter than the block table, or empty."""

    crcs: tuple[int, ...] = ()
    digests: bytes = b""  # 16 bytes each

    def check(self, block: int, raw: bytes | memoryview) -> None:
        """MalformedError (code `crc32` or `md5`) unless a file's raw bytes have its checksums."""
        stated = self.crcs[block] if block < len(self.crcs) else 0
        if stated and crc32(raw) != stated:
            found = f"(attributes) has the CRC-32 {stated:08x} for it, but its bytes have {crc32(raw):08x}"
            raise MalformedError(found, "crc32")
        digest = self.digests[16 * block : 16 * block + 16]
        if digest and digest != _NO_DIGEST:
            real = md5(raw, usedforsecurity=False).digest()
            if real != digest:
                found = f"(attributes) has the MD5 {digest.hex()} for it, but its bytes have {real.hex()}"
                raise MalformedError(found, "md5")


def decode_attributes(data: bytes | memoryview, blocks: int) -> Attributes:
    """The checksums in an attributes file of an archive with so many blocks; MalformedError (code `attributes`)."""
    if len(data) < 8:
        raise MalformedError(f"it has {len(data)} bytes; the least is 8", "attributes")
    version, which = numbers("I", bytes(data[:8]))
    if version != _VERSION:
        raise MalformedError(f"its version is {version}, not {_VERSION}", "attributes")
    entries = next((number for number in (blocks, blocks - 1) if len(data) >= _size(which, number)), None)
    if entries is None or entries < 0:
        found = f"it has {len(data)} bytes, and {_size(which, blocks)} are needed for {blocks} blocks"
        raise MalformedError(found, "attributes")
    at = 8
    crcs: tuple[int, ...] = ()
    if which & _CRC:
        crcs = numbers("I", bytes(data[at : at + 4 * entries]))
        at += 4 * entries
    at += 8 * entries if which & _TIME else 0
    return Attributes(crcs, bytes(data[at : at + 16 * entries]) if which & _MD5 else b"")


def _size(which: int, entries: int) -> int:
    """Bytes of the file with entries for so many blocks; the patch bits may be missing."""
    widths = (4 if which & _CRC else 0) + (8 if which & _TIME else 0) + (16 if which & _MD5 else 0)
    return 8 + widths * entries
