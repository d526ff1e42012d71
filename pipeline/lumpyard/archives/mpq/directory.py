"""All tables of an MPQ, however it has them: classic, HET and BET, or one of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import Finding
from lumpyard.archives.mpq.header import decode_header
from lumpyard.archives.mpq.hetbet import decode_bet, decode_het
from lumpyard.archives.mpq.lookup import HashLookup, HetLookup
from lumpyard.archives.mpq.tables import decode_blocks, decode_hashes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.archives.mpq.header import MpqHeader
    from lumpyard.archives.mpq.lookup import Lookup
    from lumpyard.archives.mpq.tables import Blocks


class Directory(NamedTuple):
    """What the tables say."""

    header: MpqHeader
    blocks: Blocks
    lookup: Lookup
    warnings: Sequence[Finding]


def decode_directory(data: memoryview, *, lenient: bool) -> Directory:
    """The directory of the archive in a file; no bytes of files are looked at.

    The classic tables are read where there are any, as by the games; HET and BET only without them. MalformedError and
    UnsupportedError as `decode_header` and the decoders of the tables raise them.
    """
    header, warnings = decode_header(data, lenient=lenient)
    if header.het.offset and not header.hash_entries:
        het, of_het = decode_het(data, header, lenient=lenient)
        bet, of_bet = decode_bet(data, header, lenient=lenient)
        return Directory(header, bet.blocks, HetLookup(het, bet), [*warnings, *of_het, *of_bet])
    hashes, of_hashes = decode_hashes(data, header, lenient=lenient)
    if header.bet.offset and not header.blocks.offset:
        bet, of_blocks = decode_bet(data, header, lenient=lenient)
        blocks = bet.blocks
    else:
        blocks, of_blocks = decode_blocks(data, header, hashes, lenient=lenient)
    lookup = HashLookup(hashes, blocks)
    wild = _wild(lookup.wild(), len(blocks.flags))
    return Directory(header, blocks, lookup, [*warnings, *of_hashes, *of_blocks, *wild])


def _wild(slot: int | None, blocks: int) -> Iterator[Finding]:
    if slot is not None:
        message = f"hash entry {slot} is of a block that does not exist; there are {blocks}. Its file cannot be read"
        yield Finding("hash-entry", message, None, "ok")
