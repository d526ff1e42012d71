"""What a rule asked while it cooked, the answers, and the digests made of them (design.md, sections 6, 7).

An `Ask` (store/cooked.py) is a question and its answer as text, so that it can be kept and put again later. The kinds:

| kind | subject | answer |
|---|---|---|
| read | path | hex BLAKE3 of the file, or `absent` |
| exists | path | `yes` or `no` |
| glob | pattern | hex BLAKE3 of the sorted paths |
| files | JSON: patterns | hex BLAKE3 of the sorted paths and of the bytes of each file |
| namesakes | JSON: patterns, names | hex BLAKE3 of the sorted paths with one of these names, in any case |
| path | number of the source | its path |
| name | empty | the lump's name |
| tool | id | identity of the tool |
| env | variable | hex BLAKE3 of its value, or `absent` |

A lump's name, its path, its set, archive, type and place are in no digest unless the rule asked for them.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Protocol

from blake3 import blake3

from lumpyard.errors import Error
from lumpyard.globs import any_match, parse_glob
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lumpyard.build.tools.resolving import ResolvedTool
    from lumpyard.plan.model import PlannedLump, Recipe
    from lumpyard.store import Ask

ABSENT = "absent"
_DRIVE = re.compile(r"[A-Za-z]:/")


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
        """One of the manifest's tools; KeyError where it has none such, RuleError for one not usable."""
        ...

    def env(self, name: str) -> str | None:
        """A variable of the environment that the build was started in; None where it is not set."""
        ...


def path_fault(path: object) -> str:
    """What is wrong with a path that a rule gives, or ""; it must be relative, in the project, plain."""
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


def request_digest(recipe: Recipe, source_digests: Sequence[bytes]) -> bytes:
    """Digest of what is known before a rule runs: the rule, its options, its sources' digests in order."""
    return _labelled("request", [recipe.rule_digest, recipe.options_text, *source_digests])


def cook_digest(request: bytes, asks: Iterable[Ask]) -> bytes:
    """Digest of what decides a rule's products: the request, and what the rule then asked, in any order."""
    return _labelled("cook", [request, *(part for ask in sorted(set(asks)) for part in ask)])


def verbatim_cook_digest(recipe: Recipe) -> Callable[[bytes], bytes]:
    """What `cook_digest(request_digest(recipe, (digest,)), ())` gives for a source's digest, at a tenth of the cost.

    A build with nothing else to do asks it for each of tens of thousands of files.
    """
    start = blake3(b"".join(_pieces("request", [recipe.rule_digest, recipe.options_text])))
    size = (32).to_bytes(8, "little")
    cook = b"".join((*_pieces("cook", []), size))

    def cook_digest_of(source_digest: bytes) -> bytes:
        request = start.copy()
        request.update(size + source_digest)
        return blake3(cook + request.digest()).digest()

    return cook_digest_of


def bytes_answer(data: bytes) -> str:
    """The answer to `read` where there is a file."""
    return digest(data).hex()


def exists_answer(found: bool) -> str:
    """The answer to `exists`."""
    return "yes" if found else "no"


def paths_answer(paths: Iterable[str]) -> str:
    """The answer to `glob`: digest of the sorted paths."""
    return _labelled("paths", sorted(map(_as_bytes, paths))).hex()


def files_answer(files: Mapping[str, str | None]) -> str:
    """The answer to `files`: digest of the sorted paths and each file's digest."""
    ordered = sorted(files, key=_as_bytes)
    return _labelled("files", [part for path in ordered for part in (path, files[path] or ABSENT)]).hex()


def files_subject(patterns: Iterable[str]) -> str:
    """The subject of `files`."""
    return json.dumps(sorted(set(patterns)))


def namesakes_subject(patterns: Iterable[str], paths: Iterable[str]) -> str:
    """The subject of `namesakes` for the files that a tool needed and the patterns of its inputs."""
    return json.dumps([sorted(set(patterns)), sorted(set(map(_file_name, paths)))])


def namesakes_answer(subject: str, paths: Iterable[str]) -> str:
    """The answer to `namesakes`, given all paths under the subject's patterns."""
    wanted: set[str] = set(json.loads(subject)[1])
    return paths_answer(path for path in paths if _file_name(path) in wanted)


def list_inputs(patterns: Iterable[str], world: World) -> list[str]:
    """Paths that some of the patterns match and none of those with a `!` ahead, sorted by bytes."""
    patterns = list(patterns)
    taken_away = any_match(parse_glob(text[1:]) for text in patterns if text.startswith("!"))
    found = {path for text in patterns if not text.startswith("!") for path in world.glob(text)}
    return sorted((path for path in found if not taken_away(path)), key=_as_bytes)


def variable_answer(value: str | None) -> str:
    """The answer to `env`: a digest, since a value may be a secret and answers are kept."""
    return ABSENT if value is None else _labelled("variable", [value]).hex()


def _labelled(label: str, parts: Iterable[str | bytes]) -> bytes:
    """BLAKE3 of a label, then of each part after its length, so that no two lists run together alike."""
    return digest(b"".join(_pieces(label, parts)))


def _pieces(label: str, parts: Iterable[str | bytes]) -> list[bytes]:
    pieces = [b"lumpyard ", label.encode("ascii"), b" 1\0"]
    for part in parts:
        data = part if isinstance(part, bytes) else _as_bytes(part)
        pieces += (len(data).to_bytes(8, "little"), data)
    return pieces


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _file_name(path: str) -> str:
    # Without case: on a disk that ignores it, `Light.h` comes before `light.h` all the same.
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
    return files_answer({path: world.digest(path) for path in list_inputs(json.loads(subject), world)})


def _again_namesakes(subject: str, world: World, _: PlannedLump) -> str:
    return namesakes_answer(subject, list_inputs(json.loads(subject)[0], world))


_AGAIN: dict[str, Callable[[str, World, PlannedLump], str]] = {
    "read": lambda subject, world, _: world.digest(subject) or ABSENT,
    "exists": lambda subject, world, _: exists_answer(world.exists(subject)),
    "glob": lambda subject, world, _: paths_answer(world.glob(subject)),
    "files": _again_files,
    "namesakes": _again_namesakes,
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
