"""The options of a rule: from nodes to its options dataclass, and to the text that enters digests."""

from __future__ import annotations

import re
from dataclasses import MISSING, asdict, fields, is_dataclass
from math import isfinite
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from lumpyard.errors import Place, Problem, ProblemsError
from lumpyard.manifest.codes import OPTIONS, OUT_OF_RANGE
from lumpyard.manifest.keys import Key
from lumpyard.manifest.model import Node
from lumpyard.manifest.nodes import one_line, shown, text_of
from lumpyard.manifest.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
_INT_RANGE = (-(1 << 63), (1 << 63) - 1)


def read_options(node: Node | None, options_type: type, path: str, parent: Place | None = None) -> object:
    """An instance of a frozen options dataclass; a ProblemsError has all that is wrong.

    `path` is the file of the node. `parent` is the place of what is missing: that of the key `options`, or of
    the set's key where there is none.
    """
    problems: list[Problem] = []
    reader = Reader(path, problems)
    place = parent or (reader.place(node) if node is not None else Place(path))
    entries = node or Node("map", (), place.line, place.column)
    values = _values(reader, entries, options_type, "options", place)
    if problems:
        raise ProblemsError(problems)
    options: object = options_type(**values)
    check = getattr(options, "check", None)
    fault = str(check() or "") if check is not None else ""
    if fault:
        raise ProblemsError([Problem(place, OPTIONS, one_line(fault))])
    return options


def _values(reader: Reader, node: Node, kind: type, where: str, place: Place) -> dict[str, object]:
    """The values of a dataclass's fields, as far as the node has them."""
    known = {
        item.name: Key("", required=item.default is MISSING and item.default_factory is MISSING)
        for item in fields(kind)
        if item.init
    }
    entries = reader.entries(node, known, where, place) or {}
    hints = get_type_hints(kind)
    return {name: _reader_of(hints[name])(reader, entry.value) for name, entry in entries.items()}


def options_text(options: object) -> str:
    """Canonical JSON of all options, those by default too."""
    import json  # noqa: PLC0415 - 17 ms, and a no-op needs none

    said = {item.name: getattr(options, item.name) for item in fields(options)}  # type: ignore[arg-type]
    return json.dumps(said, default=asdict, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _reader_of(hint: Any) -> Callable[[Reader, Node], object]:
    """The function that reads a value of a type."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        arms = [arm for arm in get_args(hint) if arm is not NoneType]
        if len(arms) == 1:
            return _reader_of(arms[0])
    if origin is tuple:
        args = get_args(hint)
        if len(args) == 2 and args[1] is Ellipsis:
            return lambda reader, node: _many(reader, node, _reader_of(args[0]))
    if is_dataclass(hint) and isinstance(hint, type):
        return lambda reader, node: _entry(reader, node, hint)
    if origin is Literal:
        choices = [str(choice) for choice in get_args(hint)]
        return lambda reader, node: reader.choice(node, choices)
    if hint in _SCALARS:
        return _SCALARS[hint]
    raise TypeError(f"{hint!r} is no type of an option")


def _many(reader: Reader, node: Node, read: Callable[[Reader, Node], object]) -> tuple[object, ...]:
    """A tuple: a list, or one alone."""
    if node.kind == "list" and not node.value:
        return ()
    return tuple(read(reader, item) for item in reader.items(node, "a value"))


def _entry(reader: Reader, node: Node, kind: type) -> object:
    """One item of a list of objects; None where anything is wrong with it."""
    before = len(reader.problems)
    values = _values(reader, node, kind, "an entry", reader.place(node))
    return kind(**values) if len(reader.problems) == before else None


def _text(reader: Reader, node: Node) -> str | None:
    """Any text, also an empty one in quotes."""
    return "" if node.kind == "scalar" and node.quoted and not node.value else reader.text(node)


def _integer(reader: Reader, node: Node) -> int | None:
    return reader.integer(node, *_INT_RANGE)


def _number(reader: Reader, node: Node) -> float | None:
    if node.kind != "scalar" or node.quoted or not _NUMBER.fullmatch(text_of(node)):
        reader.wrong_type(node, "a number")
        return None
    number = float(text_of(node))
    if not isfinite(number):
        reader.report(OUT_OF_RANGE, node, f"{shown(node, bare=True)} is out of range")
    return number


_SCALARS: dict[object, Callable[[Reader, Node], object]] = {
    bool: Reader.flag,
    int: _integer,
    float: _number,
    str: _text,
}
