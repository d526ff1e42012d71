"""What of a file is not lumps: header, directory, names, tables; and what each lump accounts for, to the byte.

Every byte of a file belongs to exactly one row: to a part of the archive, to a lump, or to the padding, which is what
nothing uses. Where ranges overlap (equal lumps that share one place, overlapping entries of old WADs) the bytes belong
to the range that starts first, of several to the one that stands first in the directory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives import directory as plain
from lumpyard.archives.ewad.records import ENTRY_SIZE, HEADER_SIZE
from lumpyard.archives.writing import WRITERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.archives.model import Archive
    from lumpyard.archives.mpq.header import MpqHeader, Place

HEADER, DIRECTORY, NAMES, PADDING = "header", "directory", "names", "padding"
PARTS: tuple[str, ...] = (HEADER, DIRECTORY, NAMES, PADDING)  # in the order of reports
_HASH_ENTRY = _BLOCK_ENTRY = 16  # bytes, in an MPQ
_HIGH_WORD = 2


class Region(NamedTuple):
    """A range of a file that is no lump."""

    part: str  # of PARTS
    offset: int  # from the start of the file
    size: int


class Shares(NamedTuple):
    """Whose the bytes of a file are; all of them together are its size."""

    own: list[int]  # of each lump, bytes that no lump before it accounts for
    before: list[int]  # of each lump, bytes of the padding that ends where it starts
    parts: dict[str, int]  # part -> bytes, the padding included
    gaps: list[tuple[int, int]]  # start and end of each run of padding

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return sum(self.own) + sum(self.parts.values())


def share_out(
    size: int, regions: Sequence[Region], offsets: Sequence[int], stored_sizes: Sequence[int]
) -> Shares:
    """Whose each byte of a file of `size` bytes is; what lies behind its end is nobody's."""
    own, before, gaps = [0] * len(offsets), [0] * len(offsets), []
    parts = dict.fromkeys(PARTS, 0)
    places = [(region.offset, at - len(regions), region.size) for at, region in enumerate(regions)]
    places += zip(offsets, range(len(offsets)), stored_sizes, strict=True)
    places.sort()
    covered = 0
    for offset, index, length in places:
        start = min(offset, size)
        if start > covered:
            gaps.append((covered, start))
            if index >= 0:
                before[index] = start - covered
            covered = start
        end = min(offset + length, size)
        if end > covered:
            if index >= 0:
                own[index] = end - covered
            else:
                parts[regions[index].part] += end - covered
            covered = end
    if size > covered:
        gaps.append((covered, size))
    parts[PADDING] += sum([end - start for start, end in gaps])
    return Shares(own, before, parts, gaps)


def regions_of(archive: Archive) -> list[Region]:
    """All of an archive that is no lump and no padding."""
    from lumpyard.archives.ewad.reader import EwadView  # noqa: PLC0415 - one of the formats

    if isinstance(archive, EwadView):
        header = archive.header
        return [
            Region(HEADER, 0, HEADER_SIZE),
            Region(DIRECTORY, header.directory_offset, header.lumps * ENTRY_SIZE),
            Region(NAMES, header.table_offset, header.table_size),
        ]
    if archive.format == "MPQ":
        from lumpyard.archives.mpq.reader import MpqView  # noqa: PLC0415 - one of the formats

        assert isinstance(archive, MpqView)
        return list(_mpq_regions(archive.header))
    assert isinstance(archive, plain.DirectoryArchive)
    directory = archive.directory_range
    return [Region(HEADER, 0, plain.HEADER_SIZE), Region(DIRECTORY, directory.start, len(directory))]


def regions_written(
    format_name: str,
    names: Sequence[bytes],
    offsets: Sequence[int],
    stored_sizes: Sequence[int],
    alignment: int,
    *,
    named: bool = False,
) -> tuple[int, list[Region]]:
    """Size and regions of an archive that we wrote, from what is known of its lumps.

    That an EWAD has its names also shows where its first lump stands too far behind the directory for the alignment.
    """
    ends = [offset + size for offset, size in zip(offsets, stored_sizes, strict=True)]
    if format_name != "EWAD":
        writer = WRITERS.get(format_name)  # None: a ledger may say any format
        directory = len(names) * (writer.entry_size if writer else 0)
        end = max(ends, default=plain.HEADER_SIZE)
        return end + directory, [Region(HEADER, 0, plain.HEADER_SIZE), Region(DIRECTORY, end, directory)]
    head = HEADER_SIZE + ENTRY_SIZE * len(names)
    table = sum(map(len, names)) + len(names)
    first = min(offsets, default=head)
    stripped = first == -(-head // alignment) * alignment
    named = named or (not stripped and first == -(-(head + table) // alignment) * alignment)
    regions = [Region(HEADER, 0, HEADER_SIZE), Region(DIRECTORY, HEADER_SIZE, head - HEADER_SIZE)]
    regions += [Region(NAMES, head, table)] if named else []
    return max(ends, default=head), regions


def _mpq_regions(header: MpqHeader) -> Iterator[Region]:
    from lumpyard.archives.mpq.header import SIZES  # noqa: PLC0415 - one of the formats

    yield Region(HEADER, 0, header.start + SIZES[header.version])  # with what stands in front of it
    sizes = (  # where the header does not tell them; nothing tells those of HET and BET then
        _HASH_ENTRY * header.hash_entries,
        _BLOCK_ENTRY * header.block_entries,
        _HIGH_WORD * header.block_entries,
        0,
        0,
    )
    for place, size in zip(header.tables(), sizes, strict=True):
        yield from _mpq_table(header, place, size)


def _mpq_table(header: MpqHeader, place: Place, size: int) -> Iterator[Region]:
    if place.offset:
        yield Region(
            DIRECTORY, header.at(place.offset), size if place.stored_size is None else place.stored_size
        )
