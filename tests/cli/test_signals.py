"""Ctrl-C and SIGTERM, whenever they come: one word, the status of the signal, no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Run


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_command_without_a_traceback(number: signal.Signals) -> None:
    """The command sends it to itself, so it finds it at work."""
    code = (
        "import os, signal, sys\n"
        "from lumpyard.cli import ls, main\n"
        f"ls.run = lambda *_: os.kill(os.getpid(), {int(number)}) or signal.pause()\n"
        "sys.exit(main.main(['ls', 'x']))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (128 + number, b"", b"interrupted\n")


IMPORTS = """
import os, sys
from importlib.abc import MetaPathFinder

AT, NUMBER = map(int, sys.argv[1:])
sys.argv[1:] = ["ls", "nowhere"]

class Signal(MetaPathFinder):
    seen = 0

    def find_spec(self, name, path, target=None):
        self.seen += name not in {"lumpyard", "lumpyard.cli", "lumpyard.cli.main"}
        if self.seen == AT:
            os.kill(os.getpid(), NUMBER)

sys.meta_path.insert(0, finder := Signal())
from lumpyard.cli.main import main
status = main()
print(finder.seen)
sys.exit(status)
"""


def load(at: int, number: int = signal.SIGINT) -> subprocess.CompletedProcess[bytes]:
    """`lumpyard ls nowhere`, to which a signal comes with an import, counted from 1."""
    command = [sys.executable, "-c", IMPORTS, str(at), str(int(number))]
    return subprocess.run(command, capture_output=True, timeout=60, check=False)


def test_a_signal_ends_the_program_with_a_word_while_it_loads() -> None:
    """It may come before, while or after the handlers are set, and when the command has begun."""
    whole = load(-1)
    assert whole.returncode == 5
    imports = int(whole.stdout)
    assert imports > 30
    for at in [1, 2, 3, 4, 5, *range(8, imports + 1, 7), imports]:
        ran = load(at)
        assert (at, ran.returncode, ran.stderr) == (at, 130, b"interrupted\n")
    ran = load(imports, signal.SIGTERM)
    assert (ran.returncode, ran.stderr) == (143, b"interrupted\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_the_process_was_to_ignore_is_ignored(number: signal.Signals) -> None:
    code = (
        "import os, signal, sys\n"
        f"signal.signal({int(number)}, signal.SIG_IGN)\n"
        "from lumpyard.cli import ls, main\n"
        f"ls.run = lambda *_: os.kill(os.getpid(), {int(number)}) or 1\n"
        "sys.argv[1:] = ['ls', 'x']\n"
        "sys.exit(main.main())\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, b"", b"")


def test_signals_are_left_as_they_were_where_the_process_is_not_ours(run: Run) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    run("--version")
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
