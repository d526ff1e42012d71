"""Manifests as values, with places that a test can say: a set's keys stand on the lines after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.errors import Place
from lumpyard.manifest.model import ArchiveSpec, LumpSet, Manifest, Named, Node, Override, Pattern, Settings
from lumpyard.registry import Registered, RuleTable
from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_YAML_KEYS = {"fourcc": "type"}
_KEY_LINES = {
    key: line
    for line, key in enumerate(
        ("root", "files", "rule", "type", "schema", "compress", "alignment", "name", "options", "overrides"),
        1,
    )
}


def place(line: int, column: int = 3) -> Place:
    return Place("assets.yaml", line, column)


def patterns(texts: str | Sequence[str], line: int) -> tuple[Pattern, ...]:
    """Patterns on one line, at columns 12, 14 and so on; `!` takes away."""
    listed = [texts] if isinstance(texts, str) else texts
    return tuple(
        Pattern(text.removeprefix("!"), Place("assets.yaml", line, 12 + 2 * at), text.startswith("!"))
        for at, text in enumerate(listed)
    )


def settings(line: int, **said: Any) -> Settings:
    """Settings whose keys stand at column 12 of the lines that follow `line`, each on its own."""
    places = {
        key: Place("assets.yaml", line + at, 12)
        for key, at in _KEY_LINES.items()
        if key in {_YAML_KEYS.get(name, name) for name in said}
    }
    return Settings(**said, places=places)


def override(match: str, line: int, **said: Any) -> Override:
    """An override on one line, with its keys on the lines that follow."""
    return Override(patterns(match, line)[0], settings(line, **said))


def a_set(
    set_id: str,
    files: str | Sequence[str] = "**",
    /,
    *,
    line: int = 10,
    root: str = "",
    overrides: Iterable[Override] = (),
    optional: bool = False,
    gather: bool = False,
    **said: Any,
) -> LumpSet:
    """A set at line:3, its root at line+1, its patterns at line+2, its other keys below that."""
    own = settings(line, **said)
    if root:
        own.places["root"] = Place("assets.yaml", line + 1, 12)
    return LumpSet(
        set_id, place(line), patterns(files, line + 2), own, root, tuple(overrides), optional, gather
    )


def an_archive(
    name: str,
    *sets: str,
    line: int = 90,
    only: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    **said: Any,
) -> ArchiveSpec:
    """An archive at line:3, its `only` at line+1 and its `exclude` at line+2."""
    named = tuple(Named(text, place(line, 12 + 2 * at)) for at, text in enumerate(sets))
    return ArchiveSpec(
        name,
        place(line),
        named,
        f"{name}.ewad",
        place(line),
        patterns(only, line + 1),
        patterns(exclude, line + 2),
        **said,
    )


def a_manifest(*parts: LumpSet | ArchiveSpec, **said: Any) -> Manifest:
    """A manifest of sets and archives; without an archive, `base` has all the sets."""
    sets = {part.id: part for part in parts if isinstance(part, LumpSet)}
    archives = {part.id: part for part in parts if isinstance(part, ArchiveSpec)}
    return Manifest(
        "assets.yaml",
        ("assets.yaml",),
        "d" * 64,
        sets,
        archives or {"base": an_archive("base", *sets)},
        **said,
    )


def scalar(value: str, line: int, column: int = 20) -> Node:
    return Node("scalar", value, line, column)


def options_node(line: int, **values: str) -> Node:
    """A map of scalars on one line: the first key at column 12, its value at 20, the next 16 further on."""
    pairs = [
        (scalar(key, line, 12 + 16 * at), scalar(value, line, 20 + 16 * at))
        for at, (key, value) in enumerate(values.items())
    ]
    return Node("map", tuple(pairs), line, 12)


def a_rule(kind: str, *suffixes: str, **said: Any) -> Rule:
    """A rule that passes its first source on."""
    said.setdefault("version", 1)
    return Rule(
        kind=kind, cook=lambda sources, _: [Product(sources[0].data)], suffixes=frozenset(suffixes), **said
    )


RAW = a_rule("raw", verbatim=True)


def a_table(*rules: Rule) -> RuleTable:
    """These rules and `raw`, with digests that name them."""
    return RuleTable(
        {
            rule.kind: Registered(rule, "tests", f"digest of {rule.kind} {rule.version}")
            for rule in (RAW, *rules)
        }
    )
