"""What is converted where it comes from a folder: the files, and the sidecar that `extract` left beside them."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from lumpyard.archives.ewad.layout import head_size, place
from lumpyard.archives.model import Finding
from lumpyard.convert.model import DATA, LOOSE, Record, Source, SourceLump
from lumpyard.convert.ordering import as_recorded
from lumpyard.convert.record import decode_record, encode_record
from lumpyard.convert.writing import DEFAULT_ALIGNMENT
from lumpyard.disk import Stat, open_map, read_if_there, real_path, scan_folder, stat_file
from lumpyard.disk.scan import STAT
from lumpyard.disk.temporaries import is_temporary
from lumpyard.errors import DiskError
from lumpyard.extract import unescape_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

# No lump's file can have this name: `escape_part` makes `%` only of what is then two upper-case hex digits.
SIDECAR = "%lumpyard.json"


def folder_source(folder: str, *, without: str = "") -> Source:
    """The files below a folder, as the sidecar says they were, else sorted by name.

    The file `without` is none of them. DiskError where there is no such folder, MalformedError where the sidecar is
    broken. What is no file is left out, and said.
    """
    files, findings = _walk(folder, without)
    lumps = tuple(SourceLump(repr(path), _name(path), path, size) for path, size in files)

    def read(index: int) -> Buffer:
        with open_map(f"{folder}/{files[index][0]}") as mapping:
            return memoryview(
                mapping.data
            )  # it keeps the map, and what was read last goes when the next is read

    source = Source(LOOSE, b"", lumps, read, findings=tuple(findings))
    sidecar = read_if_there(f"{folder}/{SIDECAR}")
    if sidecar is not None:
        record = decode_record(sidecar, f"{folder}/{SIDECAR}")
        found = as_recorded(source, record)
        layout = record.layout
        if record.format == "EWAD" and layout is not None:
            found = found._replace(alignment=layout.alignment, seed=layout.seed)
        return found
    return _by_name(source)


def sidecar(source: Source, paths: Sequence[str]) -> tuple[str, bytes] | None:
    """Name and bytes of the sidecar of an archive whose lumps went to files at these paths.

    None where nothing would be lost without it: an EWAD as `pack` writes it by default.
    """
    if _is_plain(source):
        return None
    lumps = tuple(
        lump._replace(file=None if path == lump.path else path)
        for lump, path in zip(source.lumps, paths, strict=True)
    )
    return SIDECAR, encode_record(Record(source.format, source.signature, source.layout, lumps))


def _is_plain(source: Source) -> bool:
    """Whether an EWAD says nothing that names and bytes do not say."""
    layout = source.layout
    if source.format != "EWAD" or layout is None or layout.outside == DATA or not source.lumps:
        return False  # an empty folder says nothing at all
    if (layout.alignment, layout.seed, layout.stripped) != (DEFAULT_ALIGNMENT, 0, False):
        return False
    places = [lump.recorded for lump in source.lumps if lump.recorded is not None]
    offsets, end = place(
        [found.stored_size for found in places],
        repeat(DEFAULT_ALIGNMENT),
        head_size([lump.name or b"" for lump in source.lumps], named=True),
    )
    return (
        not any(lump.fourcc or lump.schema for lump in source.lumps)
        and not any(found.compressed for found in places)
        and [found.offset for found in places] == offsets
        and layout.size == end
    )


def _walk(folder: str, without: str) -> tuple[list[tuple[str, int]], list[Finding]]:
    """All files below a folder with their sizes, sorted by path, but one; and what is not a file."""
    left_out = stat_file(without) if without else None
    files: list[tuple[str, int]] = []
    findings: list[Finding] = []
    waiting = [""]
    while waiting:
        below = waiting.pop()
        scan = scan_folder(f"{folder}/{below}" if below else folder, folder)
        if scan is None:
            if not below:
                raise DiskError(f"cannot list {folder}: there is no such folder")
            continue
        for name, fields in zip(scan.names, STAT.iter_unpack(scan.stats), strict=True):
            path, stat = below + name, Stat._make(fields)
            if path == SIDECAR or is_temporary(name.encode("utf-8", "surrogateescape")):
                continue
            if stat != left_out or real_path(f"{folder}/{path}") != real_path(without):
                files.append((path, stat.size))
        for name, what in scan.odd:
            findings.append(Finding("odd", f"{below + name!r} is {what}; it is left out", None, "ok"))
        waiting += [f"{below}{name}/" for name in scan.folders]
    return sorted(files), findings


def _by_name(source: Source) -> Source:
    """Loose files under the names that they would have been extracted from, in the order of these."""
    order = sorted(range(len(source.lumps)), key=lambda index: source.lumps[index].name or b"")
    read = source.read
    lumps = tuple(
        source.lumps[index]._replace(
            path=(source.lumps[index].name or b"").decode("utf-8", "surrogateescape")
        )
        for index in order
    )
    return source._replace(lumps=lumps, read=lambda index: read(order[index]))


def _name(path: str) -> bytes:
    """The name of the lump that a file would have been extracted from."""
    return "/".join(map(unescape_part, path.split("/"))).encode("utf-8", "surrogateescape")
