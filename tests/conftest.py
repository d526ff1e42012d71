"""What holds for all tests."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

import doit.cmd_run  # noqa: F401 - it keeps the standard output of the moment, which must not be one test's alone
import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Generator

# No test may fail because the machine is busy.
settings.register_profile("lumpyard", deadline=None)
settings.load_profile("lumpyard")

# A shell that starts a run in the background has it ignore Ctrl-C, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """At the very end, one line for all that tests asked for and that is not there (`tests.builders.judges`)."""
    yield
    for outcomes, what in ((("skipped",), "were skipped"), (("failed", "error"), "failed")):
        reports = [report for outcome in outcomes for report in terminalreporter.getreports(outcome)]
        missing = {
            package
            for report in reports
            for words in re.findall(r" is not there: apt install ([\w. +-]+)", _why(report))
            for package in words.split()
        }
        if missing:
            terminalreporter.line(
                f"Tests {what} for want of programs and data: apt install {' '.join(sorted(missing))}"
            )


def _why(report: pytest.TestReport) -> str:
    """What a report says; of a skipped test that is a tuple of file, line and reason."""
    return report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
