"""The lumps of a map as the options want them, by our own builder or by zdbsp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.writing import WRITERS, NewLump, encode_archive
from lumpyard.errors import ArchiveError
from lumpyard.maps import zdbsp
from lumpyard.maps.building import BuildOptions, Built, build_map, build_with, judged
from lumpyard.maps.limits import BuildProblem
from lumpyard.maps.model import UDMF
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.recording import NOT_RECORDED, SAME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.recording import Records
    from lumpyard.rule import Source
    from lumpyard_rules.doom_map import MapOptions

_NODES = ("SEGS", "SSECTORS", "NODES", "ZNODES")
_INPUT, _OUTPUT = "lumpyard-map/in.wad", "lumpyard-map/out.wad"


def make_lumps(source: Source, level: DoomMap, options: MapOptions, records: Records | None) -> Built:
    """The lumps of a map, in the order that engines want; problems of the source where one cannot be made."""
    wanted = BuildOptions(options.nodes, options.extended, options.blockmap, options.reject, records)
    try:
        built = (
            _through_zdbsp(source, level, options, wanted)
            if options.nodes == "zdbsp"
            else build_map(level, wanted)
        )
    except ArchiveError as error:
        source.problem(f"{level.name}: {error} [{error.code}]")
        return Built(dict(level.lumps))
    for problem in built.problems:
        _tell(source, level, problem)
    return built


def as_shipped(level: DoomMap, built: Built) -> DoomMap:
    """The map with the lumps that were made for it, which is what is to be checked: what they replace is gone."""
    made = {
        *((*_NODES, *(name for name in level.lumps if name[:3] == "GL_")) if built.nodes != "kept" else ()),
        *(("BLOCKMAP",) if built.blockmap != "kept" else ()),
        *(("REJECT",) if built.reject != "kept" else ()),
    }
    if not made:
        return level
    if level.format == UDMF and built.nodes == "none":
        lumps = {name: data for name, data in level.lumps.items() if name not in made}
        found = level._replace(lumps=lumps, nodes="none", gl_nodes="none")
    else:
        found = read_lumps(level.name, built.lumps)
    damage = [broken for broken in level.damage if broken.lump not in made]
    return found._replace(damage=[*damage, *(broken for broken in found.damage if broken.lump in made)])


def _through_zdbsp(source: Source, level: DoomMap, options: MapOptions, wanted: BuildOptions) -> Built:
    """The map with the nodes that zdbsp makes; as it is, with a problem, where that does not go."""
    known = judged(level, wanted)
    prepared = zdbsp.prepare(level, unchanged=None if known == NOT_RECORDED else known == SAME)
    if isinstance(prepared, BuildProblem):
        return Built(dict(level.lumps), problems=[prepared])
    more = [zdbsp.EXTENDED] if options.extended == "always" and level.format != UDMF else []
    made = source.run(
        options.tool,
        [*zdbsp.ARGUMENTS, *more, *options.args, "-o", _OUTPUT, _INPUT],
        outputs=[_OUTPUT],
        timeout=options.timeout,
        files={_INPUT: prepared.wad},
    )
    taken = zdbsp.take(prepared.level, made[_OUTPUT])
    if isinstance(taken, BuildProblem):
        return Built(dict(level.lumps), problems=[taken])
    return build_with(prepared.level, wanted, taken)


def _tell(source: Source, level: DoomMap, problem: BuildProblem) -> None:
    large = problem.id.startswith("nodes-too-many")
    hint = "`extended: auto` makes nodes without these limits, for engines that read XNOD" if large else ""
    source.problem(f"{level.name}: {problem.message} [{problem.id}]", hint=hint)


def wad_of(name: str, lumps: Mapping[str, bytes]) -> bytes:
    """A PWAD of one map."""
    entries = [
        (name.encode(), b""),
        *((lump.encode("utf-8", "surrogateescape"), data) for lump, data in lumps.items()),
    ]
    new = [NewLump(lump, len(data), len(data)) for lump, data in entries]
    return encode_archive(WRITERS["PWAD"], new, [data for _, data in entries])
