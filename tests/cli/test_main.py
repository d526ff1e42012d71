"""The frame of the command line: help, statuses, streams; the same for every command."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.ewad import Written, build

from lumpyard import __version__
from lumpyard.cli import ls
from lumpyard.cli.commands import COMMANDS, find_command, render_help
from lumpyard.cli.output import standard_streams
from lumpyard.cli.parser import make_parser
from lumpyard.cli.signals import Terminated
from lumpyard.console.terminal import look_at
from lumpyard.errors import (
    CookError,
    DiskError,
    Error,
    LockDiffersError,
    MalformedError,
    NotFoundError,
    Place,
    Problem,
    ProblemsError,
    RuleError,
    UnsupportedError,
    UsageError,
)

if TYPE_CHECKING:
    from tests.cli.conftest import Run

PROBLEM = Problem(Place("assets.yaml", 3, 5), "E0104", "unknown key 'tpye'", "did you mean 'type'?")
PYTHON = [sys.executable, "-X", "utf8", "-W", "error", "-m", "lumpyard.cli.main"]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "a.ewad"
    path.write_bytes(build([Written(f"lump{number:04}".encode(), b"x") for number in range(5000)]))
    return path


def program(*argv: str | Path, **options: object) -> subprocess.CompletedProcess[bytes]:
    """A real process; nothing may be complained of at exit."""
    settings: dict[str, Any] = {"capture_output": True, "timeout": 60, **options}
    return subprocess.run([*PYTHON, *map(str, argv)], check=False, **settings)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples_that_parse(run: Run, name: str) -> None:
    ran = run(*name.split(), "--help")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: lumpyard {name} ")
    assert ran.stdout.isascii()
    command, _ = find_command(name.split())
    assert command is not None
    module = import_module(command.module)
    parser = make_parser(command, module.EXAMPLES)
    module.configure(parser)
    examples = [
        shlex.split(line, comments=True) for line in module.EXAMPLES.splitlines() if "lumpyard " in line
    ]
    assert examples
    for words in examples:
        at = words.index("lumpyard") + 1 + len(name.split())
        assert words[at - len(name.split()) : at] == name.split()
        end = next((number for number, word in enumerate(words) if word in {"|", ">", "<", "&&"}), len(words))
        parser.parse(words[at:end])


def test_help_names_every_command(run: Run) -> None:
    ran = run("--help")
    assert ran.status == 0
    assert ran.out == run("help").out == run("-h").out
    for command in COMMANDS.values():
        assert f"  {command.name} " in ran.out
        assert command.summary in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100


@pytest.mark.parametrize("width", [None, *range(40, 101, 6), 200])
def test_help_fits_the_terminal(width: int | None) -> None:
    shown = render_help(width=width)
    assert max(map(len, shown.splitlines())) <= min(width or 100, 100)
    for command in COMMANDS.values():
        assert f"  {command.name}" in shown
        assert " ".join(command.summary.split()) in " ".join(shown.split())


@pytest.mark.parametrize("name", ["ls", "verify", "store trim"])
def test_help_of_a_command_is_no_wider_than_can_be_read(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for width in (40, 80, 200):
        monkeypatch.setenv("COLUMNS", str(width))
        text = run(*name.split(), "--help").out.partition("examples:")[0]
        assert max(map(len, text.splitlines())) <= min(width, 98)


def test_a_group_has_help_of_its_own(run: Run) -> None:
    ran = run("store", "--help")
    assert ran.status == 0
    assert "store trim" in ran.out
    assert "init" not in ran.out


def test_help_stands_before_or_after_a_command(run: Run) -> None:
    assert run("help", "ls").out == run("ls", "--help").out == run("ls", "-h").out == run("ls", "a", "-h").out


def test_the_version_is_known(run: Run) -> None:
    assert run("--version").out == f"lumpyard {__version__}\n"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["veryfy"], "no command 'veryfy'; did you mean 'verify'?"),
        (["--json"], "unknown option --json; options stand after the command, see `lumpyard --help`"),
        (["store"], "store needs one of info, verify, trim; try `lumpyard store --help`"),
        (["store", "trin"], "store has no command 'trin'; it has info, verify, trim"),
        (["ls"], "ARCHIVE is missing (see `lumpyard ls --help`)"),
        (["ls", "--jsno", "x"], "unknown option --jsno; did you mean '--json'? (see `lumpyard ls --help`)"),
        (["cat", "a"], "NAME is missing (see `lumpyard cat --help`)"),
        (["verify"], "ARCHIVE is missing (see `lumpyard verify --help`)"),
        (["info", "a", "b"], "'b' is one operand too many (see `lumpyard info --help`)"),
        (
            ["info", "a", "--symbols"],
            "argument --symbols: expected one argument (see `lumpyard info --help`)",
        ),
        (
            ["store", "trim", "--max-size", "6X"],
            (
                "argument --max-size: '6X' is not a size; write a number with k, M, G or T, such as 500M or 6G"
                " (see `lumpyard store trim --help`)"
            ),
        ),
    ],
)
def test_a_usage_mistake_is_2_and_says_what_would_be_right(run: Run, argv: list[str], message: str) -> None:
    ran = run(*argv)
    assert (ran.status, ran.stdout) == (2, b"")
    assert ran.err == f"lumpyard: error: {message}\n"


def test_no_command_shows_the_help_as_a_usage_mistake(run: Run) -> None:
    ran = run()
    assert (ran.status, ran.stdout) == (2, b"")
    assert "usage: lumpyard COMMAND" in ran.err


def test_options_stand_between_operands(run: Run, archive: Path) -> None:
    assert run("ls", archive, "--format", "EWAD", "lump0001", "--json", "lump0002").json[1]["raw_size"] == 1
    assert run("ls", archive, "--format=EWAD", "--", "lump0001").out == "lump0001\n"
    assert run("ls", archive, "--", "--json").status == 1


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (NotFoundError("no lump 'x'"), 1, "lumpyard: error: no lump 'x'\n"),
        (UsageError("bad"), 2, "lumpyard: error: bad\n"),
        (MalformedError("bad", "header"), 3, "lumpyard: error: bad\n"),
        (UnsupportedError("later", "format"), 4, "lumpyard: error: later\n"),
        (DiskError("cannot read x: no"), 5, "lumpyard: error: cannot read x: no\n"),
        (OSError(28, "No space left on device", "x"), 5, "lumpyard: error: x: No space left on device\n"),
        (MemoryError(), 5, "lumpyard: error: not enough memory\n"),
        (RuleError("tool"), 6, "lumpyard: error: tool\n"),
        (LockDiffersError("differs"), 7, "lumpyard: error: differs\n"),
        (Error("two\nlines"), 70, "lumpyard: error: two lines\n"),
        (
            ZeroDivisionError("division by zero"),
            70,
            (
                "lumpyard: internal error: ZeroDivisionError: division by zero; please report"
                " (LUMPYARD_TRACEBACK=1 shows where)\n"
            ),
        ),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (Terminated(), 143, "interrupted\n"),
        (SystemExit(3), 3, ""),
        (BrokenPipeError(), 0, ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_each_kind_of_end_has_its_status(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, text: str
) -> None:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(ls, "run", fail)
    ran = run("ls", "x")
    assert (ran.status, ran.out, ran.err) == (status, "", text)


@pytest.mark.parametrize(("kind", "status"), [(ProblemsError, 2), (CookError, 6)])
def test_problems_stand_alone(
    run: Run, monkeypatch: pytest.MonkeyPatch, kind: type[ProblemsError], status: int
) -> None:
    def fail(*_: object) -> int:
        raise kind([PROBLEM])

    monkeypatch.setattr(ls, "run", fail)
    ran = run("ls", "x")
    assert (ran.status, ran.stdout) == (status, b"")
    assert ran.err.startswith("assets.yaml:3:5: error[E0104]: unknown key 'tpye'\n")
    assert "did you mean 'type'?" in ran.err
    assert "lumpyard: error:" not in ran.err


def test_a_traceback_is_shown_only_on_demand(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(ls, "run", fail)
    assert "Traceback" not in run("ls", "x").err
    monkeypatch.setenv("LUMPYARD_TRACEBACK", "1")
    assert "Traceback" in run("ls", "x").err


def test_a_whole_process_is_quiet_about_its_start_and_end(archive: Path) -> None:
    ran = program("ls", archive, "lump0001")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"lump0001\n", b"")


@pytest.mark.parametrize("command", ["ls", "cat"])
def test_a_reader_that_goes_away_is_no_mistake(archive: Path, command: str) -> None:
    words = " ".join(
        shlex.quote(word)
        for word in [*PYTHON, command, str(archive), *(["lump0001"] if command == "cat" else [])]
    )
    ran = subprocess.run(
        ["/bin/bash", "-c", f"{words} | true; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert ran.stdout == b"0\n"
    assert ran.stderr == b""


def test_verify_has_its_status_though_nobody_reads(archive: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ewad"
    bad.write_bytes(b"EWAD")
    words = " ".join(shlex.quote(word) for word in [*PYTHON, "verify", *[str(archive)] * 3, str(bad)])
    ran = subprocess.run(
        ["/bin/bash", "-c", f"{words} | true; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert (ran.stdout, ran.stderr) == (b"1\n", b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "command", [["ls", "ARCHIVE"], ["cat", "ARCHIVE", "lump0001"], ["--help"], ["verify", "ARCHIVE"]]
)
def test_a_full_disk_behind_standard_output_is_5(archive: Path, command: list[str]) -> None:
    words = [str(archive) if word == "ARCHIVE" else word for word in command]
    with open("/dev/full", "wb") as full:
        ran = program(*words, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert ran.returncode == 5
    assert ran.stderr == b"lumpyard: error: standard output: No space left on device\n"


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["info", ""], "ARCHIVE"),
        (["verify", "ARCHIVE", ""], "ARCHIVE"),
        (["extract", "ARCHIVE", "-C", ""], "-C"),
        (["ls", "ARCHIVE", "--symbols", ""], "--symbols"),
        (["plan", "-m", ""], "-m/--manifest"),
        (["init", ""], "DIR"),
    ],
)
def test_an_empty_path_is_no_path(run: Run, archive: Path, words: list[str], what: str) -> None:
    """It is what a script's variable that was never set comes to; `-C ""` must not mean the current folder."""
    ran = run(*(archive if word == "ARCHIVE" else word for word in words))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"lumpyard: error: {what} is empty (see `lumpyard {words[0]} --help`)\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_status_stands_where_standard_error_refuses_what_goes_with_it(archive: Path) -> None:
    words = shlex.join([*PYTHON, "verify", f"{archive}.nowhere", str(archive)])
    for refuses in ("2>/dev/full >/dev/null", "2>&1 | true"):
        line = f"{words} {refuses}; echo ${{PIPESTATUS[0]}}"
        ran = subprocess.run(["/bin/bash", "-c", line], capture_output=True, timeout=60, check=True)
        assert (ran.stdout, ran.stderr) == (b"5\n", b"")


def test_closed_streams_hurt_nobody(archive: Path) -> None:
    words = " ".join(shlex.quote(word) for word in [*PYTHON, "ls", str(archive)])
    assert subprocess.run(["/bin/bash", "-c", f"{words} >&- 2>&-"], timeout=60, check=False).returncode == 0
    words += ".nowhere"
    assert subprocess.run(["/bin/bash", "-c", f"{words} >&- 2>&-"], timeout=60, check=False).returncode == 5


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_name_can_be_written_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "n.ewad"
    path.write_bytes(build([Written("grün/音.png".encode(), b"x"), Written(b"\xff\x80", b"y")]))
    environ = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for options in ([], ["--json"], ["--long"]):
        ran = program("ls", *options, path, env=environ)
        assert (ran.returncode, ran.stderr) == (0, b"")
        ran.stdout.decode(encoding)
    ran = program("cat", path, "grün/nix", env=environ)
    assert ran.returncode == 1
    ran.stderr.decode(encoding)


def test_help_loads_next_to_nothing() -> None:
    """`lumpyard --help` is to take less than 100 ms; what is imported decides that."""
    code = (
        "import sys\n"
        "from lumpyard.cli.main import main\n"
        "main(['--help'])\n"
        "print(' '.join(sys.modules), file=sys.stderr)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True)
    loaded = set(ran.stderr.decode().split())
    assert not loaded & {
        "argparse",
        "yaml",
        "lz4",
        "rich",
        "blake3",
        "xxhash",
        "doit",
        "lumpyard.disk",
        "lumpyard.archives",
        "inspect",
    }


def test_colors_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tty:
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            raise OSError

    for environ, color in (
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
    ):
        assert look_at(Tty(), environ).color is color  # type: ignore[arg-type]
    assert look_at(None, {}).color is False
    assert standard_streams().out.terminal.color is False


def test_the_page_on_the_command_line_names_each_command_and_each_status() -> None:
    page = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text()
    for command in COMMANDS.values():
        assert f"| `{f'{command.name} {command.usage}'.rstrip()}` | {command.summary} |" in page
    for status in (0, 1, 2, 3, 4, 5, 6, 7, 70):
        assert f"\n| {status} | " in page
