"""`lumpyard map --compare`: what changed in maps since another file, as text, Markdown, data and pictures."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.cli.map_file import open_map_file, other_file
from lumpyard.console.map_changes import map_diff_data, map_diff_markdown, map_diff_text
from lumpyard.maps.checks.guessing import guess_game
from lumpyard.maps.compare import compare
from lumpyard.maps.tables.things import things

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from lumpyard.cli.map_file import MapInput
    from lumpyard.cli.output import Streams
    from lumpyard.maps.diff import MapDiff
    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.opening import Found


class _Pair(NamedTuple):
    """A map before and after; None where there is none of its name."""

    old: DoomMap | None
    new: DoomMap | None


def compare_maps(file: MapInput, args: argparse.Namespace, io: Streams) -> int:
    """Print what changed, and draw it where a picture is asked for; 1 where anything did."""
    other = {"format": "auto", "symbols": args.compare_symbols}  # the other file is another
    reading = Namespace(**{**vars(args), **other})
    with other_file(), open_map_file(args.compare, reading, io, ()) as before:
        pairs = _pairs(before.maps, file.maps, all_of_them=not args.maps)
        diffs = [(pair, compare(pair.old, pair.new)) for pair in pairs if pair.old and pair.new]
        if args.out is not None:
            _draw(diffs, args, io)
        alone = [pair for pair in pairs if not (pair.old and pair.new)]
        if args.findings == "json":
            io.out.json([*map(_alone_data, alone), *(_data(pair, diff) for pair, diff in diffs)])
        else:
            _print(alone, diffs, args, io)
    return int(bool(alone) or any(diff for _, diff in diffs))


def _pairs(old: Sequence[Found], new: Sequence[Found], *, all_of_them: bool) -> list[_Pair]:
    """Maps of one name; of several of a name in one file the last, as engines do."""
    before = {found.level.name.upper(): found.level for found in old}
    after = {found.level.name.upper(): found.level for found in new}
    names = [*after, *(name for name in before if name not in after and all_of_them)]
    if len(before) == len(after) == 1 and before.keys() != after.keys() and all_of_them:
        return [_Pair(next(iter(before.values())), next(iter(after.values())))]  # one map, called otherwise
    return [_Pair(before.get(name), after.get(name)) for name in names]


def _draw(diffs: Sequence[tuple[_Pair, MapDiff]], args: argparse.Namespace, io: Streams) -> None:
    from lumpyard.cli.map_drawing import check_sector, draw_one, picture_names  # noqa: PLC0415 - only for pictures
    from lumpyard.maps.marks import diff_marks  # noqa: PLC0415

    names = picture_names(args.out, [pair.new.name for pair, _ in diffs if pair.new])
    check_sector([pair.new for pair, _ in diffs if pair.new], args)
    for name, (pair, diff) in zip(names, diffs, strict=True):
        assert pair.old is not None
        assert pair.new is not None
        draw_one(pair.new, name, args, io, diff_marks(diff, pair.old, pair.new))


def _print(
    alone: Sequence[_Pair], diffs: Sequence[tuple[_Pair, MapDiff]], args: argparse.Namespace, io: Streams
) -> None:
    for pair in alone:
        level, word = (pair.new, "added") if pair.old is None else (pair.old, "removed")
        assert level is not None
        io.out.line(f"{'### ' if args.markdown else ''}{level.name}: {word}")
    render = map_diff_markdown if args.markdown else map_diff_text
    for pair, diff in diffs:
        assert pair.old is not None
        assert pair.new is not None
        if diff:
            io.out.lines(render(diff, pair.old, pair.new, _thing_name(pair.new, args)))
    if not alone and not any(diff for _, diff in diffs):
        io.out.line("nothing changed")


def _thing_name(level: DoomMap, args: argparse.Namespace) -> Callable[[int], str]:
    known = things(args.game or guess_game(level), args.target)

    def name(number: int) -> str:
        row = known.get(number)
        return f"{row.name} ({number})" if row else f"unknown thing ({number})"

    return name


def _data(pair: _Pair, diff: MapDiff) -> dict[str, Any]:
    assert pair.old is not None
    assert pair.new is not None
    return {"change": "changed" if diff else "same", **map_diff_data(diff, pair.old, pair.new)}


def _alone_data(pair: _Pair) -> dict[str, Any]:
    level, word = (pair.new, "added") if pair.old is None else (pair.old, "removed")
    assert level is not None
    return {"change": word, "map": level.name}
