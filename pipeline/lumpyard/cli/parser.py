"""One command's arguments: argparse whose mistakes are usage errors, with examples below the options."""

from __future__ import annotations

import argparse
from shutil import get_terminal_size
from typing import TYPE_CHECKING, NoReturn

from lumpyard.errors import UsageError
from lumpyard.manifest.closest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.cli.commands import Command

FORMATS = ("auto", "IWAD", "PWAD", "PACK", "WAD2", "WAD3", "PAK", "DAIKATANA", "MPQ", "EWAD")


_EXAMPLES = "examples:\n"
_WIDEST = 98  # columns of help
_PATHS = {"ARCHIVE", "FILE", "DIR", "IN", "OUT"}  # what arguments that are paths are called


class CommandParser(argparse.ArgumentParser):
    """Arguments of one command."""

    def parse(self, words: Sequence[str]) -> argparse.Namespace | None:
        """The arguments; None when help is asked for.

        Options may stand between operands, and after `--` all is operands. argparse itself misreads
        `extract A -C DIR GLOB`, and each version of Python `--` in another way, so it sees options only.
        """
        options, operands = self._split(words)
        if {"-h", "--help"} & {*options}:
            return None
        positionals = self._get_positional_actions()
        for action in positionals:
            action.required = False
        args, extra = self.parse_known_args(options)
        if extra:
            self.error(self._unknown_text(extra[0]))
        for action in positionals:
            setattr(args, action.dest, self._take(action, operands))
        if operands:
            self.error(f"{operands[0]!r} is one operand too many")
        self._check_paths(args)
        return args

    def _check_paths(self, args: argparse.Namespace) -> None:
        """No path may be empty: that is a variable of a script which is not set, and would mean this folder."""
        for action in self._actions:
            value = getattr(args, action.dest, None)
            if action.metavar in _PATHS and "" in (value if isinstance(value, list) else [value]):
                self.error(f"{'/'.join(action.option_strings) or action.metavar} is empty")

    def _split(self, words: Sequence[str]) -> tuple[list[str], list[str]]:
        """Options with their values, and operands."""
        options: list[str] = []
        operands: list[str] = []
        rest = iter(words)
        for word in rest:
            if word == "--":
                operands += rest
            elif word.startswith("-") and word != "-":
                options.append(word)
                action = self._option_string_actions.get(word)
                if action is not None and action.nargs != 0:
                    options += [value for value in [next(rest, None)] if value is not None]
            else:
                operands.append(word)
        return options, operands

    def _take(self, action: argparse.Action, operands: list[str]) -> object:
        """The value of one positional argument, taken from the front of the operands."""
        if not operands and action.nargs in {None, "+"}:
            self.error(f"{action.metavar} is missing")
        if action.nargs in {"*", "+"}:
            taken = operands.copy()
            operands.clear()
            return taken
        return operands.pop(0) if operands else action.default

    def _unknown_text(self, word: str) -> str:
        known = [name for action in self._actions for name in action.option_strings]
        guess = did_you_mean(word.partition("=")[0], known)
        return f"unknown option {word}" + (f"; {guess}" if guess else "")

    def error(self, message: str) -> NoReturn:
        """Raise the usage error."""
        raise UsageError(f"{message} (see `{self.prog} --help`)")


class _Formatter(argparse.HelpFormatter):
    """Help as wide as the terminal, but no wider than can be read; examples stay as they are."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(get_terminal_size().columns - 2, _WIDEST))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(_EXAMPLES) else super()._fill_text(text, width, indent)


def make_parser(command: Command, examples: str) -> CommandParser:
    """The parser of a command before its module adds arguments; `examples` are lines of shell and comment."""
    parser = CommandParser(
        prog=f"lumpyard {command.name}",
        description=command.summary[:1].upper() + command.summary[1:] + ".",
        epilog=_EXAMPLES + "\n".join(f"  {line}" for line in examples.strip().splitlines()),
        formatter_class=_Formatter,
        allow_abbrev=False,
        add_help=False,
    )
    parser._positionals.title = "arguments"  # noqa: SLF001 - argparse has no other way to say it
    parser.add_argument("-h", "--help", action="store_true", help="show this help")
    return parser


def add_json(parser: argparse.ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def add_archive(parser: argparse.ArgumentParser) -> None:
    """ARCHIVE, and the options that say how it is read and what names its lumps."""
    parser.add_argument("archive", metavar="ARCHIVE", help="an archive of any format that is read")
    add_format(parser)
    add_reading(parser)


def add_format(parser: argparse.ArgumentParser, option: str = "--format") -> None:
    """`--format`, or what it is called where that means another thing."""
    text = f"read as this format instead of going by the signature: {', '.join(FORMATS[1:])}"
    parser.add_argument(option, dest="format", metavar="NAME", type=format_name, default="auto", help=text)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """`--lenient`, and what names lumps that the archive does not name."""
    add_lenient(parser)
    parser.add_argument(
        "--symbols", metavar="FILE", help="the .ewsym that names the lumps of a stripped archive"
    )
    add_listfile(parser)


def add_listfile(parser: argparse.ArgumentParser) -> None:
    """`--listfile`."""
    text = "names to try in an MPQ without a list of its names, one a line"
    parser.add_argument("--listfile", metavar="FILE", help=text)


def add_lenient(parser: argparse.ArgumentParser) -> None:
    """`--lenient`."""
    text = "let pass what real files get wrong, and warn of it"
    parser.add_argument("--lenient", action="store_true", help=text)


def format_name(text: str) -> str:
    """A format's name, whatever its case."""
    if text.upper() in FORMATS:
        return text.upper()
    if text.lower() == "auto":
        return "auto"
    raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(FORMATS)}")


def add_manifest(parser: argparse.ArgumentParser) -> None:
    """`--manifest`."""
    text = "the project's manifest (default: assets.yaml)"
    parser.add_argument("-m", "--manifest", metavar="FILE", default="assets.yaml", help=text)


def count_number(text: str) -> int:
    """A number from 0 on."""
    if text.isascii() and text.isdigit() and len(text) < 20:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")


def byte_size(text: str) -> int:
    """Bytes, as in `500M`."""
    from lumpyard.console.sizes import parse_size  # noqa: PLC0415 - two commands' need

    try:
        return parse_size(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
