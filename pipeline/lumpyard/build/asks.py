"""What a rule asked while it cooked, the answers, and the digests that are made of them (design.md, sections 6 and 7).

An `Ask` is a question and its answer as text, so that it can be kept and put again later. The kinds:

| kind | subject | answer |
|---|---|---|
| read | path | hex BLAKE3 of the file, or `absent` |
| exists | path | `yes` or `no` |
| glob | pattern | hex BLAKE3 of the sorted paths |
| files | pattern | hex BLAKE3 of the sorted paths and of the bytes of each file |
| namesakes | JSON: patterns and file names | hex BLAKE3 of the sorted paths that have one of these file names, without case |
| path | number of the source | its path |
| name | empty | the lump's name |
| tool | id | identity of the tool |
| env | variable | hex BLAKE3 of its value, or `absent` |

A lump's name, its path, its set, archive, type and place are in no digest unless the rule asked for them.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lumpyard.errors import Error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lumpyard.build.tools import ResolvedTool
    from lumpyard.plan.model import PlannedLump, Recipe

ABSENT = "absent"
_DRIVE = re.compile(r"[A-Za-z]:")


class Ask(NamedTuple):
    """One thing that a rule wanted to know, and the answer."""

    kind: str
    subject: str
    answer: str


class World(Protocol):
    """What a cook sees of the world. Paths are seen from the project folder and never leave it.

    Answers hold for one run: the implementation may remember them, and should, since many lumps ask the same.
    """

    def read(self, path: str) -> bytes:
        """Bytes of a file; FileNotFoundError where there is none, DiskError where it cannot be read."""
        ...

    def digest(self, path: str) -> str | None:
        """Hex BLAKE3 of a file's bytes; None where there is no file."""
        ...

    def exists(self, path: str) -> bool:
        """Whether a file (not a folder) is there."""
        ...

    def glob(self, pattern: str) -> Sequence[str]:
        """Paths of the files that a pattern matches, sorted by bytes."""
        ...

    def tool(self, tool_id: str) -> ResolvedTool:
        """One of the manifest's tools; KeyError where it has none of that id, RuleError where it is not usable."""
        ...

    def env(self, name: str) -> str | None:
        """A variable of the environment that the build was started in; None where it is not set."""
        ...


def path_fault(path: object) -> str:
    """What is wrong with a path that a rule gives, or "": it must be relative, in the project, with plain parts."""
    if not isinstance(path, str):
        return f"it must be text, not {type(path).__name__}"
    if not path:
        return "it is empty"
    if "\0" in path:
        return "it has a NUL character"
    if "\\" in path:
        return "it has a backslash; parts are separated by '/'"
    if path.startswith("/") or _DRIVE.match(path):
        return "it is absolute; paths are seen from the project folder"
    parts = path.split("/")
    if ".." in parts:
        return "it has '..'; write the path as seen from the project folder"
    if "" in parts or "." in parts:
        return "it has an empty or '.' part; write it without"
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "it has a character that no file name can hold"
    return ""


def digest_text(parts: Iterable[str | bytes], kind: str) -> bytes:
    """BLAKE3 of parts, each preceded by its length, under a label that says what they are."""
    from blake3 import blake3  # noqa: PLC0415 - a no-op needs no digests

    digest = blake3(b"lumpyard " + kind.encode("ascii") + b" 1\0")
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()


def digest_bytes(data: bytes) -> str:
    """Hex BLAKE3 of bytes: the answer to `read`."""
    from blake3 import blake3  # noqa: PLC0415 - a no-op needs no digests

    return blake3(data).hexdigest()


def request_digest(recipe: Recipe, source_digests: Sequence[bytes]) -> bytes:
    """Digest of all that is known before a rule runs: the rule, its options and its sources' BLAKE3 digests, in order."""
    return digest_text([recipe.rule_digest, recipe.options_text, *source_digests], "request")


def cook_digest(request: bytes, asks: Iterable[Ask]) -> bytes:
    """Digest of all that decides a rule's products: the request, and what the rule then asked, in no order."""
    parts = [part for ask in sorted(set(asks)) for part in ask]
    return digest_text([request, *parts], "cook")


def paths_answer(paths: Iterable[str]) -> str:
    """The answer to `glob`: digest of the sorted paths."""
    return digest_text(sorted(paths, key=_path_bytes), "paths").hex()


def files_answer(files: Mapping[str, str | None]) -> str:
    """The answer to `files`: digest of sorted paths and the digest of each file."""
    ordered = sorted(files, key=_path_bytes)
    return digest_text([part for path in ordered for part in (path, files[path] or ABSENT)], "files").hex()


def namesakes_subject(patterns: Iterable[str], paths: Iterable[str]) -> str:
    """The subject of `namesakes` for the files that a tool needed and the patterns that gave it its inputs."""
    names = {_file_name(path) for path in paths}
    return json.dumps([sorted(set(patterns)), sorted(names)], separators=(",", ":"))


def namesakes_answer(subject: str, world: World) -> str:
    """Digest of the paths under the subject's patterns that have one of its file names."""
    patterns, names = json.loads(subject)
    wanted = set(names)
    found = {path for pattern in patterns for path in world.glob(pattern) if _file_name(path) in wanted}
    return paths_answer(found)


def variable_answer(value: str | None) -> str:
    """The answer to `env`: a digest, since a value may be a secret and answers are kept."""
    return ABSENT if value is None else digest_text([value], "variable").hex()


def _path_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _file_name(path: str) -> str:
    # Without case: where the tool looks on a disk that ignores it, `Light.h` comes before `light.h` all the same.
    return path.rpartition("/")[2].casefold()


def _again_tool(subject: str, world: World, _: PlannedLump) -> str:
    try:
        return world.tool(subject).identity
    except (KeyError, Error):
        return ABSENT  # cooking again says what is wrong with it


def _again_path(subject: str, _: World, lump: PlannedLump) -> str:
    number = int(subject)
    return lump.sources[number] if number < len(lump.sources) else ABSENT


def _again_files(subject: str, world: World, _: PlannedLump) -> str:
    return files_answer({path: world.digest(path) for path in world.glob(subject)})


_AGAIN: dict[str, Callable[[str, World, PlannedLump], str]] = {
    "read": lambda subject, world, _: world.digest(subject) or ABSENT,
    "exists": lambda subject, world, _: "yes" if world.exists(subject) else "no",
    "glob": lambda subject, world, _: paths_answer(world.glob(subject)),
    "files": _again_files,
    "namesakes": lambda subject, world, _: namesakes_answer(subject, world),
    "path": _again_path,
    "name": lambda _subject, _world, lump: lump.name,
    "tool": _again_tool,
    "env": lambda subject, world, _: variable_answer(world.env(subject)),
}


def ask_again(kind: str, subject: str, world: World, lump: PlannedLump) -> str | None:
    """The answer now; None for a kind that this version does not know.

    But for the kinds `path` and `name` it is the same for every lump of a run, and may be remembered.
    """
    again = _AGAIN.get(kind)
    return None if again is None else again(subject, world, lump)


def still_answers(ask: Ask, world: World, lump: PlannedLump) -> bool:
    """Whether a question that was asked when a lump was cooked would be answered the same now."""
    return ask_again(ask.kind, ask.subject, world, lump) == ask.answer
