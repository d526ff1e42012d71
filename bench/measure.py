"""One command, measured: wall clock, CPU time, peak memory, and how much others used the machine meanwhile.

Time runs from just before the process starts until it has ended, so interpreter and library start are in it. CPU time
(user and system) and peak resident memory come from wait4, which adds up, or takes the largest of, the process and all
that it has waited for: a build's workers, a shell's commands. A program started by fork begins with its parent's peak,
so nothing below this program's own 20 MB or so can be told apart; that is why nothing large is loaded here.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Values = dict[str, float]

_TICK = os.sysconf("SC_CLK_TCK")
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes


class CommandError(Exception):
    """A command that failed, or did something other than it was meant to."""


def run(command: Sequence[str], folder: str) -> tuple[Values, str]:
    """`wall` and `cpu` in seconds, `rss` in bytes, `others` in cores; and what the command printed."""
    with tempfile.TemporaryFile() as output:
        busy, start = busy_time(), time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=environment(), stdout=output, stderr=output, process_group=0
        )
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)  # with all that it started
            process.wait()
            raise
        wall, busy = time.perf_counter() - start, busy_time() - busy
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        printed = output.read().decode(errors="replace")
    if process.returncode:
        raise CommandError(f"{' '.join(command)} in {folder} gave {process.returncode}:\n{printed[-2000:]}")
    cpu = usage.ru_utime + usage.ru_stime
    others = max(0.0, busy - cpu) / wall
    return {"wall": wall, "cpu": cpu, "rss": usage.ru_maxrss * _RSS_UNIT, "others": others}, printed


def environment() -> dict[str, str]:
    """This process's environment without what would change how a build runs or compiles its modules."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("LUMPYARD_") and name != "PYTHONDONTWRITEBYTECODE"
    }


def busy_time() -> float:
    """Seconds of CPU time that the whole machine has used since it started; 0 where that isn't told."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            user, nice, system, _idle, _wait, irq, soft = map(int, file.readline().split()[1:8])
    except OSError:
        return 0.0
    return (user + nice + system + irq + soft) / _TICK


def wait_for_quiet(seconds: float, most: float = 0.2) -> float:
    """Cores that others use, once they are at most `most`, or after so many seconds of waiting."""
    end = time.monotonic() + seconds
    while True:
        busy, start = busy_time(), time.monotonic()
        time.sleep(0.5)
        now = time.monotonic()
        others = (busy_time() - busy) / (now - start)
        if others <= most or now >= end:
            return others
