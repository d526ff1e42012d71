"""Archives whose lumps become sources of a set, one by one (rule `archive`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lumpyard.globs import GlobError, any_match, parse_glob
from lumpyard.plan.codes import BAD_CHOICE, LEFT_OUT, NO_ARCHIVE, SELECTS_NOTHING
from lumpyard.plan.search import matching
from lumpyard.plan.tree import Reading, inside

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.globs import Glob
    from lumpyard.manifest.model import LumpSet, Settings
    from lumpyard.plan.findings import Findings
    from lumpyard.plan.folders import Folders


class ArchiveOptions(Protocol):
    """What the options of a rule have whose sources are archives (`Rule.expands`)."""

    only: tuple[str, ...]  # globs over the paths of lumps; () is all
    exclude: tuple[str, ...]
    format: str
    lenient: bool
    names: tuple[str, ...]
    rule: str  # kind of the rule that the lumps are cooked by


def expand_files(
    options: object,
    files: Sequence[str],
    lump_set: LumpSet,
    settings: Settings,
    folders: Folders,
    findings: Findings,
) -> list[tuple[list[str], list[str]]]:
    """For each archive the paths in it of the lumps that are taken, in directory order, and them as sources."""
    chosen = _options(options)
    place = settings.places.get("options", lump_set.place)
    only = list(_globs(chosen.only, "only", settings, lump_set, findings))
    exclude = list(_globs(chosen.exclude, "exclude", settings, lump_set, findings))
    wanted, unwanted = any_match(only), any_match(exclude)
    reading = Reading(chosen.format, chosen.lenient, tuple(chosen.names))
    found: list[tuple[list[str], list[str]]] = []
    seen: dict[str, None] = {}
    for file in files:
        archive = inside(lump_set.root, file)
        expansion = folders.expand(archive, reading)
        at = settings.places.get("files", lump_set.place)
        if expansion.fault:
            findings.add(at, NO_ARCHIVE, f"{archive}: {expansion.fault}")
        for warning in expansion.warnings:
            findings.add(at, LEFT_OUT, warning)
        seen.update(dict.fromkeys(expansion.paths))
        paths = [
            path
            for path in expansion.paths
            if (not only or wanted(path)) and not unwanted(path) and not folders.ignores(path)
        ]
        found.append((paths, [f"{archive}!{path}" for path in paths]))
    for key, globs in (("only", only), ("exclude", exclude)):
        for glob in globs if seen else ():
            if not matching(glob.text, seen):
                findings.add(place, SELECTS_NOTHING, f"{key}: no lump of the archives matches '{glob.text}'")
    return found


def _options(options: object) -> ArchiveOptions:
    """Options as what `Rule.expands` promises that they are."""
    return options  # type: ignore[return-value]


def _globs(
    texts: Sequence[str], key: str, settings: Settings, lump_set: LumpSet, findings: Findings
) -> Iterator[Glob]:
    for text in texts:
        try:
            yield parse_glob(text)
        except GlobError as error:
            place = settings.places.get("options", lump_set.place)
            findings.add(place, BAD_CHOICE, f"{key}: pattern '{text}': {error.rule}", error.hint)
