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
_LONGEST_PART = 200  # bytes; most systems take 255, and a file being written has a longer name
_OWN_OUTPUTS = ("archives.json", "ship.json")  # in build/


def split_manifest(path: str) -> tuple[str, str]:
    """Folder and name of a manifest, as its path has them; "" is the current folder."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    return folder, name


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
    return text if text is not None and check_output(reader, node, text) else None


def check_output(reader: Reader, node: Node, path: str) -> bool:
    """Whether any system can hold an output; else that is noted at a node."""
    message, hint = _output_fault(path)
    if message:
        reader.report(BAD_OUTPUT, node, f"'{shorten(path)}' {message}", hint)
    return not message


def _output_fault(path: str) -> tuple[str, str]:
    parts = path.split("/")
    if is_absolute(path) or ".." in parts:
        return "leaves build/", "the path is relative to build/ and dist/"
    if "\\" in path:
        return "has a backslash", "paths are written with `/`"
    if "" in parts or "." in parts:
        return "has an empty part, or `.` as one", f"write {normal_path('', path) or 'a file name'}"
    if any(len(part.encode("utf-8", "surrogatepass")) > _LONGEST_PART for part in parts):
        return f"has a part of more than {_LONGEST_PART} bytes", "choose a shorter name"
    if (
        _UNPORTABLE.search(path)
        or any(map(_UNPORTABLE_NAME.fullmatch, parts))
        or any(part.endswith((" ", ".")) for part in parts)
    ):
        return "can't be a file on every system", "Windows refuses it"
    if path.lower() in _OWN_OUTPUTS:
        return f"is where Lumpyard writes build/{path.lower()}", "choose another name"
    return "", ""


def symbols_path(path: str) -> str:
    """Path of an archive's symbols below symbols/: its last suffix replaced."""
    folder, slash, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    return f"{folder}{slash}{stem}.ewsym"


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
