"""`lumpyard COMMAND`: picks the command's module, and turns what comes back or is raised into an exit status.

Every command is a module with `EXAMPLES`, `configure(parser)` and `run(args, io) -> int`; nothing of it is
imported before it is asked for, so `lumpyard --help` is quick. `report` is the one place where errors become
text.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext, redirect_stdout
from importlib import import_module
from typing import TYPE_CHECKING

from lumpyard.cli.commands import Command, find_command, render_help
from lumpyard.cli.output import Output, Streams, standard_streams
from lumpyard.cli.signals import Terminated, interruptible
from lumpyard.errors import DiskError, Error, ProblemsError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

INTERRUPTED = 130  # 128 + SIGINT, as shells count
TERMINATED = 143  # 128 + SIGTERM
INTERNAL = 70  # EX_SOFTWARE


def run(argv: Sequence[str]) -> int:
    """The exit status of a run; prints, and never raises."""
    io = standard_streams()
    status = 0
    try:
        status = _dispatch(argv, io)
        io.out.flush()
    except BrokenPipeError:
        io.out.abandon()  # whoever read has seen enough, which is no mistake; what was found out before stands
    except BaseException as error:  # noqa: BLE001 - the last stop: everything ends as a status
        io.out.flush_quietly()
        status = report(error, io.err)
    io.err.flush_quietly()
    return status


def _dispatch(argv: Sequence[str], io: Streams) -> int:
    words = list(argv)
    if not words:
        io.err.text(render_help(width=io.err.terminal.width))
        return UsageError.exit_status
    if words[0] == "help":
        words = [*words[1:], "--help"]
    if words[0] in {"-h", "--help"}:
        io.out.text(render_help(width=io.out.terminal.width))
        return 0
    if words[0] == "--version":
        from lumpyard import __version__  # noqa: PLC0415 - one command's need

        io.out.line(f"lumpyard {__version__}")
        return 0
    command, rest = find_command(words)
    if command is None:  # a group's own help
        io.out.text(render_help(words[0], io.out.terminal.width))
        return 0
    return _run(command, rest, io)


def _run(command: Command, words: Sequence[str], io: Streams) -> int:
    from lumpyard.cli.parser import make_parser  # noqa: PLC0415 - argparse is half of the time of --help
    from lumpyard.disk import from_system  # noqa: PLC0415

    module = import_module(command.module)
    parser = make_parser(command, module.EXAMPLES)
    module.configure(parser)
    args = parser.parse([from_system(word) for word in words])
    if args is None:
        io.out.text(parser.format_help())
        return 0
    try:
        with _no_strangers(command), interruptible():
            status: int = module.run(args, io)
    except ProblemsError as error:
        from lumpyard.cli.problem_text import print_problems, project_folder  # noqa: PLC0415

        print_problems(error.problems, io.err, project_folder(getattr(args, "manifest", None) or ""))
        return error.exit_status
    return status


def _no_strangers(command: Command) -> AbstractContextManager[object]:
    """While it lasts, what rules print goes to standard error: a JSON document must not have it in its midst.

    `ship` is doit's, whose own lines go through `sys.stdout`.
    """
    return nullcontext() if command.name == "ship" else redirect_stdout(sys.stderr)


def report(error: BaseException, err: Output) -> int:
    """Print an error as a person should see it; its exit status."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 0 if error.code is None else INTERNAL
    if isinstance(error, KeyboardInterrupt):
        if err.terminal.width is not None:
            err.line()  # the word must not stand behind a line that was being drawn
        err.line("interrupted")
        return TERMINATED if isinstance(error, Terminated) else INTERRUPTED
    if isinstance(error, Error):
        err.error(str(error))
        return error.exit_status
    if isinstance(error, OSError):
        err.error(_os_text(error))
        return DiskError.exit_status
    if isinstance(error, MemoryError):
        err.error("not enough memory")
        return DiskError.exit_status
    _report_fault(error, err)
    return INTERNAL


def _os_text(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename is not None else reason


def _report_fault(error: BaseException, err: Output) -> None:
    import os  # noqa: PLC0415 - the environment, for those who will mend it

    if os.environ.get("LUMPYARD_TRACEBACK") == "1":
        import traceback  # noqa: PLC0415 - slow to import, rarely wanted

        err.text("".join(traceback.format_exception(error)))
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    first = " ".join(what.split("\n"))
    err.line(f"lumpyard: internal error: {first}; please report (LUMPYARD_TRACEBACK=1 shows where)")
