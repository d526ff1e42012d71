"""An archive read and written anew with Lumpyard, lump by lump, and what must be the same in both."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.opening import open_archive
from lumpyard.archives.writing import WRITERS, NewLump, encode_archive

if TYPE_CHECKING:
    from lumpyard.archives.model import Archive


class Content(NamedTuple):
    """What a rewritten archive keeps of the old one: all but where the lumps stand."""

    format: str
    entries: list[
        tuple[bytes | None, bytes, int, int | None]
    ]  # name and what follows it, stored, raw size, kind


def content(archive: Archive) -> Content:
    """What to compare."""
    return Content(
        archive.format,
        [
            (lump.raw_name or lump.name, bytes(archive.stored(index)), lump.raw_size, lump.kind)
            for index, lump in enumerate(archive.lumps)
        ],
    )


def rewritten(archive: Archive) -> bytes | None:
    """A new archive of the same format and lumps, back to back, in the same order.

    None where the writer refuses them: their reader takes more than may be written.
    """
    writer = WRITERS[archive.format]
    lumps = []
    for lump in archive.lumps:
        name = lump.raw_name or lump.name
        assert name is not None
        compressed = bool(lump.flags)
        lumps.append(NewLump(name, lump.stored_size, lump.raw_size, compressed, lump.kind or 0))
    if any(finding.verdict != "ok" for finding in writer.check(lumps)):
        return None
    return encode_archive(writer, lumps, [archive.stored(index) for index in range(len(lumps))])


def rewritten_file(data: bytes, *, lenient: bool = False) -> bytes:
    """A file read and written anew, and compared with what was read."""
    archive = open_archive(data, lenient=lenient)
    new = rewritten(archive)
    assert new is not None
    assert content(open_archive(new)) == content(archive)
    return new
