"""Paths in a manifest: relative to its folder as written, seen from the project folder once read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard.manifest.codes import BAD_OUTPUT, BAD_PATH, WRITTEN_FOLDER
from lumpyard.manifest.nodes import shorten

if TYPE_CHECKING:
    from lumpyard.manifest.model import Node
    from lumpyard.manifest.reader import Reader

NEVER_ENTERED = frozenset((".git", ".lumpyard", "build", "dist", "symbols"))  # in the project folder
# Outputs must exist on any system; Windows refuses these.
_UNPORTABLE = re.compile(r'[<>:"|?*\x00-\x1f]')
_UNPORTABLE_NAME = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_OWN_OUTPUTS = ("archives.json", "ship.json")  # in build/


def normal_path(base: str, text: str) -> str:
    """A path joined to a folder, without `.`, `..` and empty parts; a `..` out of the project stays."""
    parts: list[str] = []
    for part in f"{base}/{text}".split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def is_absolute(text: str) -> bool:
    """Whether a path is absolute on any system."""
    return text.startswith("/") or re.match(r"[A-Za-z]:[/\\]", text) is not None


def project_path(
    reader: Reader, node: Node, *, base: str | None = None, hint: str = "it must lie inside"
) -> str | None:
    """A path inside the project; "" is the project folder."""
    text = _plain_path(reader, node)
    if text is None:
        return None
    if is_absolute(text):
        reader.report(
            BAD_PATH, node, f"'{shorten(text)}' is absolute", "paths are relative to the manifest's folder"
        )
        return None
    path = normal_path(reader.base if base is None else base, text)
    if path.split("/")[0] == "..":
        reader.report(BAD_PATH, node, f"'{shorten(text)}' leaves the project", hint)
        return None
    return path


def outside_path(reader: Reader, node: Node) -> str | None:
    """A path that may leave the project, or be absolute."""
    text = _plain_path(reader, node)
    if text is None:
        return None
    return text if is_absolute(text) else normal_path(reader.base, text)


def check_entered(reader: Reader, node: Node, path: str) -> None:
    """Note a source path in a folder that Lumpyard writes or never enters."""
    first = path.partition("/")[0]
    if first in NEVER_ENTERED:
        hint = "keep sources, also generated ones, in folders of their own"
        reader.report(
            WRITTEN_FOLDER, node, f"'{shorten(path)}' lies in {first}/, which is never searched", hint
        )


def output_path(reader: Reader, node: Node) -> str | None:
    """Path of an archive below build/ and dist/, one that any system can hold."""
    text = reader.text(node, "a path")
    if text is None:
        return None
    parts = text.split("/")
    message = hint = ""
    if is_absolute(text) or ".." in parts:
        message, hint = "leaves build/", "the path is relative to build/ and dist/"
    elif "\\" in text:
        message, hint = "has a backslash", "paths are written with `/`"
    elif "" in parts or "." in parts:
        message, hint = "has an empty part, or `.` as one", f"write {normal_path('', text) or 'a file name'}"
    elif _UNPORTABLE.search(text) or any(map(_UNPORTABLE_NAME.fullmatch, parts)) or _ends_oddly(parts):
        message, hint = "can't be a file on every system", "Windows refuses it"
    elif text.lower() in _OWN_OUTPUTS:
        message, hint = f"is where Lumpyard writes build/{text.lower()}", "choose another name"
    if message:
        reader.report(BAD_OUTPUT, node, f"'{shorten(text)}' {message}", hint)
        return None
    return text


def symbols_path(path: str) -> str:
    """Path of an archive's symbols below symbols/: its last suffix replaced."""
    folder, slash, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    return f"{folder}{slash}{stem}.ewsym"


def _ends_oddly(parts: list[str]) -> bool:
    return any(part.endswith((" ", ".")) for part in parts)


def _plain_path(reader: Reader, node: Node) -> str | None:
    text = reader.text(node, "a path")
    if text is not None and "\\" in text:
        hint = f"write '{shorten(text.replace(chr(92), '/'))}'"
        reader.report(BAD_PATH, node, f"'{shorten(text)}' has a backslash", hint)
        return None
    if text is not None and "\0" in text:
        reader.report(BAD_PATH, node, f"'{shorten(text)}' holds a NUL")
        return None
    return text
