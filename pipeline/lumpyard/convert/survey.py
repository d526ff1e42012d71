"""Where the bytes of an archive stand, so that it can be written again as it was; and what no lump holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.ewad.reader import EwadView
from lumpyard.archives.ewad.records import HEADER_SIZE
from lumpyard.archives.writing import WRITERS, NewLump
from lumpyard.convert.model import ABSENT, DATA, ZERO, Layout, Recorded
from lumpyard.hashing import PIECE, content_hash_parts, digest_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.archives.model import Archive, Lump

_DIRECTORY_FIELD = {
    "PAK": 4,
    "DAIKATANA": 4,
}  # where the header keeps the directory's offset; 8 in all others


def layout_of(archive: Archive, data: memoryview) -> Layout | None:
    """What is needed beside the lumps to write the archive again; None for a format that is not written.

    `data` is the whole file. It is read through once.
    """
    if isinstance(archive, EwadView):
        return _ewad_layout(archive, data)
    if archive.format not in WRITERS:
        return None
    writer = WRITERS[archive.format]
    at = _DIRECTORY_FIELD.get(archive.format, 8)
    offset = int.from_bytes(data[at : at + 4], "little")
    lumps = archive.lumps
    told = [new_lump(archive, index) for index in range(len(lumps))]
    directory = writer.directory(told, [lump.offset for lump in lumps])
    parts = [(0, writer.header(len(lumps), offset)), (offset, directory)]
    lost, outside = _outside(data, parts, lumps)
    return Layout(len(data), offset, outside, digest_parts(pieces(data)).hex(), lost)


def recorded(archive: Archive, index: int) -> Recorded:
    """How a lump is stored."""
    lump = archive.lumps[index]
    content_hash = lump.content_hash
    if content_hash is None:
        content_hash = content_hash_parts(pieces(archive.stored(index)))
    return Recorded(lump.offset, lump.stored_size, lump.raw_size, content_hash, is_compressed(archive, index))


def new_lump(archive: Archive, index: int) -> NewLump:
    """What a writer is told of a lump, to write its entry as it was."""
    lump = archive.lumps[index]
    name = lump.raw_name if lump.raw_name is not None else lump.name or b""
    return NewLump(name, lump.stored_size, lump.raw_size, is_compressed(archive, index), lump.kind or 0)


def is_compressed(archive: Archive, index: int) -> bool:
    """Whether a lump's stored bytes are not its raw bytes."""
    lump = archive.lumps[index]
    if archive.format in {"EWAD", "DAIKATANA"}:
        return bool(lump.flags)
    return lump.stored_size != lump.raw_size


def pieces(data: memoryview) -> Iterator[memoryview]:
    """A buffer in pieces of one MiB."""
    return (data[start : start + PIECE] for start in range(0, len(data), PIECE))


def _ewad_layout(archive: EwadView, data: memoryview) -> Layout:
    """What an EWAD's header says; the fields of header, directory and names are all kept."""
    header = archive.header
    parts = [
        (0, data[:HEADER_SIZE]),
        (header.directory_offset, archive.directory),
        (header.table_offset, archive.table),
    ]
    lost, outside = _outside(data, parts, archive.lumps)
    return Layout(
        len(data),
        header.directory_offset,
        outside,
        digest_parts(pieces(data)).hex(),
        lost,
        header.table_offset,
        header.alignment,
        header.seed,
        archive.stripped,
    )


def _outside(
    data: memoryview, parts: Sequence[tuple[int, bytes | memoryview]], lumps: Iterable[Lump]
) -> tuple[int, str]:
    """What the file holds beside its lumps and these parts, which a writer would put there, and how many bytes."""
    # Bytes of the directory that a writer makes otherwise are in fields that the format does not read.
    lost = sum(_differing(data[start : start + len(part)], part) for start, part in parts)
    ranges = [(start, start + len(part)) for start, part in parts]
    ranges += [(lump.offset, lump.offset + lump.stored_size) for lump in lumps if lump.stored_size]
    gaps, end = 0, 0
    for start, stop in [*sorted(ranges), (len(data), len(data))]:
        if start > end:
            gaps += 1
            lost += sum(len(piece) - piece.tobytes().count(0) for piece in pieces(data[end:start]))
        end = max(end, stop)
    return lost, DATA if lost else ZERO if gaps else ABSENT


def _differing(found: memoryview, expected: bytes | memoryview) -> int:
    """How many bytes of a part are not as a writer would write them."""
    if found == expected:
        return 0
    return abs(len(expected) - len(found)) + sum(a != b for a, b in zip(found, expected, strict=False))
