"""What each lump of an archive accounts for, as built and as last released: what budgets and reports go by."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import disk
from lumpyard.archives.structure import regions_written, share_out
from lumpyard.build.earlier.record import load_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.archives.structure import Shares
    from lumpyard.build.earlier.record import Record, Rows
    from lumpyard.build.project import Project
    from lumpyard.ledger import Ledger


class Measured(NamedTuple):
    """Lumps of an archive, in directory order."""

    size: int  # of the file
    names: Sequence[str]
    sets: Sequence[str]
    fourccs: Sequence[int]
    own: Sequence[int]  # bytes of the file that each lump accounts for


def measure_rows(format_name: str, alignment: int, size: int, rows: Rows) -> Measured:
    """An archive that was written, from its record."""
    shares = shares_of_rows(format_name, alignment, size, rows)
    return Measured(size, rows.names, rows.column("set_id"), rows.column("fourcc"), shares.own)


def shares_of_rows(format_name: str, alignment: int, size: int, rows: Rows) -> Shares:
    """Whose the bytes of an archive are that was written."""
    names = [name.encode("utf-8", "surrogateescape") for name in rows.names]
    columns = rows.column("offset"), rows.column("stored_size")
    return share_out(size, regions_written(format_name, names, *columns, alignment)[1], *columns)


def measure_ledger(ledger: Ledger, size: int) -> Measured:
    """An archive of `size` bytes, from its ledger."""
    lumps = ledger.lumps
    names = [lump.name.encode("utf-8", "surrogateescape") for lump in lumps]
    columns = [lump.offset for lump in lumps], [lump.stored_size for lump in lumps]
    header = ledger.header
    alignment = header.get("alignment", "")
    step = int(alignment) if alignment.isascii() and alignment.isdigit() and len(alignment) < 20 else 1
    named = header.get("names") == "kept"
    _, regions = regions_written(header.get("format", "EWAD"), names, *columns, max(step, 1), named=named)
    shares = share_out(size, regions, *columns)
    fourccs = [lump.fourcc for lump in lumps]
    return Measured(size, [lump.name for lump in lumps], [lump.set for lump in lumps], fourccs, shares.own)


def find_built(project: Project, archive_id: str) -> Record | None:
    """The record of an archive in dist/, else of that in build/, where the file is still the one that was built."""
    for profile in ("ship", "pack"):
        record = load_record(project.record_path(archive_id, profile))
        if record is not None and record.path == project.output(archive_id, profile):
            stat = disk.stat_file(project.real(record.path))
            if stat is not None and stat.size == record.stat[0]:
                return record
    return None
