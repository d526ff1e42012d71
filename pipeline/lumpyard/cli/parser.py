"""One command's arguments: argparse whose mistakes are usage errors, with examples below the options."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NoReturn

from lumpyard.errors import UsageError
from lumpyard.manifest.closest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.cli.commands import Command

FORMATS = ("auto", "IWAD", "PWAD", "PACK", "WAD2", "WAD3", "PAK", "DAIKATANA", "MPQ", "EWAD")


class CommandParser(argparse.ArgumentParser):
    """Arguments of one command."""

    def parse(self, words: Sequence[str]) -> argparse.Namespace | None:
        """The arguments; None when help is asked for. Options may stand between operands."""
        if any(word in {"-h", "--help"} for word in _before_dashes(words)):
            return None
        args, extra = self.parse_known_args(self._options_first(words))
        extra = [word for word in extra if word != "--"]
        if extra:
            self.error(self._extra_text(extra[0]))
        return args

    def _options_first(self, words: Sequence[str]) -> list[str]:
        """The words with all options first: argparse alone misreads `extract A -C DIR GLOB`."""
        options: list[str] = []
        operands: list[str] = []
        rest = iter(words)
        for word in rest:
            if word == "--":
                operands += rest
            elif word.startswith("-") and word != "-":
                action = self._option_string_actions.get(word)
                options += [
                    word,
                    *([value] if action and action.nargs != 0 and (value := next(rest, None)) else []),
                ]
            else:
                operands.append(word)
        return [*options, "--", *operands] if operands else options

    def _extra_text(self, word: str) -> str:
        if not word.startswith("-"):
            return f"{word!r} is one operand too many"
        guess = did_you_mean(
            word.partition("=")[0], [name for action in self._actions for name in action.option_strings]
        )
        return f"unknown option {word}" + (f"; {guess}" if guess else "")

    def error(self, message: str) -> NoReturn:
        """Raise the usage error."""
        raise UsageError(f"{message} (see `{self.prog} --help`)")


def _before_dashes(words: Sequence[str]) -> Sequence[str]:
    return words[: words.index("--")] if "--" in words else words


def make_parser(command: Command, examples: str) -> CommandParser:
    """The parser of a command before its module adds arguments; `examples` are lines of shell and comment."""
    parser = CommandParser(
        prog=f"lumpyard {command.name}",
        description=command.summary[:1].upper() + command.summary[1:] + ".",
        epilog="examples:\n" + "\n".join(f"  {line}" for line in examples.strip().splitlines()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    parser._positionals.title = "arguments"  # noqa: SLF001 - argparse has no other way to say it
    parser.add_argument("-h", "--help", action="store_true", help="show this help")
    return parser


def add_json(parser: argparse.ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def add_archive(parser: argparse.ArgumentParser, *, symbols: bool = True) -> None:
    """ARCHIVE, `--format` and, where names matter, `--symbols`."""
    parser.add_argument("archive", metavar="ARCHIVE")
    add_format(parser)
    if symbols:
        parser.add_argument(
            "--symbols", metavar="FILE", help="the .ewsym that names the lumps of a stripped archive"
        )


def add_format(parser: argparse.ArgumentParser) -> None:
    """`--format`."""
    text = f"read as this format instead of going by the signature: {', '.join(FORMATS[1:])}"
    parser.add_argument("--format", metavar="NAME", type=format_name, default="auto", help=text)


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
