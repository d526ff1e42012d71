"""The arguments of `lumpyard map`, and which of them do not go together."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from lumpyard.cli.parser import add_format, add_lenient, add_listfile, count_number
from lumpyard.errors import UsageError
from lumpyard.maps.problems import LEVELS
from lumpyard.maps.tables.games import GAMES, TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMATS = ("text", "github", "sarif", "json")
SUFFIXES = (".svg", ".png")
NODES = ("build", "keep", "none")  # of maps.building, which is not loaded for a check
EXTENDED = ("never", "auto", "always")
REJECT = ("keep", "islands", "sight", "none")
_PLACE = re.compile(r"([a-z0-9-]+)(?:@(-?[0-9]+(?:\.[0-9]+)?),(-?[0-9]+(?:\.[0-9]+)?))?")


def configure_map(parser: argparse.ArgumentParser) -> None:
    """All arguments of the command."""
    parser.add_argument("archive", metavar="ARCHIVE", help="an archive with maps, or the text of one (UDMF)")
    parser.add_argument("maps", metavar="MAP", nargs="*", help="only these maps; all without")
    _add_checking(parser)
    _add_drawing(parser)
    _add_building(parser)
    add_format(parser, "--from")
    add_lenient(parser)
    parser.add_argument(
        "--symbols",
        metavar="FILE",
        action="append",
        help="the .ewsym that names the lumps of a stripped archive; with --compare also twice, for one each",
    )
    add_listfile(parser)
    parser.set_defaults(compare_symbols=None)


def _add_checking(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("checking")
    group.add_argument(
        "--target",
        choices=TARGETS,
        default="vanilla",
        help="engines that the maps are for (default: vanilla)",
    )
    group.add_argument("--game", choices=GAMES, help="whose things and specials they are (default: guessed)")
    group.add_argument(
        "--base",
        metavar="FILE",
        action="append",
        default=[],
        help="an archive whose textures the maps use, such as the game's; may be repeated",
    )
    group.add_argument(
        "--level", choices=LEVELS, default="warning", help="least that is listed (default: warning)"
    )
    group.add_argument(
        "--ignore",
        metavar="ID[@X,Y]",
        action="append",
        default=[],
        type=_ignored,
        help="a finding that is known and wanted; may be repeated",
    )
    group.add_argument(
        "--format",
        dest="findings",
        choices=FORMATS,
        default="text",
        help="how findings are written (default: text)",
    )
    group.add_argument(
        "--json", action="store_const", dest="findings", const="json", help="the same as --format json"
    )
    group.add_argument("--stats", action="store_true", help="numbers: things, textures, limits")
    group.add_argument("--compare", metavar="FILE", help="what changed since this archive")
    group.add_argument("--markdown", action="store_true", help="changes as Markdown, for pull requests")


def _add_drawing(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("drawing")
    group.add_argument(
        "-o",
        "--out",
        metavar="OUT",
        help="the picture, .svg or .png; {map} in it is a map's name. Or the WAD of --build",
    )
    group.add_argument(
        "--theme",
        choices=("auto", "light", "dark"),
        help="auto: an SVG is both, a PNG is light (default: auto)",
    )
    group.add_argument("--size", metavar="PIXELS", type=count_number, help="longer side (default: 1400)")
    group.add_argument(
        "--fill",
        choices=("light", "floor", "ceiling", "tags", "plain"),
        help="what colours mean (default: light)",
    )
    group.add_argument(
        "--layers",
        metavar="NAMES",
        help="layers, with commas; +name and -name change the usual ones",
    )
    group.add_argument("--skill", type=count_number, metavar="1-5", help="only things of this skill")
    group.add_argument(
        "--mode", choices=("all", "single", "coop", "deathmatch"), help="only its things (default: all)"
    )
    group.add_argument(
        "--reject-from", metavar="SECTOR", type=count_number, help="colour what REJECT hides from this sector"
    )


def _add_building(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("building")
    group.add_argument("--build", action="store_true", help="make nodes, BLOCKMAP and REJECT; needs -o")
    group.add_argument(
        "--nodes",
        choices=NODES,
        help="keep: made only where the map was changed, as is BLOCKMAP then (default: build)",
    )
    group.add_argument(
        "--extended",
        choices=EXTENDED,
        help="XNOD nodes; auto: where a map is too large for the first engines' (default: never)",
    )
    group.add_argument(
        "--reject",
        choices=REJECT,
        help="keep: islands where it is not this map's; sight: by true lines of sight, slow (default: keep)",
    )
    group.add_argument(
        "--record",
        action="store_true",
        help="write the maps' fingerprints beside ARCHIVE: what is built in it is kept while they stay so",
    )


def check_arguments(args: argparse.Namespace) -> None:
    """Raise UsageError for what does not go together, before anything is read."""
    suffix = "" if args.out is None else args.out.lower()[-4:]
    acts = {"--build": args.build, "--compare": args.compare is not None, "--stats": args.stats}
    no_checks = (*acts.items(), ("-o", args.out is not None), ("--record", args.record))
    faults = (
        (args.build and args.out is None, "--build needs -o FILE, the WAD that is written"),
        (args.build and suffix in SUFFIXES, f"--build writes a WAD, not {args.out}"),
        (args.build and args.compare is not None, "--build and --compare do not go together"),
        (
            args.out is not None and not args.build and suffix not in SUFFIXES,
            f"{args.out} is to be a picture, so its name must end with .svg or .png",
        ),
        (
            args.record and args.out is not None,
            "--record writes a file beside the archive, and goes without -o",
        ),
        *(
            (args.record and given, f"--record and {option} do not go together")
            for option, given in acts.items()
        ),
        (args.markdown and args.compare is None, "--markdown is for --compare"),
        (args.skill is not None and not 1 <= args.skill <= 5, f"--skill is 1 to 5, not {args.skill}"),
        *_given_in_vain(args),
        *(_mixed(option, args.findings) for option, given in no_checks if given),
    )
    for wrong, message in faults:
        if wrong:
            raise UsageError(message)


def _given_in_vain(args: argparse.Namespace) -> Iterator[tuple[bool, str]]:
    """Whether there is an option for pictures without one, or for building without that."""
    pictures = args.out is not None and not args.build
    for option in ("theme", "size", "fill", "layers", "skill", "mode", "reject_from"):
        name = f"--{option.replace('_', '-')}"
        yield (
            not pictures and getattr(args, option) is not None,
            f"{name} is for pictures, and needs -o FILE, whose name ends with .svg or .png",
        )
    for option in ("nodes", "extended", "reject"):
        yield not args.build and getattr(args, option) is not None, f"--{option} is for --build"


def _mixed(option: str, findings: str) -> tuple[bool, str]:
    """Whether a format is for findings alone, and what to say of it beside an option that gives none."""
    goes = f"{option} goes with --format text and json, and {findings} with checks"
    return findings in {"github", "sarif"}, f"{option} and --format {findings} do not go together; {goes}"


def _ignored(text: str) -> tuple[str, float | None, float | None]:
    """A check's id, and a place."""
    from lumpyard.manifest.closest import did_you_mean  # noqa: PLC0415 - only where it is asked for
    from lumpyard.maps.checks.catalogue import IDS  # noqa: PLC0415

    found = _PLACE.fullmatch(text)
    if found is None or found[1] not in IDS:
        hint = did_you_mean(text.partition("@")[0], list(IDS))
        raise argparse.ArgumentTypeError(
            f"{text!r} is no check's id, or id@x,y" + (f"; {hint}" if hint else "")
        )
    x, y = (None if part is None else float(part) for part in (found[2], found[3]))
    return found[1], x, y
