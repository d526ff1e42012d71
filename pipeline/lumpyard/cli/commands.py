"""The table of commands, and the help over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Command(NamedTuple):
    """One command, as the help lists it."""

    name: str  # "ls", or "store trim" in a group
    usage: str  # its operands
    summary: str
    module: str


def _command(name: str, usage: str, summary: str) -> Command:
    return Command(name, usage, summary, "lumpyard.cli." + name.replace(" ", "_"))


PROJECT = (
    _command("init", "[DIR]", "start a project that ships at once"),
    _command("plan", "[ARCHIVE...]", "show what would be built, and why"),
    _command("why", "NAME", "explain why a lump is there and how it is stored"),
    _command("ship", "[ARCHIVE...]", "build the release archives: what `doit ship` does"),
    _command("check", "[ARCHIVE...]", "find mistakes in manifest, sources and lock, writing nothing"),
    _command("report", "[ARCHIVE...]", "show how large the archives are, and why"),
    _command("vfs ls", "[GLOB...]", "list the files of project and mounts as one tree"),
    _command("vfs cat", "NAME", "write the bytes of one file of project and mounts"),
    _command("vfs explain", "NAME", "show which mount a file is from, and what it hides"),
)
ARCHIVES = (
    _command("info", "ARCHIVE", "show what an archive's header says"),
    _command("ls", "ARCHIVE [GLOB...]", "list an archive's lumps in directory order"),
    _command("explore", "ARCHIVE...", "make a page to look at archives, or serve it"),
    _command("verify", "ARCHIVE...", "check every hash and decode every lump"),
    _command("cat", "ARCHIVE NAME", "write the raw bytes of one lump"),
    _command("extract", "ARCHIVE [GLOB...]", "write lumps to files, safely"),
    _command("pack", "DIR ARCHIVE", "make an archive of a folder, as it was before `extract`"),
    _command("convert", "IN OUT", "turn an archive into one of another format"),
    _command("map", "ARCHIVE [MAP...]", "check, draw, compare and build Doom's and Hexen's maps"),
    _command("diff", "A B", "show what differs between two archives"),
    _command("symbols", "FILE [KEY...]", "give keys of a stripped archive their names back"),
)
REFERENCE = (
    _command("rules", "[KIND...]", "list the rules that can cook, and their options"),
    _command("schema", "", "print the JSON Schema of manifests, for editors"),
    _command("store info", "", "show what the store holds"),
    _command("store verify", "", "check every record of the store"),
    _command("store trim", "--max-size SIZE", "drop records until the store fits a size"),
)
GROUPS = (("A project", PROJECT), ("Archives", ARCHIVES), ("Reference and care", REFERENCE))
COMMANDS = {command.name: command for _, group in GROUPS for command in group}


def find_command(words: Sequence[str]) -> tuple[Command | None, Sequence[str]]:
    """The command that the first words name, and the words after it; None where a group's help is wanted."""
    first = words[0]
    if first in COMMANDS:
        return COMMANDS[first], words[1:]
    members = [name.split(" ")[1] for name in COMMANDS if name.startswith(f"{first} ")]
    if not members:
        raise UsageError(_unknown(first))
    if len(words) < 2:
        raise UsageError(f"{first} needs one of {', '.join(members)}; try `lumpyard {first} --help`")
    if words[1] in {"-h", "--help"}:
        return None, ()
    if words[1] not in members:
        raise UsageError(f"{first} has no command {words[1]!r}; it has {', '.join(members)}")
    return COMMANDS[f"{first} {words[1]}"], words[2:]


def _unknown(word: str) -> str:
    from lumpyard.manifest.closest import did_you_mean  # noqa: PLC0415 - only after a slip

    if word.startswith("-"):
        return f"unknown option {word}; options stand after the command, see `lumpyard --help`"
    guess = did_you_mean(word, sorted({name.partition(" ")[0] for name in COMMANDS}))
    return f"no command {word!r}; {guess or 'see `lumpyard --help`'}"


def render_help(group: str = "", width: int | None = None) -> str:
    """The help over all commands, or over those of a group; `width` is the terminal's, or None for a pipe."""
    room = min(width or _WIDEST, _WIDEST)
    lines = [f"usage: lumpyard {group or 'COMMAND'} {'COMMAND ' if group else ''}[ARGUMENT...]"]
    if not group:
        lines += ["", *_wrapped(_WHAT, room)]
    column = max(len(_heading(command)) for command in COMMANDS.values()) + 4
    for title, commands in GROUPS:
        shown = [command for command in commands if not group or command.name.startswith(f"{group} ")]
        if shown:
            lines += ["", f"{title}:"]
        for command in shown:
            lines += _entry(f"  {_heading(command)}", command.summary, column, room)
    for text in ("", *_CLOSING):
        lines += _wrapped(text, room) if text else [""]
    return "\n".join(lines) + "\n"


_WIDEST = 90  # columns; longer lines are hard to read
_NARROW = 24  # columns that a summary needs beside its command; with fewer it stands below
_WHAT = "Asset pipeline for game repositories: YAML manifests in, deterministic archives out."
_CLOSING = (
    "`lumpyard COMMAND --help` has the options of a command, and examples.",
    (
        "Exit status: 0 done, 1 the answer is no, 2 usage or manifest, 3 malformed, 4 unsupported,"
        " 5 input or output, 6 a rule or tool failed, 7 the lock differs."
    ),
)


def _entry(heading: str, summary: str, column: int, room: int) -> list[str]:
    """A command and its summary, side by side where there is room."""
    if room - column < _NARROW:
        return [heading, *(f"      {line}" for line in _wrapped(summary, room - 6))]
    first, *rest = _wrapped(summary, room - column)
    return [f"{heading:<{column}}{first}", *(" " * column + line for line in rest)]


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of a text of plain words."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines


def _heading(command: Command) -> str:
    return f"{command.name} {command.usage}".rstrip()
