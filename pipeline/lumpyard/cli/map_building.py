"""`lumpyard map --build`: a WAD whose maps have nodes, BLOCKMAP and REJECT made anew; all else stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.opening import open_archive
from lumpyard.archives.writing import WRITERS, NewLump, encode_archive
from lumpyard.cli.map_checking import ignores_of
from lumpyard.cli.map_recording import read_records
from lumpyard.console.escape import escape_name
from lumpyard.console.map_findings import finding_text
from lumpyard.console.sizes import count_text, size_text
from lumpyard.disk import write_file
from lumpyard.errors import ArchiveError, UnsupportedError, UsageError
from lumpyard.maps.building import BuildOptions, build_map, judged
from lumpyard.maps.checks.ignoring import Ignoring
from lumpyard.maps.checks.recorded import recorded_findings
from lumpyard.maps.model import UDMF
from lumpyard.maps.recording import CHANGED, RENUMBERED, judge

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.archives.model import Archive
    from lumpyard.cli.map_file import MapInput
    from lumpyard.cli.output import Streams
    from lumpyard.maps.building import Built
    from lumpyard.maps.finding import MapPlace
    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.opening import Found
    from lumpyard.maps.problems import MapFinding
    from lumpyard.maps.recording import Records

_FORMATS = frozenset({"IWAD", "PWAD"})


class _Entry(NamedTuple):
    name: bytes
    data: bytes | memoryview


def build_maps(file: MapInput, args: argparse.Namespace, io: Streams) -> int:
    """Build the maps that were asked for and write the WAD, whole or not at all; 4 where one cannot be built."""
    archive = file.file.archive
    if archive is None or archive.format not in _FORMATS:
        what = "a text" if archive is None else archive.format
        raise UsageError(f"--build is for IWAD and PWAD; {file.path} is {what}")
    options = build_options(args, read_records(file.path))
    ignoring = Ignoring(ignores_of(args))
    made: dict[int, tuple[MapPlace, Built]] = {}
    refused = False
    for found in file.maps:
        built = _build(found, options, ignoring, file.path, io)
        if built is None or found.place is None:
            refused = True
        else:
            made[found.place.marker] = (found.place, built)
    if refused:
        io.err.error(f"{args.out}: nothing is written")
        return UnsupportedError.exit_status
    for place, _ in made.values():
        _tell_dropped(place, file.path, io)
    data = encode(archive, made)
    open_archive(data)  # what was written can be read
    write_file(args.out, data)
    _tell(file, made, args, len(data), io)
    return 0


def build_options(args: argparse.Namespace, records: Records | None) -> BuildOptions:
    """What the command line says of building."""
    nodes = args.nodes or "build"
    blockmap = "keep" if nodes == "keep" else "build"
    return BuildOptions(nodes, args.extended or "never", blockmap, args.reject or "keep", records)


def _build(found: Found, options: BuildOptions, ignoring: Ignoring, path: str, io: Streams) -> Built | None:
    """The lumps of one map; None after the errors that say why there are none."""
    level = found.level
    wanted = options._replace(nodes="keep") if level.format == UDMF and options.nodes == "build" else options
    if wanted is not options:
        io.err.warning(f"{path}: {level.name}: UDMF's nodes are not built here; those that are there stay")
    try:
        built = build_map(level, wanted)
    except ArchiveError as error:
        io.err.error(f"{path}: {level.name}: {error}")
        return None
    findings = _findings(level, options, built)
    for finding in ignoring.left(findings, level.name, built=True):
        io.err.warning(f"{path}: {level.name}: {finding_text(finding)}")
    for problem in built.problems:
        io.err.error(f"{path}: {level.name}: {problem.message} [{problem.id}]")
    return None if built.problems else built


def _findings(level: DoomMap, options: BuildOptions, built: Built) -> Iterator[MapFinding]:
    """What someone should know of what was kept, or was not."""
    if options.records is not None and judged(level, options) in {CHANGED, RENUMBERED}:
        yield from recorded_findings(judge(level, options.records))
    yield from built.warnings


def _tell_dropped(place: MapPlace, path: str, io: Streams) -> None:
    """Warn of each lump that the map has twice: the first of a name is written, as it is the first that is read."""
    seen = {*place.lumps, *place.gl}
    twice = list(place.repeated)
    for name, entry in place.foreign:
        if name in seen:
            twice.append((name, entry))
        seen.add(name)
    for name, entry in sorted(twice, key=lambda lump: lump[1]):
        what = f"entry {entry} is {escape_name(name)} once more"
        io.err.warning(f"{path}: {escape_name(place.name)}: {what}; only the first of them is written")


def encode(archive: Archive, made: Mapping[int, tuple[MapPlace, Built]]) -> bytes:
    """The archive with other lumps in the place of those of some maps, by their markers' entries."""
    entries: list[_Entry] = []
    replaced: set[int] = set()
    for entry, lump in enumerate(archive.lumps):
        if entry in replaced:
            continue
        entries.append(_Entry(lump.raw_name or lump.name or b"", archive.read(entry)))
        if entry in made:
            place, built = made[entry]
            replaced.update(_entries_of(place))
            names = {name: archive.lumps[at].name or b"" for name, at in {**place.lumps, **place.gl}.items()}
            entries += [
                _Entry(names.get(name) or name.encode("utf-8", "surrogateescape"), data)
                for name, data in built.lumps.items()
            ]
    writer = WRITERS[archive.format]
    lumps = [NewLump(each.name, len(each.data), len(each.data)) for each in entries]
    for problem in writer.check(lumps):
        if problem.verdict != "ok":
            raise UnsupportedError(problem.message, problem.code, problem.entry)
    return encode_archive(writer, lumps, [each.data for each in entries])


def _entries_of(place: MapPlace) -> Sequence[int]:
    """The entries that a map's lumps are, without its marker's."""
    others = [entry for _, entry in (*place.repeated, *place.foreign)]
    gl = [] if place.gl_marker is None else [place.gl_marker, *place.gl.values()]
    return [*place.lumps.values(), *others, *gl]


def _tell(
    file: MapInput,
    made: Mapping[int, tuple[MapPlace, Built]],
    args: argparse.Namespace,
    size: int,
    io: Streams,
) -> None:
    if args.findings == "json":
        io.out.json(
            [
                {"map": place.name, "nodes": built.nodes, "blockmap": built.blockmap, "reject": built.reject}
                for place, built in made.values()
            ]
        )
        return
    for place, built in made.values():
        name = escape_name(place.name)
        io.out.line(f"{name}: nodes {built.nodes}, BLOCKMAP {built.blockmap}, REJECT {built.reject}")
    io.out.line(f"{args.out}: {count_text(len(file.maps), 'map')}, {size_text(size)}")
