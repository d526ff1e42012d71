"""The lumps of a map as the options want them, by our own builder or by zdbsp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.writing import WRITERS, NewLump, encode_archive
from lumpyard.errors import ArchiveError
from lumpyard.maps import zdbsp
from lumpyard.maps.building import BuildOptions, build_map
from lumpyard.maps.limits import BuildProblem
from lumpyard.maps.model import UDMF
from lumpyard.maps.reading import read_lumps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumpyard.maps.model import DoomMap
    from lumpyard.rule import Source
    from lumpyard_rules.doom_map import MapOptions

_INPUT, _OUTPUT = "lumpyard-map/in.wad", "lumpyard-map/out.wad"


def make_lumps(source: Source, level: DoomMap, options: MapOptions) -> dict[str, bytes]:
    """The lumps of a map by name, in the order that engines want; problems where one cannot be made."""
    try:
        nodes = options.nodes
        if nodes == "zdbsp":
            level, nodes = _through_zdbsp(source, level, options), "keep"
        wanted = BuildOptions(nodes, options.extended, options.blockmap, options.reject)
        built = build_map(level, wanted)
    except ArchiveError as error:
        source.problem(f"{level.name}: {error} [{error.code}]")
        return dict(level.lumps)
    for problem in built.problems:
        _tell(source, level, problem)
    if built.reject == "sight-in-part":
        source.problem(
            f"{level.name}: REJECT hides less than it could: some sectors were not looked from",
            hint="the map is too open, or has polyobjects or fractions; `reject: islands` is quicker",
            warning=True,
        )
    return built.lumps


def _through_zdbsp(source: Source, level: DoomMap, options: MapOptions) -> DoomMap:
    """The map with the nodes that zdbsp makes; as it is, after a problem, where that does not go."""
    prepared = zdbsp.prepare(level)
    if isinstance(prepared, BuildProblem):
        _tell(source, level, prepared)
        return level
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
        _tell(source, level, taken)
        return level
    kept = {name: data for name, data in prepared.level.lumps.items() if not name.startswith("GL_")}
    return read_lumps(level.name, kept | taken)


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
