"""A lock as JSON and back. What people and merges do to the file is said with its line."""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, NoReturn

from lumpyard.errors import Place, Problem, ProblemsError
from lumpyard.lock.model import VERSION, Block, Inputs, Lock

if TYPE_CHECKING:
    from collections.abc import Sequence

CODES = {
    "E0501": "`archives.lock` has the marks of a merge conflict",
    "E0502": "`archives.lock` is no JSON, or has a key twice",
    "E0503": "`archives.lock` is JSON, but no lock",
    "E0504": "`archives.lock` is from a newer Lumpyard",
}
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?$", re.MULTILINE)
_REMAKE = "delete the block, or the file, and run `doit ship`: it is written anew"


def render_lock(lock: Lock) -> bytes:
    """The file's bytes; equal locks give equal bytes."""
    import json  # noqa: PLC0415 - not for who only looks at sources

    archives = {name: asdict(block) for name, block in lock.archives.items()}
    text = json.dumps({"version": VERSION, "archives": archives}, indent=2, sort_keys=True)
    return (text + "\n").encode("ascii")


def parse_lock(data: bytes, path: str) -> Lock:
    """The lock that a file holds; ProblemsError with the place in `path` of the first thing that is wrong.

    E0501 merge-conflict marks, E0502 not JSON, E0503 not a lock, E0504 a lock from a newer version. CRLF line
    ends and keys that are not known are no problem.
    """
    text = data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")
    conflict = _CONFLICT.search(text)
    if conflict:
        line = text.count("\n", 0, conflict.start()) + 1
        hint = "keep one side of each conflict and run `doit ship`: it writes the block anew"
        _fail(Place(path, line), "E0501", f"the merge conflict is not resolved: {conflict[0][:7]!r}", hint)
    value = _parse_json(text, path)
    reader = _Reader(text, path)
    top = reader.take(value, "an object", ())
    version = reader.take(top.get("version"), "a whole number", ("version",))
    if version < VERSION:
        _fail(reader.place(("version",)), "E0503", f"version must be {VERSION}; it is {version}", _REMAKE)
    if version > VERSION:
        message = f"version {version} is newer than {VERSION}, the newest that this lumpyard reads"
        _fail(reader.place(("version",)), "E0504", message, "upgrade lumpyard")
    archives = reader.take(top.get("archives"), "an object", ("archives",))
    return Lock({name: reader.block(block, ("archives", name)) for name, block in archives.items()})


def _fail(place: Place, code: str, message: str, hint: str) -> NoReturn:
    raise ProblemsError([Problem(place, code, message, hint)])


def _parse_json(text: str, path: str) -> Any:
    import json  # noqa: PLC0415 - not for who only looks at sources

    def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):  # what a careless merge leaves
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            line = [number for number, line in enumerate(text.split("\n"), 1) if f'"{twice}"' in line][-1]
            _fail(Place(path, line), "E0502", f"{twice!r} is there twice", "keep one of the two")
        return found

    try:
        return json.loads(text, object_pairs_hook=no_twins)
    except json.JSONDecodeError as error:
        _fail(Place(path, error.lineno, error.colno), "E0502", f"this is not JSON: {error.msg}", _REMAKE)
    except RecursionError:
        _fail(Place(path), "E0502", "this is not JSON that is read here: it nests too deep", _REMAKE)
    except ValueError:  # Python's own limit, 4,300 digits
        _fail(Place(path), "E0502", "this is not JSON that is read here: a number is too long", _REMAKE)


class _Reader:
    """Takes parsed JSON apart; keeps the text, to say the line of what is wrong."""

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path

    def block(self, value: Any, keys: Sequence[str]) -> Block:
        """One archive's block."""
        return Block(**self._fields(Block, value, keys))

    def take(self, value: Any, wanted: str, keys: Sequence[str]) -> Any:
        """The value, once it is known to be what is wanted."""
        if not _IS[wanted](value):
            found = "missing" if value is None and keys else _name(value)
            _fail(
                self.place(keys),
                "E0503",
                f"{'.'.join(keys) or 'the file'} must be {wanted}; it is {found}",
                _REMAKE,
            )
        return value

    def place(self, keys: Sequence[str]) -> Place:
        """Where a key stands; the innermost of the keys above it where it is missing."""
        at = line = 0
        for key in keys:
            match = re.compile(rf'"{re.escape(key)}"\s*:').search(self._text, at)
            if match is None:
                break
            at = match.end()
            line = self._text.count("\n", 0, at) + 1
        return Place(self._path, line)

    def _fields(self, record: type[Block | Inputs], value: Any, keys: Sequence[str]) -> dict[str, Any]:
        found = self.take(value, "an object", keys)
        return {
            one.name: self._field(str(one.type), found.get(one.name), (*keys, one.name))
            for one in fields(record)
        }

    def _field(self, kind: str, value: Any, keys: Sequence[str]) -> Any:
        if kind == "Inputs":
            return Inputs(**self._fields(Inputs, value, keys))
        return self.take(value, _WANTED[kind], keys)


def _name(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), repr(value))


_WANTED = {
    "str": "text",
    "int": "a whole number",
    "dict[str, str]": "an object of text",
}  # by the fields' types
_IS = {
    "text": lambda value: isinstance(value, str),
    "a whole number": lambda value: type(value) is int and value >= 0,
    "an object": lambda value: isinstance(value, dict),
    "an object of text": lambda value: (
        isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
    ),
}
