"""The manifest's tools on this machine: where a program is, what identifies it, whether it is as expected."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import disk
from lumpyard.build.asks import files_answer
from lumpyard.build.sources.tree import ScannedTree
from lumpyard.disk.processes import clean_variables, run_program
from lumpyard.disk.scratch import scratch_folder
from lumpyard.errors import CookError, DiskError, Problem
from lumpyard.globs import any_match, parse_glob
from lumpyard.hashing import digest, digest_parts
from lumpyard.manifest.paths import is_absolute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.disk import Stat
    from lumpyard.errors import Place
    from lumpyard.globs import Glob
    from lumpyard.manifest.model import Tool

CODES = {
    "E0620": "the program of a tool is not there, or cannot be read",
    "E0621": "the version command of a tool fails",
    "E0622": "a tool is not the version that the manifest expects",
    "E0623": "a pattern of a tool's files matches nothing",
}
_VERSION_TIMEOUT = 30.0  # seconds
_SHOWN = 80  # characters of a version, or of what went wrong, in a message


class ToolStamp(NamedTuple):
    """What stats alone say of a tool: while it stays equal, the tool is taken as unchanged; plain values."""

    path: str  # of the program; "" where it is not there
    stat: Stat | None
    files: tuple[tuple[str, Stat | None], ...] = ()  # for the identity `files`: paths from the project folder


class ResolvedTool(NamedTuple):
    """A tool that was found and is the expected one."""

    path: str  # absolute; "" where it is not there, which the identity `files` puts up with until it must run
    identity: str  # enters cook digests: "program", "version" or "files", and a hex BLAKE3
    version_text: str  # what its version command printed; "" where nothing asked for it
    stamp: ToolStamp  # from before the identity was found


def stamp_tool(tool: Tool, root: str) -> ToolStamp:
    """The stamp of a tool now. It sees the program, not what that may start when asked for its version."""
    path = _program(tool, root)
    files = (
        ((path, disk.stat_file(f"{root}/{path}")) for path in _files(tool, root)) if _by_files(tool) else ()
    )
    return ToolStamp(path, disk.stat_file(path) if path else None, tuple(files))


def resolve_tool(tool: Tool, root: str) -> ResolvedTool:
    """A tool as it is on this machine; CookError, at its place in the manifest, where it cannot be used.

    `root` is the project folder. It may run the tool's version command, for at most 30 s.
    """
    stamp = stamp_tool(tool, root)
    if not stamp.path and not (_by_files(tool) and not tool.expect):
        raise _not_there(tool, root)
    version = _version(tool, stamp.path) if tool.expect or tool.identity == "version" else ""
    if tool.expect not in version:
        found = version.partition("\n")[0][:_SHOWN]
        raise _failure(tool.place, "E0622", f"tool {tool.id!r} is {found!r}, and {tool.expect!r} is expected")
    return ResolvedTool(
        stamp.path, f"{tool.identity} {_identity(tool, root, stamp, version)}", version, stamp
    )


def _identity(tool: Tool, root: str, stamp: ToolStamp, version: str) -> str:
    """Hex BLAKE3 of what the manifest takes as the tool's identity."""
    if tool.identity == "version":
        return digest(version.encode("utf-8", "surrogateescape")).hex()
    try:
        if _by_files(tool):
            return files_answer({path: _digest_file(f"{root}/{path}") for path, _ in stamp.files})
        return _digest_file(stamp.path)
    except DiskError as error:
        raise _failure(tool.place, "E0620", f"tool {tool.id!r}: {error}") from error


def _by_files(tool: Tool) -> bool:
    return tool.identity == "files"


def _program(tool: Tool, root: str) -> str:
    """Absolute path of the program, or ""; it is looked for along PATH unless its name has a slash."""
    in_project = "/" in tool.program and not is_absolute(tool.program)
    return disk.find_program(f"{root}/{tool.program}" if in_project else tool.program) or ""


def _not_there(tool: Tool, root: str) -> CookError:
    """The failure that says where the program was looked for, and what to do where there is a file of its name."""
    program, bare = tool.program, "/" not in tool.program
    is_file = disk.stat_file(program if is_absolute(program) else f"{root}/{program}") is not None
    if is_file and not bare:
        message = f"tool {tool.id!r}: {program!r} may not be run"
        return _failure(tool.place, "E0620", message, f"make it a program: chmod +x {program}")
    where = " along PATH" if bare else "" if is_absolute(program) else " in the project"
    hint = f"the file of the project is ./{program}" if is_file else ""
    return _failure(tool.place, "E0620", f"tool {tool.id!r}: there is no program {program!r}{where}", hint)


def _digest_file(path: str) -> str:
    with disk.OpenFile(path) as file:
        return digest_parts(file.iter_pieces()).hex()


def _version(tool: Tool, path: str) -> str:
    """What the version command prints, in the same surroundings as a cook has, with plain line ends."""
    with scratch_folder() as scratch:
        finished = run_program(
            (path, *tool.version), scratch.work, clean_variables(scratch), _VERSION_TIMEOUT
        )
    if finished.fault:
        said = (
            (finished.err.strip() or finished.out.strip())
            .decode("utf-8", "backslashreplace")
            .partition("\n")[0]
        )
        what = f"{finished.fault}" + (f": {said.strip()[:_SHOWN]}" if said else "")
        raise _failure(tool.place, "E0621", f"tool {tool.id!r}: its version command {what}")
    text = (finished.out if finished.out.strip() else finished.err).decode("utf-8", "backslashreplace")
    version = text.replace("\r\n", "\n").strip()
    if not version:
        raise _failure(tool.place, "E0621", f"tool {tool.id!r}: its version command prints nothing")
    return version


def _files(tool: Tool, root: str) -> list[str]:
    """Paths of the files that are a tool's identity, sorted by bytes."""
    tree = ScannedTree(root)
    taken_away = any_match(parse_glob(pattern.text) for pattern in tool.files if pattern.takes_away)
    found: set[str] = set()
    for pattern in tool.files:
        if not pattern.takes_away:
            matched = [path for path in _matches(tree, parse_glob(pattern.text)) if not taken_away(path)]
            if not matched:
                raise _failure(
                    pattern.place, "E0623", f"pattern '{pattern.text}' of tool {tool.id!r} matches no file"
                )
            found.update(matched)
    return sorted(found, key=lambda path: path.encode("utf-8", "surrogateescape"))


def _matches(tree: ScannedTree, glob: Glob) -> Iterator[str]:
    folders = [glob.prefix]
    while folders:
        folder = folders.pop()
        scan = tree.scan(folder)
        if scan is not None:
            prefix = f"{folder}/" if folder else ""
            yield from (path for name in scan.names if glob.matches(path := prefix + name))
            folders += (path for name in scan.folders if glob.may_descend(path := prefix + name))


def _failure(place: Place, code: str, message: str, hint: str = "") -> CookError:
    return CookError([Problem(place, code, message, hint)])
