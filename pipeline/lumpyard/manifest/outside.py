"""What lies beside the lump sets: mounts, tools, local rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.manifest import keys
from lumpyard.manifest.codes import BAD_PATH, TOOL_VERSION, WRITTEN_FOLDER
from lumpyard.manifest.formats import FORMATS
from lumpyard.manifest.model import Mount, Named, Tool
from lumpyard.manifest.nodes import shorten
from lumpyard.manifest.paths import (
    NEVER_ENTERED,
    check_entered,
    is_absolute,
    outside_path,
    project_path,
)

if TYPE_CHECKING:
    from lumpyard.manifest.model import Node, Pattern
    from lumpyard.manifest.reader import Entry, Reader

IDENTITIES = ("program", "version")
MOUNT_FORMATS = ("auto", *FORMATS, "MPQ")


def read_mounts(reader: Reader, node: Node) -> tuple[Mount, ...]:
    """The mounts that one manifest lists."""
    if node.kind == "map":
        reader.wrong_type(node, "a list of mounts", "each starts with `- `")
        return ()
    mounts = (_mount(reader, item) for item in reader.items(node, "a path"))
    return tuple(mount for mount in mounts if mount is not None)


def read_rules(reader: Reader, node: Node) -> tuple[Named, ...]:
    """Paths of the local rules that one manifest lists."""
    rules: list[Named] = []
    for item in reader.items(node, "a path"):
        path = project_path(reader, item)
        if path is None:
            continue
        if not path.endswith(".py"):
            reader.report(
                BAD_PATH, item, f"'{shorten(path)}' is no Python file", "a local rule is a file NAME.py"
            )
        rules.append(Named(path, reader.place(item)))
    return tuple(rules)


def read_tool(reader: Reader, tool_id: str, entry: Entry) -> Tool | None:
    """One tool; None where there is no saying which program it is."""
    place = reader.place(entry.key)
    entries = reader.entries(entry.value, keys.TOOL, f"tool '{tool_id}'", place)
    value = {name: found.value for name, found in (entries or {}).items()}
    program = _program(reader, value["program"]) if "program" in value else None
    version = reader.texts(value["version"]) if "version" in value else ()
    expect = (reader.text(value["expect"]) if "expect" in value else None) or ""
    identity, files = (
        _identity(reader, entries["identity"]) if entries and "identity" in entries else ("program", ())
    )
    if "version" not in value:
        for key, needs in (("identity", identity == "version"), ("expect", bool(expect))):
            if needs:
                hint = 'such as `version: ["--version"]`'
                reader.report(
                    TOOL_VERSION, value[key], f"tool '{tool_id}' needs `version` for its `{key}`", hint
                )
    if program is None:
        return None
    return Tool(tool_id, place, program, version, identity, files, expect)


def _mount(reader: Reader, node: Node) -> Mount | None:
    """A path alone is mounted at the top."""
    if node.kind != "map":
        path = outside_path(reader, node)
        if path is None:
            return None
        check_entered(reader, node, path)
        return Mount(path, "", reader.place(node))
    entries = reader.entries(node, keys.MOUNT, "a mount", reader.place(node)) or {}
    path = outside_path(reader, entries["path"].value) if "path" in entries else None
    at = _prefix(reader, entries["at"].value) if "at" in entries else ""
    form = reader.choice(entries["format"].value, MOUNT_FORMATS) if "format" in entries else None
    lenient = reader.flag(entries["lenient"].value) if "lenient" in entries else None
    if path is None or at is None:
        return None
    check_entered(reader, entries["path"].value, path)
    return Mount(path, at, reader.place(entries["path"].value), form or "auto", bool(lenient))


def _prefix(reader: Reader, node: Node) -> str | None:
    """Where a mount is seen; from the top, whichever manifest says it."""
    at = project_path(reader, node, base="")
    if at is not None and at.split("/")[0] in NEVER_ENTERED:
        reader.report(WRITTEN_FOLDER, node, f"'{shorten(at)}' is never searched", "choose another prefix")
        return None
    return at


def _program(reader: Reader, node: Node) -> str | None:
    """A bare name is looked for on PATH; a path is seen from the project folder, with a slash in it, or absolute."""
    text = reader.text(node, "a program")
    if text is None or ("/" not in text and "\\" not in text):
        return text
    if is_absolute(text) and "\\" not in text:
        return text
    path = project_path(reader, node)
    return path if path is None or "/" in path else f"./{path}"


def _identity(reader: Reader, entry: Entry) -> tuple[str, tuple[Pattern, ...]]:
    node = entry.value
    if node.kind != "map":
        if node.kind == "list":
            reader.wrong_type(node, f"one of {', '.join(IDENTITIES)}, or a map with `files`")
            return "program", ()
        return reader.choice(node, IDENTITIES) or "program", ()
    entries = reader.entries(node, keys.IDENTITY, "identity", reader.place(entry.key)) or {}
    if "files" not in entries:
        return "program", ()
    return "files", reader.patterns(entries["files"].value, below=reader.below, takes_away=True)
