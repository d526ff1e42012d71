"""Which of the two files that `map --compare` looks at each `.ewsym` is of."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.opening import open_archive
from lumpyard.cli.symbol_file import load_symbols_among
from lumpyard.disk import open_map
from lumpyard.errors import UsageError, naming
from lumpyard.maps.opening import is_map_text

if TYPE_CHECKING:
    import argparse

    from lumpyard.archives.model import Archive


class Symbols(NamedTuple):
    """The `.ewsym` of each file; None where none was given."""

    own: str | None
    compared: str | None


def share_symbols(args: argparse.Namespace) -> Symbols:
    """Each file that `--symbols` names goes to the archive that it is of; UsageError where that is neither."""
    if not args.symbols:
        return Symbols(None, None)
    if args.compare is None:
        if len(args.symbols) > 1:
            raise UsageError("--symbols is given once, or with --compare for each of the two archives")
        return Symbols(args.symbols[0], None)
    of: dict[str, str] = {}
    with ExitStack() as stack:
        files = {args.archive: args.format, args.compare: "auto"}
        archives = {
            path: archive
            for path, format_name in files.items()
            if (archive := _open(stack, path, format_name, lenient=args.lenient)) is not None
        }
        for path in args.symbols:
            of.update((archive, path) for archive in load_symbols_among(path, archives))
        archives.clear()
    return Symbols(of.get(args.archive), of.get(args.compare))


def _open(stack: ExitStack, path: str, format_name: str, *, lenient: bool) -> Archive | None:
    """The archive at a path; None where it is the text of a map."""
    data = stack.enter_context(open_map(path)).data
    with naming(path):
        if format_name == "auto" and is_map_text(data):
            return None
        return open_archive(data, format_name, lenient=lenient)
