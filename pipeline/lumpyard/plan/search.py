"""Finding what a pattern matches: few folders looked at, and few questions asked of each file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.globs import parse_glob
from lumpyard.plan.folders import is_literal
from lumpyard.plan.tree import LEAVES, inside

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from lumpyard.globs import Glob
    from lumpyard.plan.folders import Folder, Folders

# A last part that names what a file is called, not just any name: a folder there is a mistake worth an error.
_NAMES_A_FILE = re.compile(r"(?:.*\.)?[^*?\[\].]+")


class Hits(NamedTuple):
    """What one pattern matches; paths are relative to the set's root."""

    files: list[str]
    odd: list[tuple[str, str]]  # path, what it is
    folders: list[str]  # where the pattern names a file
    links: list[str]  # out of the project, where the pattern would look into a folder


def find(text: str, root: str, folders: Folders) -> Hits:
    """What a pattern matches below a root."""
    if is_literal(text):
        return _find_literal(text, root, folders)
    glob = parse_glob(text)
    select = _selector(text, glob)
    names_file = _NAMES_A_FILE.fullmatch(text.rpartition("/")[2]) is not None
    hits = Hits([], [], [], [])
    for start, folder in _walk(glob, root, folders):
        hits.files.extend(select(start, folder.names))
        for name, what in folder.odd:
            if glob.matches(start + name):
                hits.odd.append((start + name, what))
            elif what == LEAVES and glob.may_descend(start + name):
                hits.links.append(start + name)
        if names_file:
            hits.folders.extend(start + name for name in folder.folders if glob.matches(start + name))
    return hits


def matching(text: str, paths: Collection[str]) -> list[str]:
    """Those of some paths or names that a pattern matches; a plain one asks a set or mapping only once."""
    if is_literal(text):
        return [text] if text in paths else []
    fullmatch = parse_glob(text).regex.fullmatch
    return [path for path in paths if fullmatch(path)]


def _find_literal(text: str, root: str, folders: Folders) -> Hits:
    """As `find`, for a plain path: one question, not a walk."""
    above, _, name = text.rpartition("/")
    place = inside(root, above)
    if not folders.is_open(root, above):
        return Hits([], [], [], [])
    if folders.has(place, name):
        return Hits([text], [], [], [])
    folder = folders.look(place)
    odd = [(text, what) for other, what in folder.odd if other == name]
    return Hits([], odd, [text] if name in folder.folders else [], [])


def _walk(glob: Glob, root: str, folders: Folders) -> Iterator[tuple[str, Folder]]:
    """Each folder where a glob may match, with the start of its files' paths."""
    if not folders.is_open(root, glob.prefix):
        return
    waiting = [glob.prefix]
    while waiting:
        path = waiting.pop()
        start = f"{path}/" if path else ""
        folder = folders.look(inside(root, path))
        yield start, folder
        waiting.extend(start + name for name in folder.folders if glob.may_descend(start + name))


def _selector(text: str, glob: Glob) -> Callable[[str, Sequence[str]], list[str]]:
    """A function that picks the paths which a glob matches from the names in a folder that `_walk` came to.

    `**/*.png` and the like match by the name alone, in every such folder, which is cheaper than a search.
    """
    above, _, last = text.rpartition("/")
    tail = "" if last == "**" else last[1:]
    if (last == "**" or last.startswith("*")) and is_literal(tail) and _is_walked_whole(above):
        return _tail_selector(tail)
    fullmatch = glob.regex.fullmatch

    def select(start: str, names: Sequence[str]) -> list[str]:
        return [path for name in names if fullmatch(path := start + name)]

    return select


def _tail_selector(tail: str) -> Callable[[str, Sequence[str]], list[str]]:
    def select(start: str, names: Sequence[str]) -> list[str]:
        return [start + name for name in names if name[0] != "." and name.endswith(tail)]

    def select_all(start: str, names: Sequence[str]) -> list[str]:
        return [start + name for name in names if name[0] != "."]

    return select if tail else select_all


def _is_walked_whole(above: str) -> bool:
    """Whether every folder that the walk comes to matches what stands before a pattern's last part."""
    return above == "**" or is_literal(above.removesuffix("/**"))
