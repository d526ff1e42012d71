"""What is in a store, and whether it holds: all segments looked through from their first byte, index or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.disk import appending
from lumpyard.hashing import digest_parts
from lumpyard.store.catalog import INDEX_NAME
from lumpyard.store.cooked import decode_cooked
from lumpyard.store.reading import holds, iter_payload
from lumpyard.store.segment import SEGMENT_HEADER_SIZE, Found, Gap, Kind, scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lumpyard.store.catalog import Catalog
    from lumpyard.store.segment import Read

KNOWN = frozenset(Kind)


class StoreInfo(NamedTuple):
    """What a store holds."""

    folder: str
    segments: int
    size: int  # bytes of all its files
    records: dict[str, int]  # how many of each kind, each counted once
    record_sizes: dict[str, int]  # bytes of their payloads
    dead_size: int  # bytes of segments that no look-up leads to: torn, damaged, repeated


class Survey(NamedTuple):
    """One segment, looked through; payloads are not checked."""

    name: str
    size: int  # of the file
    sound: bool  # whether its header holds; if not, nothing else was looked at
    records: list[Found]
    gaps: list[Gap]


def survey(catalog: Catalog) -> Iterator[Survey]:
    """Each segment, oldest first; OSError when one cannot be read."""
    for name, segment in list(catalog.segments.items()):
        try:
            reader = catalog.reader(name)
        except FileNotFoundError:
            continue
        size = reader.size()
        items = (
            list(scan(reader.read, segment.mark, SEGMENT_HEADER_SIZE, size))
            if segment.mark is not None
            else []
        )
        found = [item for item in items if isinstance(item, Found)]
        yield Survey(
            name, size, segment.mark is not None, found, [item for item in items if isinstance(item, Gap)]
        )


def live(surveys: Iterable[Survey]) -> dict[tuple[object, ...], tuple[str, Found]]:
    """The records that look-ups lead to, with their segments: of those that say the same, the youngest."""
    return {
        identity(found): (survey.name, found)
        for survey in surveys
        for found in survey.records
        if found.kind in KNOWN
    }


def identity(found: Found) -> tuple[object, ...]:
    """What makes two records say the same; of one cook request there may be several sets of answers."""
    return (found.kind, found.key, found.digest if found.kind == Kind.COOKED else b"")


def inform(catalog: Catalog) -> StoreInfo:
    """What a store holds."""
    surveys = list(survey(catalog))
    records = dict.fromkeys((kind.name.lower() for kind in Kind), 0)
    sizes = dict(records)
    used = 0
    for _, found in live(surveys).values():
        kind = Kind(found.kind).name.lower()
        records[kind] += 1
        sizes[kind] += found.size
        used += found.end - found.offset
    heads = SEGMENT_HEADER_SIZE * sum(item.sound for item in surveys)
    in_segments = sum(item.size for item in surveys)
    return StoreInfo(
        catalog.folder,
        len(surveys),
        in_segments + index_size(catalog),
        records,
        sizes,
        in_segments - heads - used,
    )


def index_size(catalog: Catalog) -> int:
    """Bytes of the index file; 0 when there is none."""
    try:
        return appending.regular_files(catalog.folder).get(INDEX_NAME, 0)
    except OSError:
        return 0


def verify(catalog: Catalog) -> list[str]:
    """What is wrong, a line each, after reading every record; those that do not hold are marked as bad."""
    problems = []
    for item in survey(catalog):
        path = catalog.path(item.name)
        if not item.sound:
            problems.append(
                f"{path}: is named like a segment of the store and is none; nothing in it is used"
            )
            continue
        read = catalog.reader(item.name).read
        for found in item.records:
            if not _is_sound(read, found):
                catalog.bad.add((item.name, found.offset))
                problems.append(
                    f"{path}: the {_kind(found)} record {found.key.hex()} at byte {found.offset} is damaged"
                )
        for gap in item.gaps:
            what = "the last record is incomplete" if gap.torn else "these bytes are no record"
            problems.append(f"{path}: bytes {gap.offset} to {gap.end}: {what}; they are not used")
    return problems


def _is_sound(read: Read, found: Found) -> bool:
    """Whether a record's payload is what was put, and, where it has a form of its own, in that form."""
    if not holds(found, digest_parts(iter_payload(read, found))):
        return False
    return found.kind != Kind.COOKED or decode_cooked(b"".join(iter_payload(read, found))) is not None


def _kind(found: Found) -> str:
    return Kind(found.kind).name if found.kind in KNOWN else f"kind-{found.kind}"
