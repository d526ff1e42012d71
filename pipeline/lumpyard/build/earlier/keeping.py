"""Stored bytes taken out of archives that earlier builds wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import disk
from lumpyard.build.lumps.codecs import decompress
from lumpyard.errors import ArchiveError, DiskError
from lumpyard.hashing import content_hash, digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.earlier.record import LumpRow, Record


class OldArchive(NamedTuple):
    """An archive of an earlier build, open for reading."""

    file: disk.OpenFile
    alignment: int
    trusted: bool  # size, times and inode are what they were when it was finished


class KeptBytes:
    """The archives that lumps may be copied from; the numbers are those that `Reuse` was given."""

    def __init__(self, paths: Sequence[str], records: Sequence[Record]) -> None:
        self._open = [_open(path, record) for path, record in zip(paths, records, strict=True)]

    def archive(self, number: int) -> OldArchive | None:
        """An archive; None where it is gone."""
        return self._open[number]

    def is_whole(self, number: int) -> bool:
        """Whether an archive is as it was when it was finished."""
        archive = self._open[number]
        return archive is not None and archive.trusted

    def read(self, number: int, row: LumpRow) -> bytes | None:
        """Stored bytes of a lump, checked by content hash; None where they are damaged or gone."""
        archive = self._open[number]
        if archive is None:
            return None
        stored = archive.file.read_at(row.offset, row.stored_size)
        good = len(stored) == row.stored_size and content_hash(stored) == row.content_hash
        return stored if good else None

    def read_raw(self, number: int, row: LumpRow) -> bytes | None:
        """Raw bytes of a lump, checked by raw digest; None where they are damaged or gone."""
        stored = self.read(number, row)
        if stored is None:
            return None
        try:
            raw = decompress(stored, row.raw_size, row.codec) if row.flags else stored
        except ArchiveError:
            return None
        return raw if digest(raw) == row.raw_digest else None

    def digest_at(self, descriptor: int, offset: int, size: int) -> bytes | None:
        """Digest of stored bytes in one of the archives, by its descriptor; None where they are not all there."""
        archive = next(one for one in self._open if one is not None and one.file.fd == descriptor)
        stored = archive.file.read_at(offset, size)
        return digest(stored) if len(stored) == size else None

    def close(self) -> None:
        """Close every archive."""
        for archive in self._open:
            if archive is not None:
                archive.file.__exit__()
        self._open = []


def _open(path: str, record: Record) -> OldArchive | None:
    try:
        file = disk.OpenFile(path)
    except DiskError:
        return None
    return OldArchive(file, record.alignment, trusted=tuple(file.opened) == tuple(record.stat))
