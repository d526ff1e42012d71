"""Lump sets: what each says, and what it is once `defaults` and `extends` are merged in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.errors import Problem
from lumpyard.manifest import keys
from lumpyard.manifest.closest import did_you_mean
from lumpyard.manifest.codes import (
    EMPTY,
    EXTENDS_CYCLE,
    MISSING_KEY,
    TAKES_NOTHING,
    UNKNOWN_SET,
    WRITTEN_FOLDER,
)
from lumpyard.manifest.model import LumpSet, Named, Override, Pattern, Settings
from lumpyard.manifest.nodes import items_of, one_line
from lumpyard.manifest.paths import NEVER_ENTERED, check_entered, project_path
from lumpyard.manifest.settings import overlay, read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumpyard.errors import Place
    from lumpyard.manifest.model import Node
    from lumpyard.manifest.reader import Entry, Reader


class Said(NamedTuple):
    """What one set, or one file's `defaults`, says; None is silence."""

    settings: Settings = Settings()
    files: tuple[Pattern, ...] | None = None
    root: str | None = None
    overrides: tuple[Override, ...] | None = None
    optional: bool | None = None
    gather: bool | None = None
    after: tuple[Named, ...] | None = None


class RawSet(NamedTuple):
    """A set before anything is merged into it."""

    id: str
    place: Place  # of its key
    folder: str  # of its manifest: the default root
    defaults: Said
    said: Said
    extends: Named | None
    broken: bool  # `files` or `extends` can't be read, which is noted already


def read_defaults(reader: Reader, entry: Entry) -> Said:
    """What `defaults` says."""
    entries = reader.entries(entry.value, keys.DEFAULTS, "defaults", reader.place(entry.key))
    return _read_said(reader, entries or {}, "defaults")


def read_set(reader: Reader, set_id: str, entry: Entry, defaults: Said) -> RawSet:
    """What one set says."""
    place = reader.place(entry.key)
    where = f"set '{set_id}'"
    entries = reader.entries(entry.value, keys.SET, where, place)
    extends = None
    if entries and "extends" in entries:
        text = reader.text(entries["extends"].value, "the name of a set")
        extends = Named(text, reader.place(entries["extends"].value)) if text is not None else None
    said = _read_said(reader, entries or {}, where)
    broken = (
        entries is None
        or ("files" in entries and said.files is None)
        or ("extends" in entries and extends is None)
    )
    return RawSet(set_id, place, reader.base, defaults, said, extends, broken)


def merge_said(lower: Said, upper: Said) -> Said:
    """What is said over other things that are said, key by key."""
    said: dict[str, Any] = {
        name: value
        for name, value in zip(Said._fields, upper, strict=True)
        if name != "settings" and value is not None
    }
    return lower._replace(**said, settings=overlay(lower.settings, upper.settings))


def merge_sets(raw_sets: Mapping[str, RawSet], problems: list[Problem]) -> dict[str, LumpSet]:
    """Every set as the plan takes it; what is wrong between sets is added to the problems."""
    return {set_id: _merge_set(raw, raw_sets, problems) for set_id, raw in raw_sets.items()}


def _merge_set(raw: RawSet, raw_sets: Mapping[str, RawSet], problems: list[Problem]) -> LumpSet:
    chain, whole = _chain(raw, raw_sets, problems)
    merged = raw.defaults
    for link in reversed(chain):
        merged = merge_said(merged, link.said)
    if merged.files is None and whole:
        _report(problems, MISSING_KEY, raw.place, f"set '{raw.id}' needs the key 'files'")
    root = raw.folder if merged.root is None else merged.root
    if not root:
        _check_patterns(merged.files or (), problems)
    return LumpSet(
        raw.id,
        raw.place,
        merged.files or (),
        merged.settings,
        root,
        merged.overrides or (),
        bool(merged.optional),
        bool(merged.gather),
        merged.after or (),
    )


def _chain(raw: RawSet, raw_sets: Mapping[str, RawSet], problems: list[Problem]) -> tuple[list[RawSet], bool]:
    """A set, the one it extends and so on; and whether nothing in that is wrong."""
    chain = [raw]
    while (extends := chain[-1].extends) is not None:
        parent = raw_sets.get(extends.text)
        if parent is None:
            if len(chain) == 1:
                hint = did_you_mean(extends.text, raw_sets)
                _report(problems, UNKNOWN_SET, extends.place, f"there is no set '{extends.text}'", hint)
            return chain, False
        if parent in chain:
            if parent is raw:
                circle = " -> ".join(link.id for link in (*chain, raw))
                place = chain[0].extends.place if chain[0].extends else raw.place
                _report(problems, EXTENDS_CYCLE, place, f"sets extend each other in a circle: {circle}")
            return chain, False
        chain.append(parent)
    return chain, not any(link.broken for link in chain)


def _check_patterns(files: tuple[Pattern, ...], problems: list[Problem]) -> None:
    """No pattern from the project folder leads into a folder that is never entered."""
    for pattern in files:
        first, slash, _ = pattern.text.partition("/")
        if slash and first in NEVER_ENTERED and not pattern.takes_away:
            message = f"'{pattern.text}' lies in {first}/, which is never searched"
            hint = "keep sources, also generated ones, in folders of their own"
            _report(problems, WRITTEN_FOLDER, pattern.place, message, hint)


def _read_said(reader: Reader, entries: dict[str, Entry], where: str) -> Said:
    """What some entries say; `where` is for messages."""
    value = {name: entry.value for name, entry in entries.items()}
    return Said(
        read_settings(reader, entries),
        _files(reader, value["files"], where) if "files" in value else None,
        _root(reader, value["root"]) if "root" in value else None,
        _overrides(reader, value["overrides"]) if "overrides" in value else None,
        reader.flag(value["optional"]) if "optional" in value else None,
        reader.flag(value["gather"]) if "gather" in value else None,
        reader.named(value["after"], "the name of a doit task") if "after" in value else None,
    )


def _files(reader: Reader, node: Node, where: str) -> tuple[Pattern, ...] | None:
    if node.kind == "list" and not node.value:
        reader.report(EMPTY, node, f"{where} has no patterns", "give at least one, or leave the set out")
        return None
    found = reader.patterns(node, takes_away=True)
    if found and all(pattern.takes_away for pattern in found):
        hint = 'the first pattern must take files, such as "**"'
        reader.report(TAKES_NOTHING, node, f"all patterns of {where} take files away", hint)
    return found or None


def _root(reader: Reader, node: Node) -> str | None:
    path = project_path(reader, node, hint="`mounts` brings folders from outside in")
    if path:
        check_entered(reader, node, path)
    return path


def _overrides(reader: Reader, node: Node) -> tuple[Override, ...]:
    if node.kind != "list":
        reader.wrong_type(
            node, "a list of overrides", "each starts with `- match: PATTERN`" if node.kind == "map" else ""
        )
        return ()
    read = (_override(reader, item) for item in items_of(node))
    return tuple(override for override in read if override is not None)


def _override(reader: Reader, node: Node) -> Override | None:
    entries = reader.entries(node, keys.OVERRIDE, "an override", reader.place(node))
    if entries is None:
        return None
    settings = read_settings(reader, entries)
    match = reader.pattern(entries["match"].value) if "match" in entries else None
    return Override(match, settings) if match is not None else None


def _report(problems: list[Problem], code: str, place: Place, message: str, hint: str = "") -> None:
    problems.append(Problem(place, code, one_line(message), one_line(hint)))
