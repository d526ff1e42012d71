"""Reading what was written, to see whether it is whole: an archive of an earlier build, or lumps of a new one."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.archives.ewad.reader import view
from lumpyard.build.packing.layouts import file_hash
from lumpyard.build.packing.writing_chunks import HOLE
from lumpyard.errors import ArchiveError, DiskError
from lumpyard.hashing import content_hash, content_hash_parts
from lumpyard.manifest.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.archives.ewad.reader import EwadView
    from lumpyard.build.earlier.record import Record, Rows
    from lumpyard.build.project import Project

    Read = Callable[[int, int], bytes]  # so many bytes from an offset on

_WINDOW = 1 << 20  # bytes read at once; pages of a map would stay in memory until the map goes


def damage_in(read: Read, rows: Rows, lumps: Sequence[int], padding_from: int | None) -> str:
    """What is wrong with lumps, which are in the order of their offsets; with `padding_from` also with the padding.

    That is where what lies before them ends. Padding is copied along with kept lumps, and no hash covers it; a gap of
    `HOLE` or more was never written. Lumps are looked at by the window, since one by one they cost more than to hash.
    """
    offsets, sizes, hashes = (
        list(map(rows.column(field).__getitem__, lumps))
        for field in ("offset", "stored_size", "content_hash")
    )
    ends = list(
        accumulate(map(add, offsets, sizes), max)
    )  # an empty lump may lie behind one that starts where it does
    before = [padding_from if padding_from is not None else min(offsets, default=0), *ends]
    first = 0
    while first < len(lumps):
        start = before[first] if 0 < offsets[first] - before[first] < HOLE else offsets[first]
        stop = max(first + 1, bisect_right(ends, start + _WINDOW, first))
        if ends[first] - start > _WINDOW:  # alone
            found = [content_hash_parts(_pieces(read, offsets[first], sizes[first]))]
            window = memoryview(read(start, offsets[first] - start))
        else:
            window = memoryview(read(start, ends[stop - 1] - start))
            places = zip(offsets[first:stop], sizes[first:stop], strict=True)
            found = [content_hash(window[at - start : at - start + size]) for at, size in places]
        if padding_from is not None:
            for end, offset in zip(before[first:stop], offsets[first:stop], strict=True):
                if 0 < offset - end < HOLE and any(window[end - start : offset - start]):
                    return _stray(offset)
        if found != hashes[first:stop]:
            wrong = next(at for at, value in enumerate(found, first) if value != hashes[at])
            return f"lump {rows.names[lumps[wrong]]!r} does not read back as it was written"
        first = stop
    return ""


def _check_padding(read: Read, rows: Rows, start: int) -> str:
    """What is wrong with the padding of a file that something else may have written, however much there is of it."""
    end = start
    for offset, size in sorted(zip(rows.column("offset"), rows.column("stored_size"), strict=True)):
        if offset > end and any(piece.count(0) != len(piece) for piece in _pieces(read, end, offset - end)):
            return _stray(offset)
        end = max(end, offset + size)
    return ""


def _stray(offset: int) -> str:
    return f"the padding before offset {offset} is not zero"


def _pieces(read: Read, offset: int, size: int) -> Iterator[bytes]:
    for at in range(offset, offset + size, disk.PIECE):
        yield read(at, min(disk.PIECE, offset + size - at))


def find_damage(project: Project, record: Record, format_name: str) -> str:
    """What is wrong with an archive of an earlier build, or "".

    One whose size, times and inode are those of the day is taken as whole; any other is read.
    """
    path = project.real(record.path)
    try:
        stat = disk.stat_file(path)
        if stat is None:
            return f"{record.path} is not there"
        if tuple(stat) == tuple(record.stat):
            return ""
        if not FORMATS[format_name].holds_all:
            with disk.OpenFile(path) as file:
                whole = file_hash(file.read_at, stat.size) == record.archive_hash
            return "" if whole else f"{record.path} was damaged, or changed by something else"
        with disk.open_map(path) as mapping, disk.OpenFile(path) as file:
            return _find_damage(view(mapping.data), file.read_at, record)
    except ArchiveError as error:
        return f"{record.path} was damaged: {error}"
    except DiskError as error:
        return str(error)


def _find_damage(archive: EwadView, read: Read, record: Record) -> str:
    if archive.archive_hash != record.archive_hash:
        return f"{record.path} was changed by something else"
    rows = record.rows
    places = zip(rows.column("offset"), rows.column("stored_size"), strict=True)
    end = max((offset + size for offset, size in places), default=archive.size)
    if end != archive.size:
        return f"{record.path} was damaged: it has {archive.size} bytes, not {end}"
    head = archive.header.table_offset + archive.header.table_size
    lumps = sorted(range(len(rows)), key=rows.column("offset").__getitem__)
    damage = damage_in(read, rows, lumps, None) or _check_padding(read, rows, head)
    return f"{record.path} was damaged: {damage}" if damage else ""
