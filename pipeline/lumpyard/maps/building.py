"""A map's lumps, with those that a node builder makes: kept as they came while they are right, or made here.

| option | values |
|---|---|
| `nodes` | `keep`, `build`, `none`; `zdbsp`, which is a program and so the caller's to run (`maps.zdbsp`) |
| `extended` | `never`, `auto`: XNOD where the numbers of the first engines do not suffice, `always` |
| `blockmap` | `keep`, `build`, `none` |
| `reject` | `keep`, `islands`, `sight`, `none` |

`keep` keeps a lump as long as the map is the one that it was made for, and the lump is whole: a BLOCKMAP without an
error, a REJECT of the right size. Where the map's fingerprint was recorded (`maps.recording`), that decides. Else signs
do: the nodes fit (`maps.fitting`), and REJECT hides nothing that is seen (`maps.reject_check`). What is not kept is
made, as `build` and `islands` do. A `sight` that has no steps left hides less, and is called `sight-in-part`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.wad.map_lumps import BINARY
from lumpyard.errors import UnsupportedError
from lumpyard.maps.blockmap import build_blockmap
from lumpyard.maps.blockmap_check import check_blockmap
from lumpyard.maps.bsp import build_nodes
from lumpyard.maps.bsp.pieces import vertices_of_lines
from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.fitting import nodes_fit
from lumpyard.maps.limits import BuildProblem, OverLimit
from lumpyard.maps.model import DOOM, HEXEN, UDMF
from lumpyard.maps.recording import CHANGED, NOT_RECORDED, SAME, judge
from lumpyard.maps.reject import islands, table_size
from lumpyard.maps.reject_check import Hidden, hidden_in_sight
from lumpyard.maps.sight import Sight, look
from lumpyard.maps.writing import encode_lumps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.maps.bsp import BuiltNodes
    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.problems import MapFinding
    from lumpyard.maps.recording import Recorded

NODES = ("keep", "build", "zdbsp", "none")
EXTENDED = ("never", "auto", "always")
BLOCKMAP = ("keep", "build", "none")
REJECT = ("keep", "islands", "sight", "none")
_VERTEX = 4  # bytes
_IN_PART = "REJECT hides less than it could: there were too few steps to look from all sectors"


class BuildOptions(NamedTuple):
    """How lumps are to be made; the values are those of the table above."""

    nodes: str = "keep"
    extended: str = "never"
    blockmap: str = "keep"
    reject: str = "keep"
    records: Mapping[str, Sequence[Recorded]] | None = None  # of maps that are right; None: only signs say


class Built(NamedTuple):
    """A map's lumps by name, in their order, without the marker; and how those came about that can be made."""

    lumps: dict[str, bytes]
    nodes: str = "kept"  # kept, built, built-extended, taken, none
    blockmap: str = "kept"  # kept, built, none
    reject: str = "kept"  # kept, islands, sight, sight-in-part, none
    problems: Sequence[BuildProblem] = ()  # a lump that is not made is as it came
    warnings: Sequence[MapFinding] = ()  # what someone should know of what was kept, or was not


def build(level: DoomMap, options: BuildOptions | None = None) -> dict[str, bytes]:
    """The lumps of a map by name, in their order, without the marker.

    UnsupportedError, with the id of the problem as its code, where one cannot be made; MalformedError (`map-record`)
    where a record does not fit its field.
    """
    built = build_map(level, options or BuildOptions())
    for problem in built.problems:
        raise UnsupportedError(problem.message, problem.id)
    return built.lumps


def build_map(level: DoomMap, options: BuildOptions) -> Built:
    """The same, with all problems as values, but for records that do not fit."""
    if level.format == UDMF:
        return _text(level, options)
    if level.format not in {DOOM, HEXEN}:
        problem = BuildProblem("map-format", f"lumps of a map of format {level.format} are not made here")
        return Built(dict(level.lumps), problems=[problem])
    built = Built(encode_lumps(level))
    known = judged(level, options)
    # Nodes that do not fit say that the map was changed after all that is built had been; a record knows better.
    fits = known != CHANGED and nodes_fit(level)
    built = _nodes(level, options, built, same=fits)
    built = _blockmap(level, options, built, same=fits or known == SAME)
    if known == NOT_RECORDED and not fits:
        known = CHANGED
    built = _reject(level, options, built, known)
    return built._replace(lumps=_in_order(built.lumps))


def judged(level: DoomMap, options: BuildOptions) -> str:
    """What the records say of a map (`maps.recording`): NOT_RECORDED where there are none; else CHANGED without one."""
    if options.records is None or "keep" not in {options.nodes, options.blockmap, options.reject}:
        return NOT_RECORDED
    known = judge(level, options.records)
    return CHANGED if known == NOT_RECORDED else known


def build_with(level: DoomMap, options: BuildOptions, taken: Mapping[str, bytes]) -> Built:
    """The lumps of a map that was prepared for another builder, and what is taken of its nodes.

    Of UDMF they are ZNODES, else VERTEXES, SEGS, SSECTORS and NODES.
    """
    if level.format == UDMF:
        lumps = {name: data for name, data in level.lumps.items() if name not in {"ZNODES", "ENDMAP"}}
        return Built({"TEXTMAP": b""} | dict(taken) | lumps | {"ENDMAP": b""}, nodes="taken")
    built = Built(_without_gl(encode_lumps(level)) | dict(taken), nodes="taken")
    known = judged(level, options)
    built = _reject(level, options, _blockmap(level, options, built, same=known != CHANGED), known)
    return built._replace(lumps=_in_order(built.lumps))


def _nodes(level: DoomMap, options: BuildOptions, built: Built, *, same: bool) -> Built:
    if options.nodes == "keep" and same:
        return built
    lumps = _without_gl(built.lumps)
    if options.nodes == "none":
        empty = dict.fromkeys(("SEGS", "SSECTORS", "NODES"), b"")
        own = lumps.get("VERTEXES", b"")[: vertices_of_lines(level) * _VERTEX]
        return built._replace(lumps=lumps | empty | {"VERTEXES": own}, nodes="none")
    if options.nodes == "zdbsp":
        message = "zdbsp is a program: what it makes is taken by maps.zdbsp"
        return _with(built, BuildProblem("nodes-zdbsp", message))
    made: BuiltNodes | OverLimit = build_nodes(level, extended=options.extended == "always")
    if isinstance(made, OverLimit) and options.extended == "auto":
        made = build_nodes(level, extended=True)
    if isinstance(made, OverLimit):
        return _with(built, BuildProblem(made.id, made.message))
    new = {
        "VERTEXES": made.vertexes,
        "SEGS": made.segs,
        "SSECTORS": made.ssectors,
        "NODES": made.nodes,
    }
    how = "built-extended" if made.nodes[:4] == b"XNOD" and not made.segs else "built"
    return built._replace(lumps=lumps | new, nodes=how)


def _blockmap(level: DoomMap, options: BuildOptions, built: Built, *, same: bool) -> Built:
    if options.blockmap == "none":
        return built._replace(lumps=built.lumps | {"BLOCKMAP": b""}, blockmap="none")
    if options.blockmap == "keep" and same and _is_whole(level):
        return built
    made = build_blockmap(level)
    if isinstance(made, OverLimit):
        return _with(built, BuildProblem(made.id, made.message))
    return built._replace(lumps=built.lumps | {"BLOCKMAP": made}, blockmap="built")


def _is_whole(level: DoomMap) -> bool:
    """Whether there is a BLOCKMAP, and no error in it."""
    found = check_blockmap(level)
    return all(finding.level != "error" and finding.id != "blockmap-empty" for finding in found)


def _reject(level: DoomMap, options: BuildOptions, built: Built, known: str) -> Built:
    if options.reject == "none":
        return built._replace(lumps=built.lumps | {"REJECT": b""}, reject="none")
    sized = len(level.lumps.get("REJECT", b"")) == table_size(len(level.sectors))
    if options.reject == "keep" and sized and known in {SAME, NOT_RECORDED}:
        hidden = hidden_in_sight(level) if known == NOT_RECORDED else Hidden()
        if hidden.pairs:
            built = _warned(built, _told(level, hidden))
        if not hidden.is_stale:
            return built
    made = look(level) if options.reject == "sight" else islands(level)
    if isinstance(made, OverLimit):
        return _with(built, BuildProblem(made.id, made.message))
    how = "islands"
    if isinstance(made, Sight):
        how = "sight-in-part" if made.undecided else "sight"
        if made.undecided:
            built = _warned(built, found("reject-in-part", _IN_PART, "lump"))
        made = made.lump
    return built._replace(lumps=built.lumps | {"REJECT": made}, reject=how)


def _told(level: DoomMap, hidden: Hidden) -> MapFinding:
    """That a REJECT hides what is seen, and what became of it."""
    pairs = f"{hidden.pairs} pairs" if hidden.pairs > 1 else "a pair"
    other = "itself" if hidden.one == hidden.other else hidden.other
    what = f"it hides {pairs} of sectors that see each other, such as {hidden.one} and {other} over line {hidden.line}"
    place = level.vertices[level.lines[hidden.line].v1][:2]
    if hidden.is_stale:
        message = f"REJECT is not of this map, and is made anew: {what}"
        return found("reject-stale", message, "line", hidden.line, place)
    message = f"REJECT is kept, though a little of it is wrong (`reject: sight` makes a true one): {what}"
    return found("reject-doubtful", message, "line", hidden.line, place)


def _warned(built: Built, finding: MapFinding) -> Built:
    return built._replace(warnings=[*built.warnings, finding])


def _without_gl(lumps: Mapping[str, bytes]) -> dict[str, bytes]:
    """All but GL nodes, which are of no use beside others that were made anew."""
    return {name: data for name, data in lumps.items() if not name.startswith("GL_")}


def _with(built: Built, problem: BuildProblem) -> Built:
    return built._replace(problems=[*built.problems, problem])


def _in_order(lumps: Mapping[str, bytes]) -> dict[str, bytes]:
    """The lumps of a map in the order that engines want, and any others behind them."""
    return {name: lumps[name] for name in dict.fromkeys([*BINARY, *lumps]) if name in lumps}


def _text(level: DoomMap, options: BuildOptions) -> Built:
    """A map of UDMF: its nodes are GL nodes, which are not built here, and its engines make the other tables."""
    lumps = {name: data for name, data in level.lumps.items() if name != "ENDMAP"}
    if options.nodes == "keep" and judged(level, options) != CHANGED and nodes_fit(level):
        return Built(lumps | {"ENDMAP": b""})
    problems: tuple[BuildProblem, ...] = ()
    if options.nodes in {"build", "zdbsp"}:
        message = (
            "UDMF has GL nodes, which are not built here: zdbsp does, or none for engines that build them"
        )
        problems = (BuildProblem("nodes-udmf", message),)
    lumps = {name: data for name, data in lumps.items() if name not in {"ZNODES", "BLOCKMAP", "REJECT"}}
    return Built(lumps | {"ENDMAP": b""}, nodes="none", blockmap="none", reject="none", problems=problems)
