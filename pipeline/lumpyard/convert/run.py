"""A planned conversion carried out: written beside its place, read back, and only then named."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import Finding
from lumpyard.convert.checking import check_written, read_as
from lumpyard.convert.mapping import render_map
from lumpyard.convert.survey import pieces
from lumpyard.convert.writing import Misfit, write_archive
from lumpyard.disk import NewFile, write_file
from lumpyard.errors import DiskError
from lumpyard.hashing import digest_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.convert.model import Layout, Plan
    from lumpyard.convert.writing import Written

_SHARED_SIGNATURE = frozenset({"PACK", "PAK", "DAIKATANA"})


class Result(NamedTuple):
    """What became of a conversion."""

    size: int  # bytes of the file
    lumps: int
    exact: bool | None  # whether it is the original archive byte for byte; None where there is no original
    warnings: tuple[Finding, ...]  # what only writing could tell


def carry_out(plan: Plan, path: str, map_path: str = "", done: Callable[[int], None] | None = None) -> Result:
    """Write the archive; the old file or the new one is at the path at any time.

    A plan with errors is not to be carried out. `map_path` gets the names that changed; `done` is told the raw bytes
    of each lump that was written. DiskError where the disk refuses or gives other bytes back than were written,
    ArchiveError where a lump of the source does not decode.
    """
    assert not plan.errors, "who carries it out has looked"
    with NewFile(path) as file:
        written, laid_out = _write(file, plan, path, done)
        with file.map() as mapping:
            size, exact = len(mapping.data), _is_exact(plan, mapping.data)
            warnings = _warnings(plan, mapping.data, laid_out=laid_out)
        if map_path and plan.renamed:
            write_file(map_path, render_map(plan.renamed))
        file.commit(durable=True)
    return Result(size, len(written), exact, tuple(warnings))


def _write(
    file: NewFile, plan: Plan, path: str, done: Callable[[int], None] | None
) -> tuple[list[Written], bool]:
    """Write and read back; where the original's layout does not hold the lumps, lay them out anew."""
    layouts: list[Layout | None] = [plan.layout, None] if plan.layout is not None else [None]
    wrong = ""
    for layout in layouts:
        file.truncate(0)
        try:
            written = write_archive(file, plan, layout, done)
        except Misfit:
            continue
        with file.map() as mapping:
            wrong = check_written(mapping.data, plan.format, written)
        if not wrong:
            return written, layout is not None
    raise DiskError(f"cannot write {path}: read back, {wrong}")


def _is_exact(plan: Plan, data: memoryview | bytes) -> bool | None:
    """Whether it is the original's bytes; None where there is no original of this format."""
    original = plan.source.layout
    if original is None or plan.source.format != plan.format:
        return None
    return digest_parts(pieces(memoryview(data))).hex() == original.digest


def _warnings(plan: Plan, data: memoryview | bytes, *, laid_out: bool) -> list[Finding]:
    warnings = []
    if plan.layout is not None and not laid_out:
        message = "some lumps are stored in other sizes than they were (edited, or by another encoder): laid out anew"
        warnings.append(Finding("layout", message, None, "ok"))
    if plan.format in _SHARED_SIGNATURE and (found := read_as(data)) != plan.format:
        said = f"as {found}" if found in _SHARED_SIGNATURE else f"not at all ({found})"
        message = f"without --format {plan.format} it is read {said}"
        warnings.append(Finding("ambiguous", message, None, "ok"))
    return warnings
