"""Lump names that one archive, or some file systems, cannot hold together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.plan.codes import CASE_TWINS, FILE_AND_FOLDER, TAKEN_TWICE, TWO_SOURCES
from lumpyard.plan.names import sorted_by_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.errors import Place
    from lumpyard.plan.findings import Findings
    from lumpyard.plan.model import PlannedLump


def known_names(lumps: Iterable[PlannedLump]) -> list[str]:
    """All lump names that are known before cooking."""
    return [name for lump in lumps for name in lump.products or ()]


def report_clashes(lumps: Sequence[PlannedLump], findings: Findings, format_name: str = "EWAD") -> None:
    """Note names that have two sources, and names that differ too little."""
    names = known_names(lumps)
    distinct = set(names)
    if len(distinct) != len(names):
        _report_twice(lumps, names, format_name, findings)
        names = list(dict.fromkeys(names))
    twins = _case_twins(names)  # lists are walked twice as fast as sets
    nested = distinct & _folders(names)
    if twins or nested:
        _report_lookalikes(lumps, twins, nested, findings)


def _report_twice(
    lumps: Sequence[PlannedLump], names: Sequence[str], format_name: str, findings: Findings
) -> None:
    """Note each name that a second lump has, at the set of the second."""
    from lumpyard.plan.formats import repeated  # noqa: PLC0415 - few plans have any

    owners = [lump for lump in lumps for _ in lump.products or ()]
    for first, second in repeated(names, format_name):
        _report_pair(names[second], owners[first], owners[second], findings)


def _report_pair(name: str, first: PlannedLump, second: PlannedLump, findings: Findings) -> None:
    place, source = second.recipe.place, second.sources[0]
    same_set = first.recipe.set_id == second.recipe.set_id
    if first.sources == second.sources and not same_set:
        message = f"sets {_set(first)} and {_set(second)} both take {source} as '{name}'"
        hint = "take it away from one of them with a `!` pattern, or give one another `name`"
        findings.add(place, TAKEN_TWICE, message, hint)
        return
    if same_set:
        message = f"two sources for lump '{name}': {first.sources[0]} and {source}, both of set {_set(first)}"
        hint = "another `name` keeps them apart"
        if first.name == second.name:
            hint = "`gather: true` makes one lump of them; {path} in `name` keeps them apart"
    else:
        both = f"{first.sources[0]} of set {_set(first)} and {source} of set {_set(second)}"
        message = f"two sources for lump '{name}': {both}"
        hint = "give one of the sets another `name`, or take one of the files away"
    findings.add(place, TWO_SOURCES, message, hint)


def _set(lump: PlannedLump) -> str:
    """A set by its name and place."""
    return f"'{lump.recipe.set_id}' ({lump.recipe.place})"


def _case_twins(names: Sequence[str]) -> list[list[str]]:
    """Groups of names that are the same where neither case nor Unicode form counts, each sorted by bytes."""
    text = "\0".join(names)
    lower = text.lower()
    if text.isascii() and (lower == text or len(set(lower.split("\0"))) == len(names)):
        return []
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.lower() if name.isascii() else _folded(name), []).append(name)
    return [sorted_by_bytes(group) for group in groups.values() if len(group) > 1]


def _folded(name: str) -> str:
    """What a file system that folds case and normalizes would take a name for."""
    from unicodedata import normalize  # noqa: PLC0415 - 1 ms, for names that are not ASCII

    return normalize("NFC", normalize("NFD", name).casefold())


def _folders(names: Sequence[str]) -> set[str]:
    """The folders that names lie in, at any depth."""
    found = {name[: name.rfind("/")] for name in names if "/" in name}
    level = found
    while level:
        level = {folder[: folder.rfind("/")] for folder in level if "/" in folder} - found
        found = found | level
    return found


def _report_lookalikes(
    lumps: Sequence[PlannedLump], twins: list[list[str]], nested: set[str], findings: Findings
) -> None:
    places: dict[str, Place] = {name: lump.recipe.place for lump in lumps for name in lump.products or ()}
    for group in sorted(twins):
        listed = " and ".join(f"'{name}'" for name in group)
        only = "case" if len({name.casefold() for name in group}) == 1 else "case or Unicode form"
        message = f"lump names {listed} differ only in {only}"
        findings.add(places[group[-1]], CASE_TWINS, message, "some file systems can't hold both")
    first: dict[str, str] = {}  # name that is a folder -> the first lump below it
    for name in sorted(places) if nested else ():
        for folder in nested.intersection(_folders([name])):
            first.setdefault(folder, name)
    for name in sorted(nested):
        message = f"lump name '{name}' is also the folder of '{first[name]}'"
        findings.add(places[name], FILE_AND_FOLDER, message, "no file system can hold both")
