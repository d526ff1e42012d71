"""`lumpyard map -o`: maps as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.console.escape import escape_name
from lumpyard.console.sizes import size_text
from lumpyard.disk import write_file
from lumpyard.errors import NotFoundError, UsageError
from lumpyard.extract import escape_part
from lumpyard.maps.drawing import DEFAULT_LAYERS, LAYERS, DrawOptions, draw_png, draw_svg

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lumpyard.cli.map_file import MapInput
    from lumpyard.cli.output import Streams
    from lumpyard.maps.drawing import Mark
    from lumpyard.maps.model import DoomMap

_MAP = "{map}"
_OPTIONS = (
    "size",
    "theme",
    "fill",
    "skill",
    "mode",
)  # of the command line and of DrawOptions, whose defaults hold


def draw_maps(file: MapInput, args: argparse.Namespace, io: Streams) -> int:
    """Write a picture of each map."""
    names = picture_names(args.out, [found.level.name for found in file.maps])
    check_sector([found.level for found in file.maps], args)
    for name, found in zip(names, file.maps, strict=True):
        draw_one(found.level, name, args, io)
    if args.findings == "json":
        pairs = zip(names, file.maps, strict=True)
        io.out.json([{"map": found.level.name, "picture": name} for name, found in pairs])
    return 0


def check_sector(levels: Sequence[DoomMap], args: argparse.Namespace) -> None:
    """Raise NotFoundError where one of the maps has no sector that --reject-from names, before any is drawn."""
    for level in levels:
        many = len(level.sectors)
        if args.reject_from is not None and args.reject_from >= many:
            has = f"its sectors are 0 to {many - 1}" if many else "it has no sectors"
            raise NotFoundError(
                f"--reject-from {args.reject_from}: {escape_name(level.name)} has no such sector; {has}"
            )


def draw_one(
    level: DoomMap, path: str, args: argparse.Namespace, io: Streams, marks: Sequence[Mark] = ()
) -> None:
    """Write the picture of one map, and say so; beside changes, which are the result, on standard error."""
    options = draw_options(args, marks)
    svg = path.lower().endswith(".svg")
    data = draw_svg(level, options).encode() if svg else draw_png(level, options)
    write_file(path, data, durable=False)
    if args.findings == "text":
        told = io.out if args.compare is None else io.err
        told.line(f"{path}: {escape_name(level.name)}, {size_text(len(data))}")


def draw_options(args: argparse.Namespace, marks: Sequence[Mark]) -> DrawOptions:
    """What the command line says of pictures; UsageError where that makes no sense."""
    try:
        return DrawOptions(
            layers=layers_of(args.layers or ""),
            game=args.game or "auto",
            reject_from=args.reject_from,
            marks=marks,
            **{option: value for option in _OPTIONS if (value := getattr(args, option)) is not None},
        )
    except ValueError as error:
        raise UsageError(str(error)) from error


def layers_of(text: str) -> frozenset[str]:
    """The layers that a list names: those alone, or the usual ones with some more (+) and some less (-)."""
    words = [word for word in text.split(",") if word]
    signed = [word for word in words if word[0] in "+-"]
    if signed and len(signed) < len(words):
        raise UsageError(f"--layers {text}: either all names have + or - ahead, or none")
    layers = set(DEFAULT_LAYERS) if signed or not words else set()
    for word in words:
        name = word.lstrip("+-")
        if name not in LAYERS:
            raise UsageError(f"--layers {text}: no layer {name!r}; there are {', '.join(LAYERS)}")
        if word.startswith("-"):
            layers.discard(name)
        else:
            layers.add(name)
    return frozenset(layers)


def picture_names(pattern: str, maps: Sequence[str]) -> list[str]:
    """The path of each map's picture; UsageError where two would have one."""
    if _MAP not in pattern:
        if len(maps) != 1:
            message = f"{len(maps)} maps do not fit into one picture; name one, or put {_MAP} into {pattern}"
            raise UsageError(message)
        return [pattern]
    names = [pattern.replace(_MAP, _file_name(name)) for name in maps]
    taken: dict[str, int] = {}
    for place, name in enumerate(names):
        many = taken[name.casefold()] = taken.get(name.casefold(), 0) + 1
        if many > 1:
            names[place] = pattern.replace(_MAP, f"{_file_name(maps[place])}~{many}")
    return names


def _file_name(name: str) -> str:
    """A map's name as a part of a file name, with no dot and no slash in it; UsageError for one that is too long."""
    try:
        part = escape_part(name)
    except ValueError as error:
        raise UsageError(f"no picture can be called by the map {name!r}: {error}") from error
    return part.replace("/", "%2F").replace("\\", "%5C").replace(".", "%2E")
