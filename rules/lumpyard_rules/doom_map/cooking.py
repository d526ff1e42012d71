"""The cook of `doom-map`: maps read and checked, their findings reported, their lumps made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lumpyard.archives.opening import open_archive
from lumpyard.errors import ArchiveError
from lumpyard.maps.checks import check_map, check_names
from lumpyard.maps.checks.context import CheckContext, Ignore
from lumpyard.maps.checks.ignoring import Ignoring
from lumpyard.maps.model import DOOM, HEXEN, UDMF
from lumpyard.maps.opening import open_maps
from lumpyard.maps.recording import beside, is_record, judge, parse
from lumpyard.maps.textures import read_textures
from lumpyard.rule import Product, only
from lumpyard_rules.doom_map import path_of
from lumpyard_rules.doom_map.making import as_shipped, make_lumps, wad_of
from lumpyard_rules.doom_map.reporting import report

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.archives.model import Archive
    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.opening import Found, MapFile
    from lumpyard.maps.recording import Records
    from lumpyard.maps.textures import Textures
    from lumpyard.rule import Source
    from lumpyard_rules.doom_map import MapOptions

SCHEMAS = {DOOM: 1, HEXEN: 2, UDMF: 3}
_LONGEST_NAME = 8  # of a lump in a WAD
_SHOWN = 12  # names of maps in a message


def cook_maps(sources: Sequence[Source], options: MapOptions) -> Iterator[Product]:
    """The lumps of the maps that the options take."""
    source = only(sources)
    file = _open(source, options)
    if file is None:
        return
    records = None if file.archive is None else _records(source, options)  # a text has nothing built
    context = CheckContext(
        options.target,
        options.game,
        _textures(source, file, options),
        [Ignore(each.id, each.why, each.x, each.y, each.map) for each in options.ignore],
        options.things,
    )
    ignoring = Ignoring(context.ignores)
    names = check_names([None if found.path else found.place for found in file.maps])
    for found, of_name in zip(file.maps, names, strict=True):
        level = found.level
        known = replace(context, recorded="" if records is None else judge(level, records))
        if level.format not in SCHEMAS:
            report(source, level.name, check_map(level, known, of_name, ignoring), options.fail)
            continue
        built = make_lumps(source, level, options, records)
        findings = check_map(
            as_shipped(level, built), known, [*of_name, *built.warnings], ignoring, built=True
        )
        report(source, level.name, findings, options.fail, text=file.archive is None)
        if _is_nameable(source, level, options):
            yield from _products(source, file.archive, found, options, built.lumps)
    report(source, "", ignoring.unused(), options.fail)


def _products(
    source: Source, archive: Archive | None, found: Found, options: MapOptions, lumps: Mapping[str, bytes]
) -> Iterator[Product]:
    level = found.level
    schema = SCHEMAS[level.format]
    if options.layout == "map":
        yield Product(wad_of(level.name, lumps), path_of(options, level.name), schema=schema)
        return
    if options.layout == "wad":
        yield Product(_marker(source, archive, found), level.name, schema=schema)
        yield from (Product(data, name, schema=schema) for name, data in lumps.items())
        return
    for name, data in lumps.items():
        if name != "ENDMAP":  # which says where a map ends in a WAD
            yield Product(data, path_of(options, level.name, name), schema=schema)


def _marker(source: Source, archive: Archive | None, found: Found) -> bytes:
    """What stands in a map's marker, which is mostly nothing."""
    if archive is None or found.place is None or found.place.marker < 0:
        return b""
    try:
        return bytes(archive.read(found.place.marker))
    except ArchiveError as error:
        source.problem(f"the marker of {found.level.name} cannot be read: {error}")
        return b""


def _open(source: Source, options: MapOptions) -> MapFile | None:
    """The maps of the source; None, and a problem, where it has none that can be taken."""
    names = {name.upper() for name in options.maps}
    try:
        file = open_maps(
            source.data, _stem(source, options), wanted=lambda name: not names or name.upper() in names
        )
    except ArchiveError as error:
        hint = "a set's `files` leave such out by `!**/*.fingerprints`" if is_record(source.data) else ""
        source.problem(f"neither a WAD nor the text of a UDMF map: {error}", hint=hint)
        return None
    for damage in file.damage:
        source.problem(f"{damage.lump}: {damage.message}")
    if not file.names:
        source.problem(
            "there are no maps in it", hint="a map is a marker lump with THINGS, LINEDEFS and so on behind it"
        )
        return None
    known = {name.upper() for name in file.names}
    for name in options.maps:
        if name.upper() not in known:
            listed = ", ".join(file.names[:_SHOWN])
            source.problem(
                f"there is no map {name} in it; the option `maps` asks for it", hint=f"it has {listed}"
            )
    return file


def _stem(source: Source, options: MapOptions) -> str:
    """What a map that is a text is called: as the one name in `maps`, else as the file."""
    if len(options.maps) == 1:
        return options.maps[0]
    name = source.path.rpartition("/")[2]
    return (name.rpartition(".")[0] or name).upper()


def _records(source: Source, options: MapOptions) -> Records | None:
    """What the file beside the source says of its maps; None where none can be read, or nothing may be kept."""
    path = beside(source.path)
    if "keep" not in {options.nodes, options.blockmap, options.reject} or not source.exists(path):
        return None
    try:
        return parse(source.read(path))
    except ArchiveError as error:
        source.problem(f"{path}: {error}", hint=f"`lumpyard map {source.path} --record` writes it anew")
        return None


def _textures(source: Source, file: MapFile, options: MapOptions) -> Textures | None:
    """The textures of the base archives and of the source; None where no base says which there are."""
    archives: list[Archive] = []
    for path in options.base:
        try:
            archives.append(open_archive(source.read(path)))
        except ArchiveError as error:
            source.problem(f"the option `base` names {path}, which cannot be read: {error}")
    own = file.archive
    if own is not None:
        archives.append(own)
    known = bool(options.base) or (own is not None and own.format == "IWAD")
    return read_textures(archives, options.target) if known else None


def _is_nameable(source: Source, level: DoomMap, options: MapOptions) -> bool:
    """Whether names of lumps can be made of a map's; a problem where not."""
    name = level.name
    if not (name.isascii() and name.isprintable() and not set(name) & set("/\\") and name.strip(".")):
        message = f"a map is called {name!r}, of which no lump's name can be made"
        source.problem(message, hint="names of maps are A to Z, 0 to 9 and _")
        return False
    if options.layout != "lumps" and len(name) > _LONGEST_NAME:
        message = (
            f"a map is called {name}, which is longer than the {_LONGEST_NAME} characters of names in a WAD"
        )
        source.problem(message, hint="rename the file, or say `maps: [MAP01]`")
        return False
    return True
