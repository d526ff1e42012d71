"""Read what was written: a new archive before it takes its final name, an old one before it is taken as whole."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.archives.ewad.reader import view
from lumpyard.errors import ArchiveError, DiskError
from lumpyard.hashing import content_hash

if TYPE_CHECKING:
    from collections.abc import Collection

    from typing_extensions import Buffer

    from lumpyard.build.archive import Written
    from lumpyard.build.project import Project
    from lumpyard.build.record import Record, Rows
    from lumpyard.disk import NewFile


def check_new(file: NewFile, written: Written, *, whole: bool) -> str:
    """What is wrong with a finished archive under its temporary name, or "".

    All metadata is checked, and the bytes of the lumps that were made anew; `whole` checks those of every lump, and
    that the padding between them is zero.
    """
    with file.map() as mapping:
        try:
            archive = view(mapping.data)
        except ArchiveError as error:
            return f"what was written does not read back: {error}"
        if archive.archive_hash != written.archive_hash or archive.size != written.size:
            return "what was written does not read back as it was meant"
        data = memoryview(mapping.data)
        made = range(len(written.rows)) if whole else written.made
        return _check_lumps(data, written.rows, made) or (_check_padding(data, written) if whole else "")


def _check_lumps(data: memoryview, rows: Rows, made: Collection[int]) -> str:
    offsets, sizes, hashes = map(rows.column, ("offset", "stored_size", "content_hash"))
    for index in made:
        offset = offsets[index]
        if content_hash(data[offset : offset + sizes[index]]) != hashes[index]:
            return f"lump {rows.names[index]!r} does not read back as it was written"
    return ""


def _check_padding(data: memoryview, written: Written) -> str:
    """Padding is copied along with kept lumps, and no hash covers it."""
    end = written.head_size
    for offset, size in sorted(
        zip(written.rows.column("offset"), written.rows.column("stored_size"), strict=True)
    ):
        if offset > end and not _is_zero(data[end:offset]):
            return f"the padding before offset {offset} is not zero"
        end = max(end, offset + size)
    return ""


def _is_zero(padding: memoryview) -> bool:
    if len(padding) < _SMALL:
        return not any(padding)
    return all(
        bytes(padding[at : at + _SMALL]).count(0) == len(padding[at : at + _SMALL])
        for at in range(0, len(padding), _SMALL)
    )


_SMALL = 1 << 16


def find_damage(project: Project, record: Record) -> str:
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
        with disk.open_map(path) as mapping:
            return _find_damage(mapping.data, record)
    except DiskError as error:
        return str(error)


def _find_damage(data: Buffer, record: Record) -> str:
    try:
        archive = view(data)
    except ArchiveError as error:
        return f"{record.path} was damaged: {error}"
    if archive.archive_hash != record.archive_hash:
        return f"{record.path} was changed by something else"
    rows = record.rows
    damage = _check_lumps(memoryview(data), rows, range(len(rows)))
    end = max(map(add, rows.column("offset"), rows.column("stored_size")), default=archive.size)
    if damage or end != archive.size:
        return f"{record.path} was damaged: {damage or f'it has {archive.size} bytes, not {end}'}"
    return ""
