"""Which records a store's folder holds, and where: the index file, and a scan of whatever it does not cover.

Not safe to use from several threads; `Store` holds a lock around it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.disk import appending
from lumpyard.store.segment import (
    RECORD_HEADER_SIZE,
    SEGMENT_HEADER_SIZE,
    Found,
    decode_segment_header,
    scan,
    segment_name,
    sequence_of,
)
from lumpyard.store.table import EMPTY, Row, Stamp, decode_table, encode_table, record_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.store.segment import Read

INDEX_NAME = (
    "index-1"  # the number is the index's version: two versions of lumpyard do not fight over one file
)
MAX_READERS = 64  # segments kept open; far below the 256 files that some systems allow
WORTH_WRITING = (
    64  # records that the index file lacks before it is written again; a scan of fewer costs less than that
)


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
        self.mark: bytes | None = None  # None: not read yet, or not a segment
        self.end = 0  # of the last record found
        self.size = 0  # of the file when it was last looked at


class Catalog:
    """The records of a folder. Methods raise OSError when the folder cannot be read, UnsupportedError when it is newer."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.segments: dict[str, Segment] = {}  # those that are there, oldest first
        self.bad: set[tuple[str, int]] = set()  # (segment, offset) of records that were read and did not hold
        self._table = EMPTY
        self._table_names: list[str] = []
        self._recent: dict[bytes, list[Spot]] = {}  # what the table does not cover, oldest first
        self._recent_count = 0
        self._readers: OrderedDict[str, appending.Reader] = OrderedDict()
        self._stamp = -1

    def path(self, name: str) -> str:
        """Path of a file in the folder."""
        return f"{self.folder}/{name}"

    def find(self, kind: int, key: bytes) -> list[Spot]:
        """Where a record may be, newest first; those known to be bad are left out."""
        wanted = record_id(kind, key)
        spots = list(reversed(self._recent.get(wanted, ())))
        spots += (
            Spot(self._table_names[segment], offset, size)
            for segment, offset, size in self._table.find(wanted)
        )
        return [spot for spot in spots if spot.segment in self.segments and spot[:2] not in self.bad]

    def changed(self) -> bool:
        """Whether files came or went since the folder was last looked at; costs one stat."""
        return appending.folder_stamp(self.folder) != self._stamp

    def load(self) -> None:
        """Read the index file, then scan what it does not cover."""
        self._load_table()
        self.refresh()

    def refresh(self) -> None:
        """Look at the folder again: forget segments that are gone, scan those that are new or have grown."""
        self._stamp = appending.folder_stamp(self.folder)
        sizes = appending.regular_files(self.folder) if self._stamp else {}
        names = sorted(name for name in sizes if sequence_of(name) is not None)
        known, self.segments = self.segments, {}
        for name in names:
            self.segments[name] = known.get(name) or Segment(name)
        for name in names:
            self._catch_up(self.segments[name], sizes[name])

    def catch_up(self, name: str) -> None:
        """Scan one segment for what was appended since."""
        self._catch_up(self.segments[name], self.reader(name).size())

    def _catch_up(self, segment: Segment, size: int) -> None:
        if size == segment.size:
            return
        try:
            read = self.reader(segment.name).read
            if segment.mark is None:
                segment.mark = self._read_mark(segment.name, read)
                segment.end = SEGMENT_HEADER_SIZE
        except OSError:  # unlinked, or not ours to read: as if it were not there
            return
        segment.size = size
        if segment.mark is None:
            return
        for found in scan(read, segment.mark, segment.end, size):
            if isinstance(found, Found):
                self.add(segment, found.kind, found.key, found.offset, found.size)

    def _read_mark(self, name: str, read: Read) -> bytes | None:
        mark = decode_segment_header(read(0, SEGMENT_HEADER_SIZE), self.path(name))
        return mark if mark is not None and name == segment_name(sequence_of(name) or 0, mark) else None

    def add(self, segment: Segment, kind: int, key: bytes, offset: int, size: int) -> None:
        """Take in a record that was found or appended."""
        spot = Spot(segment.name, offset, size)
        self._recent.setdefault(record_id(kind, key), []).append(spot)
        self._recent_count += 1
        segment.end = spot.payload + size

    def reader(self, name: str) -> appending.Reader:
        """The open file of a segment; FileNotFoundError when it is gone."""
        reader = self._readers.get(name)
        if reader is None:
            reader = appending.Reader(self.path(name))
            self._readers[name] = reader
            if len(self._readers) > MAX_READERS:
                self._readers.popitem(last=False)[1].close()
        return reader

    def _load_table(self) -> None:
        try:
            reader = appending.Reader(self.path(INDEX_NAME))
            try:
                table = decode_table(reader.read(0, reader.size()))
            finally:
                reader.close()
            sizes = appending.regular_files(self.folder)
        except OSError:
            return
        if table is None or any(stamp.end > sizes.get(stamp.name, stamp.end) for stamp in table.segments):
            return  # of no use, or from before a segment was cut: scan
        self._table, self._table_names = table, [stamp.name for stamp in table.segments]
        for stamp in table.segments:
            segment = Segment(stamp.name)
            segment.mark, segment.end, segment.size = stamp.mark, stamp.end, stamp.end
            self.segments[stamp.name] = segment

    def worth_saving(self) -> bool:
        """Whether enough is known that the index file lacks, so that the next opening gains from writing it."""
        return self._recent_count >= max(WORTH_WRITING, self._table.rows // 16)

    def save(self) -> None:
        """Write the index file, whole or not at all."""
        listed = [segment for segment in self.segments.values() if segment.mark is not None]
        numbers = {segment.name: number for number, segment in enumerate(listed)}
        stamps = [
            Stamp(sequence_of(segment.name) or 0, segment.mark or b"", segment.end) for segment in listed
        ]
        rows = [
            Row(row_id, numbers[spot.segment], spot.offset, spot.size)
            for row_id, spot in self._all()
            if spot.segment in numbers and spot[:2] not in self.bad
        ]
        appending.replace_file(
            self.path(INDEX_NAME), encode_table(stamps, rows), appending.random_name().hex()
        )
        self._recent_count = 0

    def _all(self) -> Iterator[tuple[bytes, Spot]]:
        for row in self._table:
            yield row.id, Spot(self._table_names[row.segment], row.offset, row.size)
        for row_id, spots in self._recent.items():
            for spot in spots:
                yield row_id, spot

    def close(self) -> None:
        """Let go of all files; what is known stays."""
        while self._readers:
            self._readers.popitem()[1].close()
