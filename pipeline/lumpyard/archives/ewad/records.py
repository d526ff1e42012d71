"""The EWAD format version 2: its records, and what its numbers mean.

    offset  bytes            what
    0       64               header
    d       56 for each lump directory, sorted by key
    t       0 or more        string table: NUL-terminated names back to back; size 0 in a stripped archive
    …       …                stored bytes of each lump, at a multiple of the alignment

The header says where directory and string table are; a reader takes them anywhere after the header. A writer
puts them directly after it, names in directory order, then each lump in directory order at the next multiple
of the alignment.

All integers are little-endian. The header hash covers the header with the hash as zero, the directory and the
string table, and through the directory every content hash: it is the archive's identity.

Source: "WAD Format", section EWAD.
"""

# No `from __future__ import annotations`: the records' field codes are read from their annotations.
from typing import NamedTuple

from lumpyard.records import U16, U32, U64, FourBytes

SIGNATURE = b"EWAD"
VERSION = 2
HEADER_SIZE = 64
ENTRY_SIZE = 56
MAX_ALIGNMENT = 1 << 30
MAX_NAME_SIZE = 255
NO_NAME = 0xFFFFFFFF  # name offset of every entry of a stripped archive
FLAG_LZ4 = 1  # the stored bytes are one LZ4 block; all other bits are reserved
LAST_SEED = (1 << 64) - 1
SEED_RETRIES = 64  # seeds tried after the first when names collide


class EwadHeader(NamedTuple):
    """Header, at offset 0 of the file. Offsets count from the start of the file, sizes are bytes."""

    signature: FourBytes
    version: U32  # 2
    lumps: U32  # entries in the directory
    alignment: U32  # of every lump's offset; a power of two, 1 to 2^30
    seed: U64  # of the keys
    directory_offset: U64  # 64 or more, even when the directory is empty
    table_offset: U64  # 64 or more, even when the string table is empty
    table_size: U64  # 0 when the names are stripped
    header_hash: U64  # XXH64, seed 0, of header (this field zero), directory and string table
    reserved: U64  # zero


class EwadEntry(NamedTuple):
    """Directory entry; sorted by key, ascending, no two alike."""

    key: U64  # XXH64 of the name without its NUL, under the archive's seed
    offset: U64  # of the stored bytes; a multiple of the alignment, also for an empty lump
    stored_size: U64  # bytes in the file
    raw_size: U64  # bytes after decompression; the stored size unless the LZ4 flag is set
    content_hash: U64  # XXH64, seed 0, of the stored bytes
    fourcc: U32  # lump type, chosen by the application; 0 when unused
    name_offset: U32  # from the start of the string table; 0xFFFFFFFF when stripped
    schema: U16  # schema version, chosen by the application
    flags: U16  # FLAG_LZ4 or 0
    reserved: U32  # zero


class StoredLump(NamedTuple):
    """A lump apart from its place: what a writer is given, and `load` gives back."""

    name: bytes
    stored: bytes
    raw_size: int  # len(stored) unless the LZ4 flag is set
    fourcc: int = 0
    schema: int = 0
    flags: int = 0
