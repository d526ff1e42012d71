"""The tests' own MPQ writer, as plain as can be, and what breaks its archives.

It shares nothing with the reader under test. Files are stored, or packed by zlib (or by bytes that a test brings), in
sectors or as single units, plain or encrypted; tables are those of versions 1 to 4, with HET and BET where asked for.
"""

from __future__ import annotations

import struct
import zlib
from hashlib import md5
from typing import NamedTuple

MASK = 0xFFFFFFFF
IMPLODE, COMPRESS, ENCRYPTED, FIX_KEY = 0x100, 0x200, 0x10000, 0x20000
PATCH, SINGLE, DELETED, CRC, EXISTS = 0x100000, 0x1000000, 0x2000000, 0x4000000, 0x80000000
HEADER_SIZES = {1: 32, 2: 44, 3: 68, 4: 208}
HASH = {"name1": 0, "name2": 1, "locale": 2, "block": 3}  # locale has the platform in its upper half
BLOCK = {"position": 0, "stored_size": 1, "raw_size": 2, "flags": 3}


def _table() -> list[int]:
    table, seed = [0] * 1280, 0x00100001
    for i in range(256):
        for j in range(5):
            seed = (seed * 125 + 3) % 0x2AAAAB
            high = seed & 0xFFFF
            seed = (seed * 125 + 3) % 0x2AAAAB
            table[i + j * 256] = high << 16 | (seed & 0xFFFF)
    return table


TABLE = _table()


def hashed(name: bytes, kind: int) -> int:
    """One of the four hashes of a name: 0 where the probe starts, 1 and 2 those of the entry, 3 the key."""
    first, second = 0x7FED7FED, 0xEEEEEEEE
    for character in name.upper().replace(b"/", b"\\"):
        first = TABLE[kind * 256 + character] ^ (first + second & MASK)
        second = (character + first + second + (second << 5) + 3) & MASK
    return first


def encrypted(data: bytes, key: int, *, back: bool = False) -> bytes:
    """Bytes under a key; with `back` the way back."""
    seed, done = 0xEEEEEEEE, b""
    dwords = []
    for (value,) in struct.iter_unpack("<I", data[: len(data) // 4 * 4]):
        seed = (seed + TABLE[1024 + (key & 0xFF)]) & MASK
        other = value ^ (key + seed & MASK)
        key = (((~key & MASK) << 21) + 0x11111111 & MASK) | key >> 11
        plain = other if back else value
        seed = (plain + seed + (seed << 5) + 3) & MASK
        dwords.append(other)
    done = struct.pack(f"<{len(dwords)}I", *dwords)
    return done + data[len(done) :]


def base_key(name: bytes) -> int:
    """The key of a file, before FIX_KEY."""
    return hashed(name.replace(b"/", b"\\").split(b"\\")[-1], 3)


class Written(NamedTuple):
    """A file to write."""

    name: bytes
    raw: bytes = b""
    flags: int = 0  # COMPRESS, ENCRYPTED, FIX_KEY, SINGLE, CRC
    locale: int = 0
    sectors: tuple[bytes, ...] | None = None  # what is stored instead of what zlib makes of each sector


def stored_bytes(file: Written, position: int, sector_size: int) -> bytes:
    """A file's stored bytes at a position in the archive."""
    key = base_key(file.name)
    if file.flags & FIX_KEY:
        key = (key + position & MASK) ^ len(file.raw)
    step = len(file.raw) or 1 if file.flags & SINGLE else sector_size
    cut = [file.raw[at : at + step] for at in range(0, len(file.raw), step)]
    if file.sectors is not None:
        cut = list(file.sectors)
    elif file.flags & COMPRESS:
        cut = [min(sector, b"\2" + zlib.compress(sector, 9), key=len) for sector in cut]
    checks = [zlib.adler32(sector, 0) for sector in cut]
    if file.flags & ENCRYPTED:
        cut = [encrypted(sector, key + index & MASK) for index, sector in enumerate(cut)]
    if file.flags & SINGLE or not file.flags & (COMPRESS | IMPLODE) or not file.raw:
        return b"".join(cut)
    if file.flags & CRC:
        packed = struct.pack(f"<{len(checks)}I", *checks)
        cut.append(min(packed, b"\2" + zlib.compress(packed), key=len))
    offsets = [4 * (len(cut) + 1)]
    for sector in cut:
        offsets.append(offsets[-1] + len(sector))
    table = struct.pack(f"<{len(offsets)}I", *offsets)
    return (encrypted(table, key - 1 & MASK) if file.flags & ENCRYPTED else table) + b"".join(cut)


def listfile(files: list[Written]) -> Written:
    """The (listfile) of some files."""
    names = dict.fromkeys(file.name for file in files)
    return Written(b"(listfile)", b"\r\n".join(names) + b"\r\n", COMPRESS)


def attributes(files: list[Written], *, crcs: dict[bytes, int] | None = None, md5s: bool = True) -> Written:
    """The (attributes) of some files and of itself, last; `crcs` are told instead of the real ones."""
    crcs = crcs or {}
    data = struct.pack("<II", 100, 1 | (4 if md5s else 0))
    data += struct.pack(
        f"<{len(files) + 1}I", *(crcs.get(file.name, zlib.crc32(file.raw)) for file in files), 0
    )
    if md5s:
        data += b"".join(md5(file.raw).digest() for file in files) + bytes(16)
    return Written(b"(attributes)", data)


def build(
    files: list[Written],
    *,
    version: int = 1,
    slots: int = 16,
    shift: int = 3,
    prefix: bytes = b"",
    gap: bytes = b"",
    classic: bool = True,
    hetbet: bool = False,
    packed: bool = False,
    high_words: bool = False,
) -> bytes:
    """An archive behind a prefix; `gap` stands before each file, `packed` tables are those of version 2 on.

    Files go into the block table in their order, and into the hash table at the first free place of their probe.
    """
    body = bytearray(HEADER_SIZES[version])
    blocks = []
    for file in files:
        body += gap
        stored = stored_bytes(file, len(body), 512 << shift)
        blocks.append((len(body), len(stored), len(file.raw), file.flags | EXISTS))
        body += stored
    het = bet = (0, b"")
    if hetbet:
        het = (len(body), _het(files))
        body += het[1]
        bet = (len(body), _bet(files, blocks))
        body += bet[1]
    table = hash_table(files, slots) if classic else b""
    hashes = (len(body), _packed(table, b"(hash table)", packed=packed))
    body += hashes[1]
    table = b"".join(struct.pack("<4I", *block) for block in blocks) if classic else b""
    block_table = (len(body), _packed(table, b"(block table)", packed=packed))
    body += block_table[1]
    high = (len(body), bytes(2 * len(blocks))) if high_words else (0, b"")
    body += high[1]
    counts = (slots, len(blocks)) if classic else (0, len(blocks))
    places = (hashes[0], block_table[0]) if classic else (0, 0)
    header = struct.pack("<4sIIHH", b"MPQ\x1a", HEADER_SIZES[version], len(body), version - 1, shift)
    header += struct.pack("<IIII", *places, *counts)
    if version > 1:
        header += struct.pack("<QHH", high[0], 0, 0)
    if version > 2:
        header += struct.pack("<QQQ", len(body), bet[0], het[0])
    if version > 3:
        tables = [hashes[1], block_table[1], high[1], het[1], bet[1]]
        header += struct.pack("<5QI", *map(len, tables), 0)
        for at in (1, 0, 2, 4, 3):
            header += md5(tables[at]).digest() if tables[at] else bytes(16)
        header += md5(header).digest()
    body[: len(header)] = header
    return prefix + bytes(body)


def hash_table(files: list[Written], slots: int) -> bytes:
    """The hash table, not encrypted."""
    entries: list[tuple[int, ...]] = [(MASK, MASK, MASK, MASK)] * slots
    for block, file in enumerate(files):
        at = hashed(file.name, 0) % slots
        while entries[at][3] != MASK:
            at = (at + 1) % slots
        entries[at] = (hashed(file.name, 1), hashed(file.name, 2), file.locale, block)
    return b"".join(struct.pack("<4I", *entry) for entry in entries)


def _packed(table: bytes, name: bytes, *, packed: bool) -> bytes:
    if packed:
        table = min(table, b"\2" + zlib.compress(table, 9), key=len)
    return encrypted(table, base_key(name))


def jenkins(name: bytes) -> int:
    """Bob Jenkins' hashlittle2 of the lower-case name, seeds 2 and 1, after lookup3.c."""
    key = name.lower().replace(b"/", b"\\")

    def rot(x: int, k: int) -> int:
        return (x << k | x >> (32 - k)) & MASK

    a = b = c = (0xDEADBEEF + len(key) + 2) & MASK
    c = (c + 1) & MASK
    while len(key) > 12:
        a, b, c = ((x + y) & MASK for x, y in zip((a, b, c), struct.unpack("<3I", key[:12]), strict=True))
        for k in (
            4,
            6,
            8,
            16,
            19,
            4,
        ):  # a -= c; a ^= rot(c, k); c += b; and the same with the letters moved on
            a = (a - c & MASK) ^ rot(c, k)
            c = (c + b) & MASK
            a, b, c = b, c, a
        key = key[12:]
    if key:
        words = struct.unpack("<3I", key + bytes(12 - len(key)))
        a, b, c = ((x + y) & MASK for x, y in zip((a, b, c), words, strict=True))
        for k in (14, 11, 25, 16, 4, 14, 24):  # c ^= b; c -= rot(b, k); and so on
            c = (c ^ b) - rot(b, k) & MASK
            a, b, c = b, c, a
        a, b, c = c, a, b
    return b << 32 | c


def _het(files: list[Written]) -> bytes:
    slots = len(files) * 4 // 3 + 1
    bits = max(len(files).bit_length(), 1)
    firsts, indexes = bytearray(slots), [(1 << bits) - 1] * slots
    for index, file in enumerate(files):
        full = jenkins(file.name) | 1 << 63
        at = full % slots
        while firsts[at]:
            at = (at + 1) % slots
        firsts[at], indexes[at] = full >> 56, index
    packed = _bits([(value, bits) for value in indexes])
    numbers = (32 + slots + len(packed), len(files), slots, 64, bits, 0, bits, len(packed))
    return _table_with_head(b"HET\x1a", struct.pack("<8I", *numbers) + firsts + packed, b"(hash table)")


def _bet(files: list[Written], blocks: list[tuple[int, int, int, int]]) -> bytes:
    flags = list(dict.fromkeys(block[3] for block in blocks))
    columns = [[block[0] for block in blocks], [block[2] for block in blocks], [block[1] for block in blocks]]
    columns.append([flags.index(block[3]) for block in blocks])
    widths = [max([*column, 1]).bit_length() for column in columns]
    firsts = [sum(widths[:at]) for at in range(4)]
    entries = _bits(
        [
            (column[i], width)
            for i in range(len(blocks))
            for column, width in zip(columns, widths, strict=True)
        ]
    )
    rests = _bits([(jenkins(file.name) & (1 << 56) - 1, 56) for file in files])
    tail = struct.pack(f"<{len(flags)}I", *flags) + entries + rests
    numbers = [
        76 + len(tail),
        len(files),
        16,
        sum(widths),
        *firsts,
        sum(widths),
        *widths,
        0,
        56,
        0,
        56,
        len(rests),
    ]
    return _table_with_head(b"BET\x1a", struct.pack("<19I", *numbers, len(flags)) + tail, b"(block table)")


def _table_with_head(signature: bytes, table: bytes, name: bytes) -> bytes:
    return signature + struct.pack("<II", 1, len(table)) + encrypted(table, base_key(name))


def _bits(values: list[tuple[int, int]]) -> bytes:
    total = at = 0
    for value, width in values:
        total |= value << at
        at += width
    return total.to_bytes((at + 7) // 8, "little")


def header(data: bytes, at: int, code: str = "I") -> int:
    """A number in the header of an archive without a prefix."""
    return int(struct.unpack_from("<" + code, data, at)[0])


def with_header(data: bytes, at: int, value: int, code: str = "I") -> bytes:
    """The archive with another number in its header."""
    changed = bytearray(data)
    struct.pack_into("<" + code, changed, at, value)
    return bytes(changed)


def hash_entries(data: bytes) -> list[list[int]]:
    """The hash table, as in `HASH`."""
    return _entries(data, 16, 24, b"(hash table)")


def block_entries(data: bytes) -> list[list[int]]:
    """The block table, as in `BLOCK`."""
    return _entries(data, 20, 28, b"(block table)")


def _entries(data: bytes, place: int, number: int, name: bytes) -> list[list[int]]:
    start, size = header(data, place), 16 * header(data, number)
    plain = encrypted(data[start : start + size], base_key(name), back=True)
    return [list(entry) for entry in struct.iter_unpack("<4I", plain)]


def with_hashes(data: bytes, entries: list[list[int]]) -> bytes:
    """The archive with another hash table of the same size."""
    return _with_entries(data, 16, entries, b"(hash table)")


def with_block(data: bytes, block: int, **fields: int) -> bytes:
    """The archive with other fields in one block entry."""
    entries = block_entries(data)
    for field, value in fields.items():
        entries[block][BLOCK[field]] = value
    return _with_entries(data, 20, entries, b"(block table)")


def with_hash(data: bytes, name: bytes, **fields: int) -> bytes:
    """The archive with other fields in the first hash entry of a name."""
    entries = hash_entries(data)
    entry = next(entry for entry in entries if entry[:2] == [hashed(name, 1), hashed(name, 2)])
    for field, value in fields.items():
        entry[HASH[field]] = value
    return with_hashes(data, entries)


def _with_entries(data: bytes, place: int, entries: list[list[int]], name: bytes) -> bytes:
    start = header(data, place)
    table = encrypted(b"".join(struct.pack("<4I", *entry) for entry in entries), base_key(name))
    return data[:start] + table + data[start + len(table) :]
