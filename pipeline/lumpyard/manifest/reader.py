"""Nodes to values of the type that a key calls for; what doesn't fit is noted, and reading goes on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import Place, Problem
from lumpyard.globs import GlobError, escape_glob, parse_glob
from lumpyard.manifest.closest import did_you_mean
from lumpyard.manifest.codes import (
    BAD_GLOB,
    BAD_ID,
    EMPTY,
    MISSING_KEY,
    NOT_A_CHOICE,
    OUT_OF_RANGE,
    UNKNOWN_KEY,
    WRONG_TYPE,
)
from lumpyard.manifest.model import Named, Pattern
from lumpyard.manifest.nodes import items_of, one_line, pairs, shorten, shown, text_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from lumpyard.manifest.keys import Key
    from lumpyard.manifest.model import Node

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*|0x[0-9a-fA-F]+)")
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_LONGEST_NUMBER = 40  # digits; int() refuses 5,000

_HINTS = {"version": "start with `version: 1`"}  # for keys that are missing


class Entry(NamedTuple):
    """A key and its value."""

    key: Node
    value: Node


class Reader:
    """Reads the nodes of one manifest file."""

    def __init__(self, path: str, problems: list[Problem]) -> None:
        self.path = path
        self.base = path.rpartition("/")[0]  # folder that the file's paths are relative to
        self.below = escape_glob(self.base)  # the same as a glob
        self.problems = problems

    def place(self, node: Node) -> Place:
        """Where a node stands."""
        return Place(node.path or self.path, node.line, node.column)

    def report(self, code: str, at: Node | Place, message: str, hint: str = "") -> None:
        """Note a problem."""
        place = at if isinstance(at, Place) else self.place(at)
        self.problems.append(Problem(place, code, one_line(message), one_line(hint)))

    def wrong_type(self, node: Node, wanted: str, hint: str = "") -> None:
        """Note that a value is not what was wanted; a bad node's problem is noted already."""
        if node.kind == "bad":
            return
        if not hint and node.kind == "map" and wanted.startswith(("a text", "a pattern", "a path")):
            hint = _braces_hint(node)
        self.report(WRONG_TYPE, node, f"expected {wanted}, found {shown(node)}", hint)

    def entries(
        self, node: Node, keys: Mapping[str, Key], where: str, parent: Place
    ) -> dict[str, Entry] | None:
        """The known keys of a map, or None; what is missing is a problem at its parent's key."""
        if node.kind != "map":
            self.wrong_type(node, f"a map ({where})")
            return None
        found: dict[str, Entry] = {}
        for key, value in pairs(node):
            name = text_of(key)
            if name in keys:
                found[name] = Entry(key, value)
                continue
            known = f"keys here are {', '.join(keys)}" if keys else "no key can stand here"
            hint = did_you_mean(name, keys) or known
            self.report(UNKNOWN_KEY, key, f"unknown key '{shorten(name)}' in {where}", hint)
        for name, key_info in keys.items():
            if key_info.required and name not in found:
                self.report(MISSING_KEY, parent, f"{where} needs the key '{name}'", _HINTS.get(name, ""))
        return found

    def ids(self, node: Node, what: str) -> dict[str, Entry]:
        """The entries of a map from names that people choose, such as those of sets."""
        if node.kind != "map":
            self.wrong_type(node, f"a map of {what}s by name")
            return {}
        found: dict[str, Entry] = {}
        for key, value in pairs(node):
            name = text_of(key)
            if _ID.fullmatch(name):
                found[name] = Entry(key, value)
                continue
            if "@" in name or "," in name:
                hint = "`@` and `,` are kept for variants"
            else:
                hint = "names are ASCII letters, digits, `_`, `-` and `.`; `-` and `.` can't be first"
            self.report(BAD_ID, key, f"'{shorten(name)}' is not a valid {what} name", hint)
        return found

    def text(self, node: Node, wanted: str = "a text") -> str | None:
        """A text that isn't empty."""
        if node.kind != "scalar":
            self.wrong_type(node, wanted)
            return None
        text = text_of(node)
        if not text:
            self.report(EMPTY, node, f"expected {wanted}, found nothing")
            return None
        return text

    def flag(self, node: Node) -> bool | None:
        """True or false."""
        if node.kind == "scalar" and not node.quoted and node.value in ("true", "false"):
            return node.value == "true"
        word = text_of(node).lower() if node.kind == "scalar" else ""
        meant = {
            "yes": "true",
            "on": "true",
            "true": "true",
            "no": "false",
            "off": "false",
            "false": "false",
        }.get(word)
        self.wrong_type(node, "true or false", f"write {meant}" if meant else "")
        return None

    def integer(self, node: Node, low: int, high: int) -> int | None:
        """A number from a range."""
        if node.kind != "scalar" or node.quoted or not _INTEGER.fullmatch(text_of(node)):
            self.wrong_type(node, "a whole number, decimal or 0x", _number_hint(node))
            return None
        text = text_of(node)
        value = int(text, 0) if len(text) <= _LONGEST_NUMBER else high + 1
        if low <= value <= high:
            return value
        self.report(
            OUT_OF_RANGE,
            node,
            f"{shown(node, bare=True)} is out of range, which is {_power(low)} to {_power(high)}",
        )
        return None

    def choice(self, node: Node, choices: Collection[str]) -> str | None:
        """One of some words."""
        listed = ", ".join(choices)
        if node.kind != "scalar":
            self.wrong_type(node, f"one of {listed}")
            return None
        text = text_of(node)
        if text in choices:
            return text
        self.report(
            NOT_A_CHOICE, node, f"expected one of {listed}, found {shown(node)}", did_you_mean(text, choices)
        )
        return None

    def items(self, node: Node, wanted: str) -> tuple[Node, ...]:
        """The items of a list, or one alone."""
        if node.kind == "list":
            return items_of(node)
        if node.kind == "scalar" and (node.value or node.quoted):
            return (node,)
        self.wrong_type(node, f"{wanted} or a list of them")
        return ()

    def named(self, node: Node, wanted: str) -> tuple[Named, ...]:
        """One or more names of other things, with their places."""
        texts = ((self.text(item, wanted), item) for item in self.items(node, wanted))
        return tuple(Named(text, self.place(item)) for text, item in texts if text is not None)

    def texts(self, node: Node, wanted: str = "a text") -> tuple[str, ...]:
        """One or more texts."""
        return tuple(name.text for name in self.named(node, wanted))

    def patterns(self, node: Node, *, below: str = "", takes_away: bool = False) -> tuple[Pattern, ...]:
        """One or more globs, seen from a folder above (`below` is the glob of where they start)."""
        found: list[Pattern] = []
        for item in self.items(node, "a pattern"):
            pattern = self.pattern(item, below=below, takes_away=takes_away)
            if pattern is not None:
                found.append(pattern)
        return tuple(found)

    def pattern(self, node: Node, *, below: str = "", takes_away: bool = False) -> Pattern | None:
        """A glob; with `takes_away` it may start with `!`."""
        text = self.text(node, "a pattern")
        if text is None:
            return None
        away = text.startswith("!")
        if away and not takes_away:
            self.report(BAD_GLOB, node, f"pattern '{shorten(text)}': `!` takes nothing away here")
            return None
        try:
            parse_glob(text[away:])
        except GlobError as error:
            self.report(BAD_GLOB, node, f"pattern '{shorten(text)}': {error.rule}", error.hint)
            return None
        glob = text[away:]
        return Pattern(f"{below}/{glob}" if below else glob, self.place(node), away)


def _number_hint(node: Node) -> str:
    if node.kind != "scalar":
        return ""
    text = text_of(node)
    if node.quoted and _INTEGER.fullmatch(text):
        return "write it without quotes"
    if text.isdecimal() and text.isascii():
        return f"write {text.lstrip('0')}"
    return ""


def _braces_hint(node: Node) -> str:
    """The hint for `{path}` without quotes, which YAML takes for a map."""
    names = [text_of(key) for key, value in pairs(node) if value.kind == "scalar" and not value.value]
    return (
        f"a text that starts with '{{' needs quotes: \"{{{names[0]}}}\""
        if len(names) == len(pairs(node)) == 1
        else ""
    )


def _power(number: int) -> str:
    """A limit as people say it."""
    if number < 0:
        return f"-{_power(-number)}"
    exponent = number.bit_length()
    if exponent > 16 and number == (1 << exponent) - 1:
        return f"2^{exponent}-1"
    return f"2^{exponent - 1}" if exponent > 16 and number == 1 << (exponent - 1) else str(number)
