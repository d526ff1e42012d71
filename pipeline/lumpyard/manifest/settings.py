"""What a set, an override or `defaults` says of its lumps, and how these lie over each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.manifest.codes import BAD_ALIGNMENT, BAD_TEMPLATE, BAD_TYPE
from lumpyard.manifest.compress import read_compression
from lumpyard.manifest.model import Node, Settings
from lumpyard.manifest.nodes import items_of, pairs, shown, text_of
from lumpyard.manifest.templates import template_fault

if TYPE_CHECKING:
    from lumpyard.manifest.reader import Entry, Reader

MOST_ALIGNMENT = 1 << 30  # wad-format, "EWAD"
MOST_SCHEMA = 0xFFFF
MOST_KIND = 0xFF


def read_settings(reader: Reader, entries: dict[str, Entry]) -> Settings:
    """The settings among some entries, and the places of all."""
    said: dict[str, Any] = {
        field: read(reader, entries[key]) for key, (field, read) in _READERS.items() if key in entries
    }
    places = {
        key: reader.place(entry.key if key == "options" else entry.value) for key, entry in entries.items()
    }
    return Settings(**said, places=places)


def overlay(lower: Settings, upper: Settings) -> Settings:
    """Settings over others, key by key.

    `options` too: what the upper ones leave out stays, unless the upper settings name another rule.
    """
    said: dict[str, Any] = {
        name: value
        for name, value in zip(Settings._fields, upper, strict=True)
        if name != "places" and value is not None
    }
    places = {**lower.places, **upper.places}
    other_rule = upper.rule is not None and upper.rule != lower.rule
    if other_rule and upper.options is None and lower.options is not None:
        said["options"] = None
        places.pop("options", None)
    elif not other_rule and upper.options is not None and lower.options is not None:
        said["options"] = _over(lower.options, upper.options)
    return lower._replace(**said, places=places)


def read_alignment(reader: Reader, node: Node) -> int | None:
    """A power of two."""
    alignment = reader.integer(node, 1, MOST_ALIGNMENT)
    if alignment is not None and alignment & (alignment - 1):
        near = 1 << alignment.bit_length()
        hint = f"the nearest are {near >> 1} and {near}"
        reader.report(BAD_ALIGNMENT, node, f"alignment {alignment} is not a power of two", hint)
        return None
    return alignment


def _over(lower: Node, upper: Node) -> Node:
    """A map over another; both are maps."""
    merged = {text_of(pair[0]): pair for pair in (*pairs(lower), *pairs(upper))}
    return upper._replace(value=tuple(merged.values()))


def _text(reader: Reader, entry: Entry) -> str | None:
    return reader.text(entry.value)


def _type(reader: Reader, entry: Entry) -> str | None:
    return read_type(reader, entry.value)


def read_type(reader: Reader, node: Node) -> str | None:
    """A type's four characters, or "" for none."""
    text = reader.text(node, "four characters, or 0")
    if text is None:
        return None
    if text == "0" and not node.quoted:
        return ""
    if len(text) == 4 and all(" " <= char <= "~" for char in text):
        return text
    if text.isascii() and text.isprintable() and len(text) < 4:
        hint = f'pad it with spaces, in quotes: "{text:<4}"'
    else:
        hint = "a type is exactly four printable ASCII characters, or 0"
    reader.report(BAD_TYPE, node, f"{shown(node)} is no type", hint)
    return None


def _schema(reader: Reader, entry: Entry) -> int | None:
    return reader.integer(entry.value, 0, MOST_SCHEMA)


def _kind(reader: Reader, entry: Entry) -> int | None:
    return reader.integer(entry.value, 0, MOST_KIND)


def _compress(reader: Reader, entry: Entry) -> object:
    return read_compression(reader, entry.value, reader.place(entry.key))


def _alignment(reader: Reader, entry: Entry) -> int | None:
    return read_alignment(reader, entry.value)


def _name(reader: Reader, entry: Entry) -> str | None:
    text = reader.text(entry.value, "a text such as {path}")
    if text is None:
        return None
    message, hint = template_fault(text)
    if message:
        reader.report(BAD_TEMPLATE, entry.value, f"the name template has {message}", hint)
        return None
    return text


def _options(reader: Reader, entry: Entry) -> Node | None:
    if entry.value.kind != "map":
        reader.wrong_type(entry.value, "a map of options")
        return None
    return _with_path(entry.value, reader.path)


def _with_path(node: Node, path: str) -> Node:
    """A node, and all in it, that knows its file."""
    if node.kind == "list":
        return node._replace(value=tuple(_with_path(item, path) for item in items_of(node)), path=path)
    if node.kind == "map":
        mapped = tuple((_with_path(key, path), _with_path(value, path)) for key, value in pairs(node))
        return node._replace(value=mapped, path=path)
    return node._replace(path=path)


_READERS = {
    "type": ("fourcc", _type),
    "schema": ("schema", _schema),
    "kind": ("kind", _kind),
    "rule": ("rule", _text),
    "compress": ("compress", _compress),
    "alignment": ("alignment", _alignment),
    "name": ("name", _name),
    "options": ("options", _options),
}
