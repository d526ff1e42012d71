"""Read what was written: a new archive before it takes its final name, an old one before it is taken as whole."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.archives.ewad.reader import view
from lumpyard.archives.opening import open_archive
from lumpyard.build.layouts import file_hash
from lumpyard.build.writing_chunks import HOLE
from lumpyard.errors import ArchiveError, DiskError
from lumpyard.hashing import content_hash, content_hash_parts
from lumpyard.manifest.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lumpyard.archives.ewad.reader import EwadView
    from lumpyard.archives.model import Archive
    from lumpyard.build.archive import Written
    from lumpyard.build.project import Project
    from lumpyard.build.record import Record, Rows
    from lumpyard.disk import NewFile

    Read = Callable[[int, int], bytes]  # so many bytes from an offset on

_WINDOW = 256 << 10  # bytes read at once; pages of a map would stay in memory until the map goes
WORTH_SHARING = 256 << 20  # bytes of an archive from which several processes read it back
_LARGE = 1 << 20  # stored bytes of a lump from which it is hashed in pieces


def check_new(
    file: NewFile, written: Written, format_name: str, *, whole: bool, share: tuple[int, int] = (0, 1)
) -> str:
    """What is wrong with a finished archive under its temporary name, or "".

    All metadata is checked, and the bytes of the lumps that were made anew; `whole` checks those of every lump, and
    that the padding between them is zero. Several processes may share it: `share` is the number of a part and how many
    parts there are; who has the first, 0, also checks the metadata.
    """
    part, parts = share
    problem = "" if part else _check_metadata(file, written, format_name)
    if problem:
        return problem
    rows, start = written.rows, written.head_size
    # Quick: only dedupe leaves the order of the directory.
    lumps = sorted(range(len(rows)) if whole else written.made, key=rows.column("offset").__getitem__)
    if parts > 1:
        lumps, start = _part(rows, lumps, start, part, parts)
    return _check_data(file.read_at, rows, lumps, start if whole else None)


def _part(rows: Rows, lumps: list[int], start: int, part: int, parts: int) -> tuple[list[int], int]:
    """One of several parts of about the same size, and where what lies before it ends."""
    offsets, sizes = rows.column("offset"), rows.column("stored_size")
    before = list(accumulate(map(sizes.__getitem__, lumps), initial=0))
    first, stop = (bisect_left(before, before[-1] * number // parts) for number in (part, part + 1))
    end = max([start, *(offsets[index] + sizes[index] for index in lumps[:first])])
    return lumps[first : len(lumps) if part == parts - 1 else stop], end


def _check_metadata(file: NewFile, written: Written, format_name: str) -> str:
    with file.map() as mapping:
        try:
            archive = open_archive(mapping.data, format_name)
        except ArchiveError as error:
            return f"what was written does not read back: {error}"
        if not _is_as_meant(archive, written):
            return "what was written does not read back as it was meant"
    return ""


def _is_as_meant(archive: Archive, written: Written) -> bool:
    """Whether the metadata of a new archive says what was written."""
    if archive.size != written.size:
        return False
    if FORMATS[archive.format].holds_all:
        return archive.archive_hash == written.archive_hash
    rows = written.rows
    names = [name.encode("utf-8", "surrogateescape") for name in rows.names]
    meant = zip(names, *map(rows.column, ("offset", "stored_size", "raw_size")), strict=True)
    return [lump[:4] for lump in archive.lumps] == list(meant)


def _check_data(read: Read, rows: Rows, lumps: Iterable[int], padding_from: int | None) -> str:
    """What is wrong with lumps, which are in the order of their offsets; with `padding_from` also with the padding.

    That is where what lies before them ends. Padding is copied along with kept lumps, and no hash covers it. What is
    large was never written.
    """
    offsets, sizes, hashes = map(rows.column, ("offset", "stored_size", "content_hash"))
    window, start = memoryview(b""), 0
    end = padding_from or 0
    for index in lumps:
        offset, size = offsets[index], sizes[index]
        gap = offset - end if padding_from is not None and offset - end < HOLE else 0
        if size > _LARGE:
            found = content_hash_parts(_pieces(read, offset, size))
            padding = memoryview(read(end, gap) if gap > 0 else b"")
        else:
            if offset < start or offset + size > start + len(window):
                start = end if 0 < offset - end < HOLE else offset
                window = memoryview(read(start, max(_WINDOW, offset - start + size)))
            found = content_hash(window[offset - start : offset - start + size])
            padding = window[end - start : offset - start] if gap > 0 else window[:0]
        if any(padding):
            return _stray(offset)
        if found != hashes[index]:
            return f"lump {rows.names[index]!r} does not read back as it was written"
        end = max(end, offset + size)
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
    damage = _check_data(read, rows, lumps, None) or _check_padding(read, rows, head)
    return f"{record.path} was damaged: {damage}" if damage else ""
