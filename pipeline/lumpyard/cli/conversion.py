"""What `convert` and `pack` share: the options of a target, and how a conversion is told of."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from lumpyard.cli.parser import format_name
from lumpyard.console.escape import escape_name
from lumpyard.console.moving import RichProgress
from lumpyard.console.sizes import count_text, size_text
from lumpyard.convert import TARGETS, Options, carry_out
from lumpyard.convert.coding import CHOICES as CODECS
from lumpyard.convert.names import CHOICES as NAMES
from lumpyard.errors import UnsupportedError, UsageError

if TYPE_CHECKING:
    from lumpyard.archives.model import Finding
    from lumpyard.cli.output import Output, Streams
    from lumpyard.convert import Plan, Result

_MOST_ALIGNMENT = 1 << 30
_SUFFIXES = {
    ".ewad": "EWAD",
    ".iwad": "IWAD",
    ".wad": "PWAD",
    ".pwad": "PWAD",
    ".wad2": "WAD2",
    ".wad3": "WAD3",
    ".pak": "PAK",
}


def add_target(parser: argparse.ArgumentParser) -> None:
    """The options that say what is written."""
    text = f"what to write: {', '.join(TARGETS)} (default: as the suffix says, .wad being a PWAD)"
    parser.add_argument("--format", dest="target", metavar="NAME", type=_target, help=text)
    text = (
        "what becomes of names that do not fit: refuse (default), truncate, upper, or truncate,upper;"
        " truncate writes a map file"
    )
    parser.add_argument("--names", metavar="HOW", type=_names, default=frozenset(), help=text)
    parser.add_argument(
        "--map",
        metavar="FILE",
        help="where to write which lump got which name (default: beside the archive, with .names)",
    )
    text = "of an EWAD: none, lz4, lz4hc or auto (LZ4 where it saves 5%%); of a DAIKATANA: none"
    parser.add_argument("--compress", metavar="HOW", choices=CODECS, default="", help=text)
    parser.add_argument(
        "--alignment", metavar="N", type=_alignment, default=0, help="of an EWAD's lumps, a power of two"
    )
    parser.add_argument("--strip", action="store_true", help="leave the names of an EWAD out")
    text = "let a PAK or DAIKATANA have 2 to 4 GiB, which some programs cannot read"
    parser.add_argument("--large", action="store_true", help=text)
    parser.add_argument("--dry-run", action="store_true", help="say what would be lost, and write nothing")


def _target(text: str) -> str:
    name = format_name(text)
    if name not in TARGETS:
        raise argparse.ArgumentTypeError(f"{name} is read, not written; the targets are {', '.join(TARGETS)}")
    return name


def _names(text: str) -> frozenset[str]:
    words = text.split(",")
    if not {*words} <= {*NAMES} or ("refuse" in words and len(words) > 1):
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(NAMES)} and truncate,upper")
    return frozenset(words) - {"refuse"}


def _alignment(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    if number.bit_count() == 1 and number <= _MOST_ALIGNMENT:
        return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a power of two from 1 to 2^30")


def target_format(asked: str | None, path: str) -> str:
    """The format to write: the one that was asked for, else the suffix's."""
    if asked:
        return asked
    for suffix, name in _SUFFIXES.items():
        if path.lower().endswith(suffix):
            return name
    raise UsageError(f"nothing says which format {path} is to have; say --format NAME")


def options_of(args: argparse.Namespace, target: str) -> Options:
    """What the user chose; UsageError for what the format has no use for."""
    if target != "EWAD":
        for given, option in ((args.alignment, "--alignment"), (args.strip, "--strip")):
            if given:
                raise UsageError(f"{option} is for EWAD only, and {target} is to be written")
        if args.compress not in ({"", "none", "auto"} if target == "DAIKATANA" else {"", "none"}):
            raise UsageError(f"--compress {args.compress} is for EWAD only, and {target} is to be written")
    if args.large and target not in {"PAK", "DAIKATANA"}:
        raise UsageError(f"--large is for PAK and DAIKATANA, and {target} is to be written")
    if args.map is not None and "truncate" not in args.names:
        raise UsageError("--map is for --names truncate")
    if args.map == args.out:
        raise UsageError(f"--map and the archive cannot both be {args.out}")
    return Options(args.names, args.compress, args.alignment, args.strip, args.large)


def carry_out_plan(plan: Plan, args: argparse.Namespace, io: Streams) -> int:
    """Print what the plan says, write the archive unless there are errors, and tell of it; the exit status."""
    for error in plan.errors:
        io.err.error(f"{args.out}: {error.message}")
    for warning in plan.warnings:
        io.err.warning(f"{args.out}: {warning.message}")
    if plan.errors:
        io.err.error(f"{args.out}: nothing is written; {_refusal(plan)}")
        return UnsupportedError.exit_status
    if args.dry_run:
        if args.json:
            io.out.json(_data(plan, args.out, None))
        return 0
    names = args.map or f"{args.out}.names"
    result = _carry_out(plan, args.out, names if "truncate" in plan.options.names else "", io.err)
    for warning in result.warnings:
        io.err.warning(f"{args.out}: {warning.message}")
    if args.json:
        io.out.json(_data(plan, args.out, result))
    else:
        io.out.line(f"{args.out}: {_told(plan, result)}")
    return 0


def _carry_out(plan: Plan, path: str, names: str, err: Output) -> Result:
    """Write the archive, with a moving line where somebody looks and it takes a while."""
    if err.stream is None or err.terminal.width is None:
        return carry_out(plan, path, names)
    progress, task = RichProgress(err.stream, os.environ), escape_name(path)
    lumps = plan.source.lumps
    try:
        progress.begin(task, "write", len(lumps), sum(lump.raw_size for lump in lumps))
        return carry_out(plan, path, names, lambda size: progress.advance(task, 1, size))
    finally:
        progress.stop()


def _refusal(plan: Plan) -> str:
    problems = count_text(len(plan.errors), "problem")
    codes = {found.code for found in plan.errors}
    hint = ""
    truncates = "truncate" in plan.options.names
    if (
        not codes.isdisjoint({"name", "name-empty", "name-length", "duplicate"})
        and not truncates
        and plan.format != "EWAD"
        and all(lump.path is not None for lump in plan.source.lumps)  # else it is symbols that help
    ):
        hint = "; --names truncate may help"  # upper case alone makes no name fit
    elif "size" in codes and plan.format in {"PAK", "DAIKATANA"} and not plan.options.large:
        hint = "; --large may help"
    return f"{plan.format} cannot hold it ({problems}){hint}"


def _told(plan: Plan, result: Result) -> str:
    said = f"{plan.format}, {count_text(result.lumps, 'lump')}, {size_text(result.size)}"
    if result.exact is None:
        return said
    return f"{said}, {'byte for byte the original' if result.exact else 'not byte for byte the original'}"


def _data(plan: Plan, path: str, result: Result | None) -> dict[str, Any]:
    warnings = [*plan.warnings, *(result.warnings if result else ())]
    data: dict[str, Any] = {"path": path, "format": plan.format, "lumps": len(plan.names)}
    if result is not None:
        data |= {"lumps": result.lumps, "size": result.size, "exact": result.exact}
    data["renamed"] = [
        {
            "old": item.old.decode("utf-8", "surrogateescape"),
            "new": item.new.decode("utf-8", "surrogateescape"),
        }
        for item in plan.renamed
    ]
    data["warnings"] = list(map(_finding, warnings))
    return data


def _finding(found: Finding) -> dict[str, Any]:
    return {"code": found.code, "message": found.message, "entry": found.entry}
