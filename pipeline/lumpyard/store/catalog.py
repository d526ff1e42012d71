"""Which records a store's folder holds, and where: the index file, and a scan of whatever it does not cover.

Not safe to use from several threads; `Store` holds a lock around it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from lumpyard import disk
from lumpyard.disk import appending
from lumpyard.errors import DiskError
from lumpyard.store.records import RECORD_HEADER_SIZE, SEGMENT_HEADER_SIZE, Stamp
from lumpyard.store.segment import Found, decode_segment_header, scan, segment_name, sequence_of
from lumpyard.store.table import EMPTY, Row, decode_table, encode_table, record_id

if TYPE_CHECKING:
    from collections.abc import Iterator

# The number is the index's version: two versions of lumpyard do not fight over one file.
INDEX_NAME = "index-1"
MAX_OPEN = 64  # segments kept open; far below the 256 files that some systems allow a process
# Records that the index file lacks before it is written again: a scan of fewer costs less than that.
WORTH_WRITING = 64


class Spot(NamedTuple):
    """Where a record is."""

    segment: str  # file name
    offset: int  # of the record header
    size: int  # of the payload

    @property
    def payload(self) -> int:
        """Offset of the payload."""
        return self.offset + RECORD_HEADER_SIZE


class Segment:
    """What is known of one segment file."""

    __slots__ = ("end", "mark", "name", "size")

    def __init__(self, name: str) -> None:
        self.name = name
        self.mark = b""  # empty: not read yet, or not a segment
        self.end = 0  # of the last record found
        self.size = 0  # of the file when it was last looked at


class Catalog:
    """The records of a folder. DiskError where it cannot be listed, UnsupportedError where it is newer."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.segments: dict[str, Segment] = {}  # those that are there, oldest first
        self.bad: set[tuple[str, int]] = set()  # (segment, offset) of records that were read and did not hold
        self._table = EMPTY
        self._recent: dict[bytes, list[Spot]] = {}  # what the table does not cover, oldest first
        self._unsaved = 0  # records in `_recent` that the index file lacks
        self._open: dict[str, disk.OpenFile] = {}
        self._stamp = -1

    def path(self, name: str) -> str:
        """Path of a file in the folder."""
        return f"{self.folder}/{name}"

    def find(self, kind: int, key: bytes) -> list[Spot]:
        """Where a record may be, newest first; those known to be bad are left out."""
        wanted = record_id(kind, key)
        recent = self._recent.get(wanted)
        if recent is None and not self._table.rows:
            return []  # a cold build asks for each lump
        spots = list(reversed(recent or ()))
        names = self._table.names
        spots += (Spot(names[segment], offset, size) for segment, offset, size in self._table.find(wanted))
        return [spot for spot in spots if spot.segment in self.segments and spot[:2] not in self.bad]

    def changed(self) -> bool:
        """Whether files came or went since the folder was last listed; costs one stat."""
        return appending.folder_stamp(self.folder) != self._stamp

    def load(self) -> None:
        """Read the index file, then scan what it does not cover."""
        self._load_table()
        self.refresh()

    def refresh(self) -> None:
        """Look at the folder again: forget segments that are gone, scan those that are new or have grown."""
        self._stamp = appending.folder_stamp(self.folder)
        sizes = appending.file_sizes(self.folder)
        names = sorted(name for name in sizes if sequence_of(name) is not None)
        known, self.segments = self.segments, {}
        for name in names:
            self.segments[name] = known.get(name) or Segment(name)
        for name in self._open.keys() - self.segments.keys():
            self._close(name)
        for name in names:
            size = sizes[name]
            if size is not None and size != self.segments[name].size:
                self._catch_up(self.segments[name], size)

    def catch_up(self, segment: Segment, size: int) -> None:
        """Scan one segment for what was appended since it was last looked at."""
        if size != segment.size:
            self._catch_up(segment, size)

    def _catch_up(self, segment: Segment, size: int) -> None:
        try:
            read = self.open(segment.name).read_at
            if not segment.mark:
                segment.mark = self._read_mark(segment.name)
            if size < segment.end or not segment.end:
                segment.end = SEGMENT_HEADER_SIZE
            for found in scan(read, segment.mark, segment.end, size) if segment.mark else ():
                if isinstance(found, Found):
                    self.add(segment, found.kind, found.key, found.offset, found.size)
            segment.size = size
        except DiskError:  # unlinked meanwhile, or not ours to read: as if what it holds were not there
            return

    def is_sound(self, segment: Segment) -> bool:
        """Whether a segment's header holds now; what is appended to one whose header is damaged is lost."""
        try:
            return self._read_mark(segment.name) == segment.mark
        except DiskError:
            return False

    def _read_mark(self, name: str) -> bytes:
        path = self.path(name)
        mark = decode_segment_header(self.open(name).read_at(0, SEGMENT_HEADER_SIZE), path)
        return mark if segment_name(sequence_of(name) or 0, mark) == name else b""

    def add(self, segment: Segment, kind: int, key: bytes, offset: int, size: int) -> None:
        """Take in a record that was found or appended."""
        spot = Spot(segment.name, offset, size)
        self._recent.setdefault(record_id(kind, key), []).append(spot)
        self._unsaved += 1
        segment.end = spot.payload + size

    def open(self, name: str) -> disk.OpenFile:
        """The open file of a segment; DiskError when it is gone."""
        file = self._open.get(name)
        if file is None:
            if len(self._open) >= MAX_OPEN:
                self._close(next(iter(self._open)))
            file = self._open[name] = disk.OpenFile(self.path(name))
        return file

    def _close(self, name: str) -> None:
        self._open.pop(name).__exit__()

    def _load_table(self) -> None:
        try:
            data = disk.read_if_there(self.path(INDEX_NAME))
            sizes = appending.file_sizes(self.folder)
        except DiskError:
            return
        table = decode_table(data) if data else None
        if table is None:
            return
        known = list(zip(table.names, table.segments, strict=True))
        if any((sizes.get(name, stamp.end) or 0) < stamp.end for name, stamp in known):
            # A segment is shorter than it was, after a power cut. All is scanned; and the index must not be there
            # when the segment has grown past the end that it knew.
            with suppress(DiskError):
                disk.remove_file(self.path(INDEX_NAME))
            return
        self._table = table
        for name, stamp in known:
            segment = self.segments[name] = Segment(name)
            segment.mark, segment.end, segment.size = stamp.mark, stamp.end, stamp.end

    def worth_saving(self) -> bool:
        """Whether the index file lacks so much that the next opening gains from writing it."""
        return self._unsaved >= max(WORTH_WRITING, self._table.rows // 16)

    def save(self) -> None:
        """Write the index file, whole or not at all; where that fails, the next opening scans."""
        listed = [segment for segment in self.segments.values() if segment.mark]
        numbers = {segment.name: number for number, segment in enumerate(listed)}
        stamps = [Stamp(sequence_of(segment.name) or 0, segment.mark, segment.end) for segment in listed]
        rows = [
            Row(row_id, numbers[spot.segment], spot.offset, spot.size)
            for row_id, spot in self._all()
            if spot.segment in numbers and spot[:2] not in self.bad
        ]
        with suppress(DiskError):
            disk.sweep_temporaries(self.folder)  # left by killed processes; of one in use, the write fails
            if stamps:
                disk.write_file(self.path(INDEX_NAME), encode_table(stamps, rows), durable=False)
            else:
                disk.remove_file(self.path(INDEX_NAME))
            self._unsaved = 0

    def _all(self) -> Iterator[tuple[bytes, Spot]]:
        names = self._table.names
        for row in self._table:
            yield row.id, Spot(names[row.segment], row.offset, row.size)
        for row_id, spots in self._recent.items():
            for spot in spots:
                yield row_id, spot

    def close(self) -> None:
        """Let go of all files; what is known stays."""
        for name in list(self._open):
            self._close(name)
