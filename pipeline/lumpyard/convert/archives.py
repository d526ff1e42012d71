"""What is converted where it comes from an archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.model import Finding
from lumpyard.convert.model import ORIGIN_NAME, Source, SourceLump, Stored
from lumpyard.convert.ordering import as_recorded
from lumpyard.convert.record import decode_record
from lumpyard.convert.survey import layout_of, recorded
from lumpyard.extract import fill_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.archives.model import Archive


def archive_source(
    archive: Archive, data: memoryview, paths: Sequence[str | None], *, places: bool = True
) -> Source:
    """The lumps of an archive, in the order of its directory.

    `data` is the whole file; `paths` name the lumps as `naming.entry_paths` does, or symbols. With `places` it is
    read through, for where everything stands.
    """
    called = list(paths)
    if archive.format != "EWAD":  # which can keep lumps by their keys
        called[:] = fill_paths(paths, [lump.key for lump in archive.lumps])
    lumps = tuple(
        _lump(archive, index, path, named=paths[index] is not None, places=places)
        for index, path in enumerate(called)
    )
    return Source(
        archive.format,
        bytes(data[:4]),
        lumps,
        archive.read,
        layout_of(archive, data) if places else None,
        (lambda index: Stored(archive.stored(index), bool(archive.lumps[index].flags)))
        if archive.format == "EWAD"
        else None,
        alignment=archive.alignment or 0 if archive.format == "EWAD" else 0,
        seed=archive.seed or 0 if archive.format == "EWAD" else 0,
    )


def _lump(archive: Archive, index: int, path: str | None, *, named: bool, places: bool) -> SourceLump:
    lump = archive.lumps[index]
    stored = lump.raw_name if lump.raw_name is not None else lump.name
    return SourceLump(
        archive.label(index),
        stored if named else None,
        path,
        lump.raw_size,
        lump.kind,
        lump.fourcc or 0,
        lump.schema or 0,
        lump.key,
        recorded(archive, index) if places else None,
    )


def original_source(source: Source) -> Source:
    """An EWAD's lumps as the archive had them that it was made of, where its origin lump says so.

    MalformedError where that lump is broken.
    """
    at = next((index for index, lump in enumerate(source.lumps) if lump.path == ORIGIN_NAME), None)
    if at is None:
        by_name = sorted(range(len(source.lumps)), key=lambda index: source.lumps[index].name or b"")
        note = Finding(
            "order", "an EWAD keeps no order; its lumps are written in the order of their names", None, "ok"
        )
        return _picked(source, by_name)._replace(findings=(*source.findings, note))
    record = decode_record(memoryview(source.read(at)), source.lumps[at].label)
    rest = [index for index in range(len(source.lumps)) if index != at]
    return as_recorded(_picked(source, rest), record)


def _picked(source: Source, indices: Sequence[int]) -> Source:
    """Some lumps of a source, in another order."""
    read, stored = source.read, source.stored
    return source._replace(
        lumps=tuple(source.lumps[index] for index in indices),
        read=lambda index: read(indices[index]),
        stored=None if stored is None else lambda index: stored(indices[index]),
    )
