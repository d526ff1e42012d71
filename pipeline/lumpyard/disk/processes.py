"""Running a program: without a shell, without a terminal, for a limited time, and with nothing left of it.

On POSIX a program is the leader of a session of its own, so that what it started can be ended with it. What
left that session is found by its TMPDIR where the system has `/proc`. Elsewhere the program alone is ended.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lumpyard.disk.paths import from_system, native

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from subprocess import Popen

    from lumpyard.disk.scratch import Scratch

_FIXED = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "SOURCE_DATE_EPOCH": "0",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",  # a tool in Python must not leave files beside its modules
}
TAIL = 1 << 16  # bytes of each output stream that are kept: its end
_POSIX = os.name == "posix"
_GLANCE = 0.1  # seconds between looks at whether a program has ended while others hold its output open
_ROUNDS = 10  # of looking for strays, which may start others meanwhile
_LAST_WORDS = 1.0  # seconds that output is read for after the end of the program


class Finished(NamedTuple):
    """How a program ended."""

    fault: str  # "" where it ended by itself with status 0; else what it did: "ended with status 3"
    out: bytes  # the last `TAIL` bytes of its standard output
    err: bytes  # the same of its standard error


def clean_variables(scratch: Scratch) -> dict[str, str]:
    """An environment that is the same everywhere: no one's locale, time zone or home.

    PATH alone is this process's, for programs that start others (and what nothing on Windows starts without).
    """
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    places = {
        "HOME": scratch.home,
        "TMPDIR": scratch.temporary,
        "TMP": scratch.temporary,
        "TEMP": scratch.temporary,
    }
    return {name: from_system(value) for name, value in kept.items()} | places | _FIXED


def run_program(args: Sequence[str], folder: str, variables: Mapping[str, str], timeout: float) -> Finished:
    """How a run of a program ended. `args[0]` is its path; `variables` are its whole environment.

    Its standard input is empty. After `timeout` seconds, and on any exception here (Ctrl-C), it is ended with
    all that it started. That it cannot be started is a fault like any other.
    """
    import subprocess  # noqa: PLC0415 - 10 ms that only builds with tools pay

    environment = {_system(name): _system(value) for name, value in variables.items()}
    watch = _watch if _POSIX else _watch_alone
    finished: Finished | None = None
    process = subprocess.Popen.__new__(subprocess.Popen)  # known here even if Ctrl-C comes while it starts
    try:
        try:
            process.__init__(  # type: ignore[misc]
                [_system(arg) for arg in args],
                cwd=_system(folder),
                env=cast("Any", environment),  # all bytes, or all text
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=_POSIX,
                umask=0o022 if _POSIX else -1,
            )
        except (OSError, ValueError) as error:
            finished = Finished(f"cannot be started: {_start_fault(error)}", b"", b"")
            return finished
        with process:
            finished = watch(process, timeout)
            return finished
    finally:
        if finished is None or finished.fault:
            _end_started(process)
            _end_strays(variables.get("TMPDIR", ""))


def _end_started(process: Popen[bytes]) -> None:
    """End a program whose start was interrupted."""
    if getattr(process, "pid", None) and process.returncode is None:
        if _POSIX:
            _end_group(process)
        process.kill()
        process.wait()


def _system(text: str) -> bytes | str:
    """Text as the system takes it: bytes, whatever the locale; on Windows text."""
    return text.encode("utf-8", "surrogateescape") if _POSIX else text


def _start_fault(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "it, or the interpreter that its first line names, is not there"
    return getattr(error, "strerror", None) or str(error)


def _watch(process: Popen[bytes], timeout: float) -> Finished:
    """Read what a program says until it has ended or its time is up; then end what is left of it."""
    tails = (bytearray(), bytearray())
    try:
        done = _read_until(process, timeout, tails)
    finally:
        _end_group(process)
        process.wait()
    fault = _status_fault(process.returncode) if done else f"did not end within {timeout:g} s"
    return Finished(fault, bytes(tails[0]), bytes(tails[1]))


def _read_until(process: Popen[bytes], timeout: float, tails: Sequence[bytearray]) -> bool:
    """Fill the tails; whether the program has ended by itself in time."""
    import selectors  # noqa: PLC0415 - comes with subprocess

    deadline = time.monotonic() + timeout
    ended = False
    with selectors.DefaultSelector() as selector:
        for stream, tail in zip((process.stdout, process.stderr), tails, strict=True):
            assert stream is not None
            selector.register(stream, selectors.EVENT_READ, tail)
        looked = time.monotonic()
        while selector.get_map() and (now := time.monotonic()) < deadline:
            if not ended and now - looked >= _GLANCE:
                looked = now
                if ended := _has_ended(process):  # what it left behind may hold its output open for ever
                    _end_group(process)
                    deadline = now + _LAST_WORDS
            for key, _ in selector.select(max(0.0, min(deadline - now, _GLANCE))):
                data = os.read(key.fd, TAIL)
                if not data:
                    selector.unregister(key.fileobj)
                key.data.extend(data)
                del key.data[:-TAIL]
    return ended or _ends_by(process, deadline)


def _ends_by(process: Popen[bytes], deadline: float) -> bool:
    """Wait for the end of a program that has closed its output, which is nearly always at hand."""
    pause = 0.0005
    while not _has_ended(process):
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
        pause = min(pause * 2, _GLANCE)
    return True


def _has_ended(process: Popen[bytes]) -> bool:
    """Whether a program has ended. It is not reaped yet, so that its number still names its own group."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _end_group(process: Popen[bytes]) -> None:
    """End a program and all in its session's first group."""
    with contextlib.suppress(
        ProcessLookupError, PermissionError
    ):  # macOS refuses where only zombies are left
        os.killpg(process.pid, signal.SIGKILL)


def _end_strays(marker: str) -> None:
    """End what a program that failed has started in other sessions: all that has its TMPDIR."""
    if not marker or not os.path.isdir("/proc/self"):
        return
    wanted = b"TMPDIR=" + native(marker)
    for _ in range(_ROUNDS):
        ended = [_end_stray(name, wanted) for name in os.listdir("/proc") if name.isdigit()]
        if not any(ended):
            break


def _end_stray(number: str, wanted: bytes) -> bool:
    """End a process that has this variable; whether there was one."""
    try:
        with open(f"/proc/{number}/environ", "rb") as variables:
            found = wanted in variables.read().split(b"\0")
        if found:
            os.kill(int(number), signal.SIGKILL)
    except OSError:
        return False
    return found


def _watch_alone(process: Popen[bytes], timeout: float) -> Finished:
    """The way where there are no process groups: what the program started is not ended with it."""
    import subprocess  # noqa: PLC0415 - as in run_program

    try:
        out, err = process.communicate(timeout=timeout)
        fault = _status_fault(process.returncode)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        fault = f"did not end within {timeout:g} s"
    except BaseException:
        process.kill()
        raise
    return Finished(fault, out[-TAIL:], err[-TAIL:])


def _status_fault(status: int) -> str:
    """What an exit status says, or ""; below zero it is a signal."""
    if status >= 0:
        return f"ended with status {status}" if status else ""
    try:
        name = f" ({signal.Signals(-status).name})"
    except ValueError:
        name = ""
    return f"was ended by signal {-status}{name}"
