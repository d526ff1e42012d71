"""`lumpyard vfs explain`: which file of a name is taken, what it hides, and by which rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.cli.parser import add_json
from lumpyard.cli.vfs_access import add_vfs, not_there, open_vfs
from lumpyard.console.escape import escape_name
from lumpyard.console.tables import render_pairs
from lumpyard.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from lumpyard.cli.output import Streams
    from lumpyard.vfs import Candidate, Explanation

EXAMPLES = """
lumpyard vfs explain textures/brick.png
lumpyard vfs explain --conflicts              # all files that hide others
lumpyard vfs explain --mount loose --mount vendor/base.mpq --archives-first units/footman.mdx
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `vfs explain`."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="the file's path, by the rules of the mounts")
    parser.add_argument(
        "--conflicts", action="store_true", help="instead of NAME: all files that hide others, or are hidden"
    )
    add_vfs(parser)
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print what has the name; 1 where nothing comes of it."""
    if (args.name is None) is not args.conflicts:
        raise UsageError("vfs explain takes a NAME, or --conflicts (see `lumpyard vfs explain --help`)")
    with open_vfs(args) as tree:
        if args.conflicts:
            _print(io, tree.vfs.conflicts(), as_json=args.json)
            return 0
        explanation = tree.vfs.explain(args.name)
        if explanation.winner is None and not explanation.shadowed:
            raise not_there(tree, NotFoundError(f"no file '{args.name}' in any mount"), args.name)
    if args.json:
        io.out.json(_data(explanation))
    else:
        _print(io, [explanation])
    return 0 if explanation.winner else NotFoundError.exit_status


def _print(io: Streams, explanations: Sequence[Explanation], *, as_json: bool = False) -> None:
    if as_json:
        io.out.json([_data(explanation) for explanation in explanations])
        return
    for number, explanation in enumerate(explanations):
        if number:
            io.out.line()
        io.out.line(explanation.name, "bold")
        io.out.lines(render_pairs([(title, escape_name(text)) for title, text in _pairs(explanation)]))


def _pairs(explanation: Explanation) -> Iterator[tuple[str, str]]:
    """What a person sees."""
    if explanation.winner:
        yield "taken", _text(explanation.winner)
    else:
        yield "taken", "nothing"
    for number, candidate in enumerate(explanation.shadowed):
        yield ("" if number else "hidden"), _text(candidate)
    yield "rule", explanation.rule


def _text(candidate: Candidate) -> str:
    """A file: "vendor/base.mpq!units/a.mdx, 512 bytes"."""
    size = "" if candidate.size is None else f", {candidate.size:,} bytes"
    at = f", mounted at {candidate.at}" if candidate.at else ""
    note = f"; it {candidate.note}" if candidate.note else ""
    return f"{candidate.source}{size}{at}{note}"


def _data(explanation: Explanation) -> dict[str, Any]:
    """The same for programs."""
    winner = explanation.winner
    return {
        "name": explanation.name,
        "rule": explanation.rule,
        "winner": None if winner is None else _candidate_data(winner),
        "shadowed": list(map(_candidate_data, explanation.shadowed)),
    }


def _candidate_data(candidate: Candidate) -> dict[str, Any]:
    data = candidate._asdict()
    data["raw_size"] = data.pop("size")
    data["mount"], data["format"] = candidate.mount, data.pop("kind")
    return data
