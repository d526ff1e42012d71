"""What formats make of lumps: order and names that they can hold, type bytes; and what sources in archives bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.manifest.formats import FORMATS
from lumpyard.plan.codes import NO_FIT, ODD_FIT
from lumpyard.plan.names import name_bytes
from lumpyard.plan.search import matching
from lumpyard.plan.tree import inside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.archives.wad.namespaces import Namespaces
    from lumpyard.errors import Place
    from lumpyard.manifest.model import ArchiveSpec, LumpSet
    from lumpyard.plan.findings import Findings
    from lumpyard.plan.folders import Folders
    from lumpyard.plan.model import PlannedLump, Recipe

_TOLD = frozenset({"duplicate"})  # what the plan tells by itself, with both sources


def in_order(
    lumps: list[PlannedLump], lump_set: LumpSet, files: Sequence[str], folders: Folders
) -> list[PlannedLump]:
    """The lumps of one set as they stand in an archive whose order is data.

    That is the order of the patterns that take their files; files of one pattern are sorted by bytes, and lumps of
    one archive stand as they do in it.
    """
    ranks: dict[str, int] = {}
    for pattern in lump_set.files:
        if not pattern.takes_away:
            for path in matching(pattern.text, files):
                ranks.setdefault(inside(lump_set.root, path), len(ranks))

    def place(lump: PlannedLump) -> tuple[int, int]:
        source = lump.sources[0]
        entry = None if source in ranks else folders.entry(source)
        return (ranks[source], 0) if entry is None else (ranks[entry.archive], entry.place)

    return sorted(lumps, key=place)


def with_kinds(lumps: list[PlannedLump], folders: Folders) -> list[PlannedLump]:
    """The same lumps with the type byte that the manifest gives them, or else their source."""
    found = []
    for lump in lumps:
        kind = lump.recipe.kind
        if kind is None:
            entry = folders.entry(lump.sources[0])
            kind = 0 if entry is None else entry.kind
        found.append(lump._replace(kind=kind) if kind else lump)
    return found


def with_types(lumps: list[PlannedLump], folders: Folders) -> list[PlannedLump]:
    """The same lumps, those that are handed on as they are with the types that they have in an archive.

    What the manifest says beats them, and a rule that makes something else knows its type.
    """
    typed: dict[tuple[int, int | None, int | None], Recipe] = {}
    found = []
    for lump in lumps:
        recipe = lump.recipe
        entry = folders.entry(lump.sources[0]) if recipe.rule.verbatim else None
        if entry is None or not (entry.fourcc or entry.schema):
            found.append(lump)
            continue
        key = id(recipe), entry.fourcc, entry.schema
        if key not in typed:
            fourcc = (entry.fourcc or None) if recipe.fourcc is None else recipe.fourcc
            schema = (entry.schema or None) if recipe.schema is None else recipe.schema
            typed[key] = recipe._replace(fourcc=fourcc, schema=schema)
        found.append(lump._replace(recipe=typed[key]))
    return found


def repeated(names: Sequence[str], format_name: str) -> list[tuple[int, int]]:
    """Pairs of indices of names that one archive can't both have: the first of a name, and each later one.

    In IWAD and PWAD lumps of different maps and of different namespaces may share a name (`THINGS`); only what would
    be one lump to those who read the archive is told.
    """
    places: Sequence[object] = _wad_places(names) if FORMATS[format_name].has_spaces else names
    first: dict[object, int] = {}
    found = []
    for index, place in enumerate(places):
        other = first.setdefault(place, index)
        if other != index:
            found.append((other, index))
    return found


def report_misfits(
    lumps: Sequence[PlannedLump], spec: ArchiveSpec, sets: Mapping[str, LumpSet], findings: Findings
) -> None:
    """Note each name that the archive's format can't hold."""
    from lumpyard.archives.model import shown  # noqa: PLC0415 - most archives are EWADs
    from lumpyard.archives.writing import WRITERS, NewLump  # noqa: PLC0415

    named = [(lump, name) for lump in lumps for name in lump.products or ()]
    names = [name_bytes(name) for _, name in named]
    for fault in WRITERS[spec.format].check([NewLump(name, 0, 0) for name in names]):
        code = ODD_FIT if fault.verdict == "ok" else NO_FIT
        if fault.entry is None:
            findings.add(spec.place, code, f"archive '{spec.id}': {fault.message}")
        elif fault.code not in _TOLD:
            lump, name = named[fault.entry]
            said = fault.message.removeprefix(f"entry {fault.entry} ({shown(names[fault.entry])}): ")
            fits = "is odd in" if code == ODD_FIT else "doesn't fit"
            message = f"lump name '{name}' of {lump.sources[0]} {fits} {spec.format}: {said}"
            findings.add(
                _place(lump, sets), code, message, _hint(name, said, archived="!" in lump.sources[0])
            )
    if FORMATS[spec.format].has_spaces and all(lump.products is not None for lump in lumps):
        for odd in _namespaces([name for _, name in named]).findings:
            findings.add(spec.place, ODD_FIT, f"archive '{spec.id}': {odd.message}")


def _place(lump: PlannedLump, sets: Mapping[str, LumpSet]) -> Place:
    lump_set = sets[lump.recipe.set_id]
    return lump_set.settings.places.get("name", lump_set.place)


def _hint(name: str, said: str, *, archived: bool) -> str:
    """What to do about a name that is too long, or in lower case; `archived`: a lump of an archive has it."""
    field, what = ("{lump}", "lump's own name") if archived else ("{stem}", "file's name")
    if "lower-case" in said:
        return f'`name: "{field.upper()}"` has the {what} in capitals'
    if "the most is" not in said:
        return ""
    if "/" in name:
        return f'`name: "{field}"` takes the {what} alone, without folder and suffix'
    return f'`name: "{field}"` leaves the suffix out' if "." in name else "give the file a shorter name"


def _wad_places(names: Sequence[str]) -> list[object]:
    """What tells the lumps of a WAD apart, alike for those that nothing does."""
    found = _namespaces(names)
    places: list[object] = list(zip(found.spaces, names, strict=True))
    for number, one in enumerate(found.maps):
        for entry in one.lumps:
            places[entry] = number, names[entry]
    for number, block in enumerate(found.blocks):  # one kind may have several blocks
        for marker in (block.start, block.end)[: 1 + block.closed]:
            places[marker] = "marker", number, names[marker]
    return places


def _namespaces(names: Sequence[str]) -> Namespaces:
    from lumpyard.archives.model import Lump  # noqa: PLC0415 - as in report_misfits
    from lumpyard.archives.wad.namespaces import namespaces  # noqa: PLC0415

    return namespaces([Lump(name_bytes(name), 0, 0, 0) for name in names])
