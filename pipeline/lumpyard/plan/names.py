"""Lump names: templates that make them from source paths, and the law that every name keeps.

A lump name is 1 to 255 bytes (UTF-8; bytes that are not travel as surrogate escapes). It is a clean relative
path with forward slashes: no NUL, no backslash, no slash at either end, no empty part, no part `.` or `..`.
The format itself forbids only the NUL; the rest would make names that no two tools split alike, and that
cannot be extracted as they are. Control characters, spaces, and dots at a part's end are legal; extracting
escapes what its host cannot hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.manifest.templates import CAPITALS
from lumpyard.plan.codes import BAD_NAME, LONG_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST_NAME = 255  # bytes: the string table of an EWAD holds no longer name (wad-format, "String table")
MOST_SHOWN = 80  # characters of a name in a message
_TO_CAPITALS = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}


class Template(NamedTuple):
    """A `name` of the manifest."""

    text: str
    splits: bool  # whether it needs a path's parts; else {path} is all that it has
    has_lump: bool  # whether it needs the names that lumps of archives have there
    has_capitals: bool  # whether it has a field such as {STEM}


class PathParts(NamedTuple):
    """A path taken apart: path == dir + stem + suffix."""

    dir: str  # ends in a slash, or is empty
    stem: str
    suffix: str  # from the last dot on, or empty; the dots that a name starts with begin no suffix


def shown(name: str) -> str:
    """A name for a message; the start of one that is long."""
    return f"'{name}'" if len(name) <= MOST_SHOWN else f"'{name[: MOST_SHOWN - 1]}…'"


class Fault(NamedTuple):
    """What is wrong with one lump name."""

    name: str
    code: str
    message: str  # what the name does, as the rest of a sentence that starts with it


def parse_template(text: str) -> Template:
    """The template of a text; the manifest has seen to its fields and braces."""
    folded = text.lower()
    splits = any(field in folded for field in ("{dir}", "{stem}", "{suffix}"))
    capitals = any(f"{{{field}}}" in text for field in CAPITALS)
    return Template(text, splits, "{lump}" in folded, capitals)


def split_path(path: str) -> PathParts:
    """The folder, stem and suffix of a path: `a/b.tar.gz` is `a/`, `b.tar`, `.gz`; `.x` is all stem."""
    folder, slash, base = path.rpartition("/")
    stem, dot, suffix = base.rpartition(".")
    if not stem.strip("."):
        return PathParts(folder + slash, base, "")
    return PathParts(folder + slash, stem, dot + suffix)


def expand(template: Template, paths: Sequence[str], lumps: Sequence[str] = ()) -> Sequence[str]:
    """The name that a template gives to each path; paths are relative to their set's root.

    `lumps` are the names that stand for `{lump}`, where the template has it.
    """
    if template.text == "{path}":
        return paths
    render = template.text.format
    if template.has_lump or template.has_capitals:
        named = zip(paths, lumps or map(own_part, paths), strict=True)
        return [render(**_fields(path, lump)) for path, lump in named]
    if not template.splits:
        return [render(path=path) for path in paths]
    return [
        render(path=path, dir=folder, stem=stem, suffix=suffix)
        for path in paths
        for folder, stem, suffix in (split_path(path),)
    ]


def _fields(path: str, lump: str) -> dict[str, str]:
    """Every field of a template, also in capitals: ASCII letters alone, which is what old formats know."""
    fields = {"path": path, "lump": lump, **split_path(path)._asdict()}
    return fields | {name.upper(): text.translate(_TO_CAPITALS) for name, text in fields.items()}


def own_part(path: str) -> str:
    """What a file is called in its folder."""
    return path[path.rfind("/") + 1 :]


def name_fault(name: str) -> Fault | None:
    """What is wrong with one name."""
    try:
        size = len(name.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return Fault(name, BAD_NAME, "holds a surrogate that stands for no byte")
    if not size:
        return Fault(name, LONG_NAME, "is empty")
    if size > LONGEST_NAME:
        return Fault(name, LONG_NAME, f"is {size} bytes long; {LONGEST_NAME} is the most")
    for holds, message in (
        ("\0" in name, "holds a NUL"),
        ("\\" in name, "has a backslash; lump names have forward slashes"),
        (name.startswith("/"), "starts with a slash"),
        (name.endswith("/"), "ends in a slash"),
        ("//" in name, "has an empty part between two slashes"),
        ("." in name.split("/") or ".." in name.split("/"), "has '.' or '..' as a part"),
    ):
        if holds:
            return Fault(name, BAD_NAME, message)
    return None


def iter_faults(names: Sequence[str]) -> Iterator[Fault]:
    """What is wrong with each name that breaks the law.

    Good names, which nearly all are, cost a few searches over all of them at once (2 ms for 20,000).
    """
    if _surely_good(names):
        return
    for name in names:
        fault = name_fault(name)
        if fault is not None:
            yield fault


def _surely_good(names: Sequence[str]) -> bool:
    text = "\0".join(["", *names, ""])
    return (
        text.isascii()
        and text.count("\0") == len(names) + 1
        and max(map(len, names), default=0) <= LONGEST_NAME
        and not any(hint in text for hint in ("\\", "//", "\0/", "/\0", "\0\0", "/.", "\0."))
    )


def sorted_by_bytes(texts: Sequence[str]) -> list[str]:
    """Names or paths in the order of their bytes.

    Code points sort as their UTF-8 does, save the surrogates that stand for other bytes.
    """
    if "".join(texts).isascii():
        return sorted(texts)
    return sorted(texts, key=name_bytes)


def name_bytes(name: str) -> bytes:
    """The bytes that a name or path stands for."""
    return name.encode("utf-8", "surrogateescape")
