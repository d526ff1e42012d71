"""The one segment that this process appends to.

Among the youngest segments, one that another process left whole and with room is gone on with, so that a thousand
builds leave a few files and not a thousand. Where they are in use, a new one of the same age is made; where they are
full, a younger one. One that was left torn is never appended to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.disk import appending
from lumpyard.errors import DiskError
from lumpyard.hashing import digest
from lumpyard.store.catalog import Segment
from lumpyard.store.records import RECORD_HEADER_SIZE, SEGMENT_HEADER_SIZE
from lumpyard.store.segment import encode_record_header, encode_segment_header, segment_name, sequence_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from lumpyard.store.catalog import Catalog
    from lumpyard.store.records import Kind

# Bytes after which a new segment is begun: `trim` rewrites whole segments, and needs the room of one.
SEGMENT_LIMIT = 256 * 1024 * 1024


class Record(NamedTuple):
    """What is appended; the payload's digest is for those who know it."""

    kind: Kind
    key: bytes
    payload: Buffer
    payload_digest: bytes | None = None


class Writer:
    """Appends records. Methods raise DiskError, and whoever sees one closes the writer."""

    def __init__(self, catalog: Catalog, youngest: int = 1) -> None:
        """Writes to a segment whose age is `youngest`, or younger."""
        self._catalog = catalog
        self._segment, self._appender = _take(catalog, youngest)
        self._unnamed = not self._appender.size  # whether the file's name may not be durable yet
        self._unsynced = False

    @property
    def age(self) -> int:
        """Sequence number of the segment."""
        return sequence_of(self._segment.name) or 0

    @property
    def is_full(self) -> bool:
        """Whether the next record belongs into another segment."""
        return self._appender.size >= SEGMENT_LIMIT

    def append(self, records: Sequence[Record]) -> None:
        """Write records and list them in the catalog; all of them or, with a DiskError, none."""
        segment, start = self._segment, self._appender.size
        pieces: list[Buffer] = [] if start else [encode_segment_header(segment.mark)]
        sizes = [memoryview(record.payload).nbytes for record in records]
        for (kind, key, payload, payload_digest), size in zip(records, sizes, strict=True):
            found = payload_digest or digest(payload)
            pieces += (encode_record_header(segment.mark, kind, key, size, found), payload)
        self._unsynced = True
        try:
            self._appender.append(pieces)
        except DiskError:
            self._appender.cut(start)  # what stands there is no record, and may be large
            raise
        segment.size = self._appender.size
        offset = start or SEGMENT_HEADER_SIZE
        for record, size in zip(records, sizes, strict=True):
            self._catalog.add(segment, record.kind, record.key, offset, size)
            offset += RECORD_HEADER_SIZE + size

    def sync(self) -> None:
        """Make all that was appended durable, and the file's name with it."""
        if self._unsynced:
            self._appender.sync()
            if self._unnamed:
                appending.sync_names(self._catalog.folder)
            self._unsynced = self._unnamed = False

    def close(self) -> None:
        """Leave the segment to others."""
        self._appender.close()


def create_segment(catalog: Catalog, sequence: int) -> tuple[Segment, appending.Appender]:
    """A new, empty segment of this age, listed in the catalog. DiskError where none can be made."""
    while True:
        mark = appending.random_mark()
        segment = Segment(segment_name(sequence, mark))
        appender = appending.create_appender(catalog.path(segment.name))
        if appender is not None:
            segment.mark, segment.end = mark, SEGMENT_HEADER_SIZE
            catalog.segments[segment.name] = segment
            return segment, appender


def _take(catalog: Catalog, youngest: int) -> tuple[Segment, appending.Appender]:
    """A segment to write to: one that was left, or a new one."""
    appending.make_durable_folder(catalog.folder)
    youngest = max([youngest, *(sequence_of(name) or 0 for name in catalog.segments)])
    of_age = [segment for name, segment in catalog.segments.items() if sequence_of(name) == youngest]
    for segment in of_age:
        if segment.mark and segment.end == segment.size < SEGMENT_LIMIT:
            appender = appending.reopen_appender(catalog.path(segment.name))
            if appender is not None:
                catalog.catch_up(segment, appender.size)
                if segment.end == segment.size == appender.size and catalog.is_sound(segment):
                    return segment, appender
                appender.close()
    full = bool(of_age) and all(segment.size >= SEGMENT_LIMIT for segment in of_age)
    return create_segment(catalog, youngest + full)
