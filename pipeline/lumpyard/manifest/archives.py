"""Archives: what each is to hold, and what can't go together in one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import Place, Problem
from lumpyard.manifest import keys
from lumpyard.manifest.closest import did_you_mean
from lumpyard.manifest.codes import BAD_ALIGNMENT, FORMAT_HOLDS, LISTED_TWICE, ONE_OUTPUT, UNKNOWN_SET
from lumpyard.manifest.formats import FORMATS
from lumpyard.manifest.model import ArchiveSpec, Named
from lumpyard.manifest.nodes import shorten
from lumpyard.manifest.paths import check_output, output_path, symbols_path
from lumpyard.manifest.settings import read_alignment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lumpyard.manifest.model import LumpSet, Node, Settings
    from lumpyard.manifest.reader import Entry, Reader

DEFAULT_ALIGNMENT = 16


class RawArchive(NamedTuple):
    """An archive as one manifest says it, with the places of what its format may not hold."""

    spec: ArchiveSpec
    asks: tuple[tuple[str, Place], ...]  # ("alignment", place of its value) ...


def read_archive(reader: Reader, archive_id: str, entry: Entry) -> RawArchive:
    """What one archive is to be."""
    place = reader.place(entry.key)
    entries = reader.entries(entry.value, keys.ARCHIVE, f"archive '{archive_id}'", place) or {}
    value = {name: found.value for name, found in entries.items()}
    format_name = (reader.choice(value["format"], FORMATS) if "format" in value else None) or "EWAD"
    target = FORMATS[format_name]
    default_path = archive_id + target.suffix
    if "path" in value:
        path = output_path(reader, value["path"])
    else:
        path = default_path if check_output(reader, entry.key, default_path) else None
    alignment = read_alignment(reader, value["alignment"]) if "alignment" in value else None
    dedupe = reader.flag(value["dedupe"]) if "dedupe" in value else None
    strip = reader.flag(value["strip"]) if "strip" in value else None
    asked = {"alignment": alignment is not None, "dedupe": dedupe, "strip": strip}
    spec = ArchiveSpec(
        id=archive_id,
        place=place,
        sets=_sets(reader, value["sets"], archive_id) if "sets" in value else (),
        path=path or default_path,
        path_place=reader.place(value["path"]) if "path" in value else place,
        only=reader.patterns(value["only"]) if "only" in value else (),
        exclude=reader.patterns(value["exclude"]) if "exclude" in value else (),
        alignment=(alignment or DEFAULT_ALIGNMENT) if target.holds_all else 1,
        dedupe=bool(dedupe),
        format=format_name,
        strip=target.holds_all if strip is None else strip,
    )
    return RawArchive(
        spec,
        tuple((key, reader.place(value[key])) for key, is_asked in asked.items() if is_asked),
    )


def iter_archive_problems(raw: RawArchive, sets: Mapping[str, LumpSet]) -> Iterator[Problem]:
    """What is wrong with one archive, its format and the sets that it takes."""
    spec = raw.spec
    for named in spec.sets:
        if named.text not in sets:
            hint = did_you_mean(named.text, sets)
            yield Problem(named.place, UNKNOWN_SET, f"there is no set '{shorten(named.text)}'", hint)
    taken = {named.text: sets[named.text] for named in spec.sets if named.text in sets}
    target = FORMATS[spec.format]
    layers = [settings for lump_set in taken.values() for settings in _layers(lump_set)]
    if not target.holds_kinds:
        yield from (_no_kind(spec, layer.places["kind"]) for layer in layers if layer.kind)
    if target.holds_all:
        yield from _iter_misaligned(spec, taken.values())
        return
    for key, place in raw.asks:
        yield _not_held(spec, key, place)
    for layer in layers:
        asks = {"type": layer.fourcc, "schema": layer.schema, "alignment": layer.alignment}
        yield from (_not_held(spec, key, layer.places[key]) for key, asked in asks.items() if asked)
        if layer.compress is not None and layer.compress.codec != "none" and not layer.compress.auto:
            yield _no_codec(spec, layer.compress.codec, layer.places["compress"])


def iter_output_problems(specs: Iterable[ArchiveSpec]) -> Iterator[Problem]:
    """Archives that would write each other's files, on any file system."""
    taken: dict[str, str] = {}
    folders: dict[str, str] = {}
    symbols: dict[str, str] = {}
    for spec in specs:
        path = _folded(spec.path)
        above = [path[:at] for at, char in enumerate(path) if char == "/"]
        side = symbols_path(path)
        if path in taken:
            message = f"writes the same file as archive '{taken[path]}'"
        elif path in folders:
            message = f"is a folder of archive '{folders[path]}'"
        elif any(folder in taken for folder in above):
            owner = next(taken[folder] for folder in above if folder in taken)
            message = f"has the file of archive '{owner}' as a folder"
        elif side in symbols:
            message = f"has its symbols at symbols/{symbols_path(spec.path)} like archive '{symbols[side]}'"
        else:
            message = ""
        if message:
            text = f"archive '{spec.id}' {message}: '{spec.path}'"
            yield Problem(spec.path_place, ONE_OUTPUT, text, "give it a `path` of its own")
        taken.setdefault(path, spec.id)
        symbols.setdefault(side, spec.id)
        for folder in above:
            folders.setdefault(folder, spec.id)


def _folded(path: str) -> str:
    """What two paths share that some file system takes for one."""
    if path.isascii():
        return path.lower()
    from unicodedata import normalize  # noqa: PLC0415 - few paths need it

    return normalize("NFC", normalize("NFC", path).casefold())


def _sets(reader: Reader, node: Node, archive_id: str) -> tuple[Named, ...]:
    named = reader.named(node, "the name of a set")
    seen: set[str] = set()
    for name in named:
        if name.text in seen:
            message = f"archive '{archive_id}' lists set '{name.text}' twice"
            reader.report(LISTED_TWICE, name.place, message, "leave one out")
        seen.add(name.text)
    return named


def _iter_misaligned(spec: ArchiveSpec, taken: Iterable[LumpSet]) -> Iterator[Problem]:
    for lump_set in taken:
        for settings in _layers(lump_set):
            alignment = settings.alignment
            if alignment is not None and alignment % spec.alignment:
                message = f"alignment {alignment} of set '{lump_set.id}' is no multiple of {spec.alignment}"
                hint = f"{spec.alignment} is the alignment of archive '{spec.id}'"
                yield Problem(settings.places["alignment"], BAD_ALIGNMENT, message, hint)


def _layers(lump_set: LumpSet) -> list[Settings]:
    return [lump_set.settings, *(override.settings for override in lump_set.overrides)]


def _no_kind(spec: ArchiveSpec, place: Place) -> Problem:
    message = f"archive '{spec.id}' can't hold this `kind`: {spec.format} has none"
    holders = " and ".join(name for name, target in FORMATS.items() if target.holds_kinds)
    return Problem(place, FORMAT_HOLDS, message, f"{holders} can hold it")


def _no_codec(spec: ArchiveSpec, codec: str, place: Place) -> Problem:
    message = f"archive '{spec.id}' can't hold this `compress`: {spec.format} has no {codec}"
    own = "its own codec" if FORMATS[spec.format].codec else "its lumps as they are"
    return Problem(place, FORMAT_HOLDS, message, f"`auto` gives it {own}")


def _not_held(spec: ArchiveSpec, key: str, place: Place) -> Problem:
    message = f"archive '{spec.id}' can't hold this `{key}`: {spec.format} has none"
    return Problem(place, FORMAT_HOLDS, message, "EWAD can hold it")
