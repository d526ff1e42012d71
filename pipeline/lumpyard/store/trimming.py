"""Making a store smaller, so that a kill at any moment loses nothing that is to stay.

Segments are never changed. What stays of one is copied to a new segment of the same age, which is made durable; only
then is the old one unlinked. Killed in between, both are there, and say the same. Whoever holds a segment's lock may
append to it or unlink it, and nobody else, so what other processes are writing is left alone. Readers need no lock:
an open file stays readable, and who finds a segment gone looks at the folder again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import disk
from lumpyard.disk import appending
from lumpyard.disk.locking import project_lock
from lumpyard.hashing import digest_parts
from lumpyard.store.reading import holds, iter_payload
from lumpyard.store.records import SEGMENT_HEADER_SIZE, Kind
from lumpyard.store.segment import encode_segment_header, rebind_record_header, sequence_of
from lumpyard.store.survey import index_size, live, survey
from lumpyard.store.writer import create_segment

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from lumpyard.disk.appending import Appender
    from lumpyard.store.catalog import Catalog
    from lumpyard.store.segment import Found, Read
    from lumpyard.store.survey import Survey

LOCK_NAME = "trim.lock"
# Bytes of the index file that each record and each segment accounts for, and what it has besides; rounded up.
ROW_COST = 54
STAMP_COST = 20
INDEX_COST = 72


class TrimResult(NamedTuple):
    """What a trim did."""

    size_before: int  # bytes of segments and index
    size_after: int
    dropped: int  # records
    kept: int  # records
    busy: int  # segments that were left alone, since other processes are writing them


def trim(
    catalog: Catalog, max_size: int, keep: Callable[[Kind, bytes], bool], on_wait: Callable[[str], None]
) -> TrimResult:
    """Drop dead bytes, then records until the store fits: first what `keep` does not want, the oldest first."""
    if not appending.folder_stamp(catalog.folder):
        return TrimResult(0, 0, 0, 0, 0)
    with project_lock(catalog.path(LOCK_NAME), "lumpyard store trim", wait=True, on_wait=on_wait):
        catalog.refresh()
        before = _size(catalog)
        owned = _own(catalog)
        try:
            surveys = survey(catalog)  # after locking: nothing is appended to what is ours from here on
            records = live(catalog, surveys)
            staying = _choose(surveys, owned, records, max_size, keep)
            for appender in owned.values():  # so that no copy goes before the one that stays is durable
                appender.sync()
            for item in surveys:
                if item.name in owned:
                    _replace(catalog, item, staying)
        finally:
            for appender in owned.values():
                appender.close()
        catalog.refresh()
        catalog.save()
        busy = len(surveys) - len(owned)
        return TrimResult(before, _size(catalog), len(records) - len(staying), len(staying), busy)


def _size(catalog: Catalog) -> int:
    return sum(segment.size for segment in catalog.segments.values()) + index_size(catalog)


def _own(catalog: Catalog) -> dict[str, Appender]:
    """Segments that nobody is writing, now locked by us."""
    tried = ((name, appending.reopen_appender(catalog.path(name))) for name in catalog.segments)
    return {name: appender for name, appender in tried if appender is not None}


def _choose(
    surveys: Iterable[Survey],
    owned: Collection[str],
    records: Sequence[tuple[str, Found]],
    max_size: int,
    keep: Callable[[Kind, bytes], bool],
) -> set[tuple[str, int]]:
    """(segment, offset) of each record that stays."""
    staying = {(name, found.offset) for name, found in records}
    free = [(name, found) for name, found in records if name in owned]
    size = INDEX_COST + sum(_cost(found) for _, found in free)
    for item in surveys:
        used = SEGMENT_HEADER_SIZE if item.name in owned else item.size + len(item.records) * ROW_COST
        size += used + STAMP_COST
    order = sorted((keep(Kind(found.kind), found.key), name, found.offset, found) for name, found in free)
    for _, name, offset, found in order:
        if size <= max_size:
            break
        staying.remove((name, offset))
        size -= _cost(found)
    return staying


def _cost(found: Found) -> int:
    return found.end - found.offset + ROW_COST


def _replace(catalog: Catalog, item: Survey, staying: Collection[tuple[str, int]]) -> None:
    """Put a new segment in place of one that holds more than what stays."""
    records = [found for found in item.records if (item.name, found.offset) in staying]
    if records and len(records) == len(item.records) and not item.gaps:
        return
    if records:
        _copy(catalog, item.name, records)
    disk.remove_file(catalog.path(item.name))


def _copy(catalog: Catalog, name: str, records: Iterable[Found]) -> None:
    """Copy records to a new segment of the same age, durably; those that turn out damaged are left out."""
    read = catalog.open(name).read_at
    segment, appender = create_segment(catalog, sequence_of(name) or 0)
    try:
        appender.append([encode_segment_header(segment.mark)])
        for found in records:
            start = appender.size
            appender.append([rebind_record_header(segment.mark, found)])
            if not holds(found, digest_parts(_copied(read, found, appender))):
                appender.cut(start)
        appender.sync()
        appending.sync_names(catalog.folder)
    finally:
        appender.close()


def _copied(read: Read, found: Found, appender: Appender) -> Iterator[bytes]:
    """The pieces of a payload, each appended."""
    for piece in iter_payload(read, found):
        appender.append([piece])
        yield piece
