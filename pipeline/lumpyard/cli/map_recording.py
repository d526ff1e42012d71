"""`lumpyard map --record`: the fingerprints of maps as they are, in a file beside the archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.map_file import other_file
from lumpyard.console.escape import escape_name
from lumpyard.console.sizes import count_text
from lumpyard.disk import read_if_there, write_file
from lumpyard.errors import UsageError
from lumpyard.maps.model import DOOM, HEXEN, UDMF
from lumpyard.maps.recording import beside, name_of, parse, record, render

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from lumpyard.cli.map_file import MapInput
    from lumpyard.cli.output import Streams
    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.recording import Records

_LARGEST = 16 * 1024 * 1024  # bytes of a file of fingerprints; a map has 140


def record_maps(file: MapInput, args: argparse.Namespace, io: Streams) -> int:
    """Write the file of fingerprints: of the maps that were asked for, beside those that are in it, or of all maps."""
    if file.file.archive is None:
        raise UsageError(f"--record is for archives; {file.path} is a text, in which nothing is built")
    path = beside(file.path)
    if path == file.path:
        raise UsageError(f"{file.path} is called as its own file of fingerprints would be")
    levels = [found.level for found in file.maps if found.level.format in {DOOM, HEXEN, UDMF}]
    records = (read_records(file.path) or {}) if args.maps else {}
    for level in levels:
        records.pop(name_of(level), None)
    for level in levels:
        records.setdefault(name_of(level), []).append(record(level))
        for message in _doubts(level):
            io.err.warning(f"{file.path}: {escape_name(level.name)}: {message}")
    write_file(path, render(records).encode())
    if args.findings == "json":
        io.out.json([{"map": level.name, **record(level)._asdict()} for level in levels])
    else:
        io.out.line(f"{path}: {count_text(len(levels), 'map')} recorded")
    return 0


def read_records(path: str) -> Records | None:
    """The records of the archive at a path; None where no file has any. OtherFileError where it is broken."""
    data = read_if_there(beside(path), _LARGEST)
    if data is None:
        return None
    with other_file(beside(path)):
        return parse(data)


def _doubts(level: DoomMap) -> Iterator[str]:
    """What is recorded as right and may not be."""
    from lumpyard.maps.fitting import nodes_fit  # noqa: PLC0415 - not for checks
    from lumpyard.maps.reject_check import hidden_neighbours  # noqa: PLC0415

    if level.nodes != "none" and not nodes_fit(level):
        yield "its nodes do not fit it; they are built anew, whatever is recorded"
    hidden = hidden_neighbours(level)
    if hidden.pairs:
        yield (
            f"REJECT hides {count_text(hidden.pairs, 'pair')} of sectors that share an open line, such as "
            f"line {hidden.line}; that is kept from now on"
        )
