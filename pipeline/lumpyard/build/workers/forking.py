"""Worker processes, forked: they share all memory as it was, and send plain values back.

A fork gets no signal before it is ready for one, and its parent knows it before the parent can be interrupted; so
nothing that was started outlives the build, whenever Ctrl-C comes.
"""

from __future__ import annotations

import marshal
import os
import selectors
import signal
import struct
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from lumpyard.errors import DiskError, Error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from lumpyard.build.workers.parallel import Body, Send

    Ending = Callable[[int, FrameType | None], None] | signal.Handlers

_U64 = struct.Struct("<Q")
_READ_SIZE = 1 << 20
_PIPE_SIZE = 1 << 20  # bytes; the usual 64 KiB hold two chunks' worth
_ENDING = (signal.SIGINT, signal.SIGTERM)
_MOMENT = 0.1  # seconds without a message after which `idle` is called
_PARTING = 5.0  # seconds that workers get to end what they run
_GLANCE = 0.01  # seconds between looks at whether they have
_builder: list[int] = []  # in a worker, the process that it works for


class WorkerError(Error):
    """An expected error of a worker process, as it was there."""

    def __init__(self, text: str, exit_status: int) -> None:
        super().__init__(text)
        self.exit_status = exit_status


def run_forked(
    workers: int, jobs: int, body: Body, receive: Callable[[Any], None], idle: Callable[[], None]
) -> None:
    """Run the body in so many processes until the jobs are done; their errors are raised here, and end the others."""
    token = os.pipe()  # holds the next job's number: who reads it claims it and puts back the next
    os.write(token[1], _U64.pack(0))
    children: dict[int, int] = {}  # read end of its messages -> process id
    builder = os.getpid()
    try:
        for _ in range(workers):
            reading, writing = _message_pipe()
            with _signals_held():
                process = os.fork()
                if process == 0:
                    _builder[:] = [builder]
                    _be_a_worker(token, jobs, writing, body, [reading, *children])
                children[reading] = process
            os.close(writing)
        _collect(children, receive, idle)
    finally:
        _end_children(children)
        os.close(token[0])
        os.close(token[1])


def is_left_alone() -> bool:
    """Whether this is a worker whose builder was killed: nobody ends it, or tells it that another worker is gone."""
    return bool(_builder) and os.getppid() != _builder[0]


def _message_pipe() -> tuple[int, int]:
    """A pipe that holds many messages, where the system can: a worker goes on while the builder is busy."""
    import fcntl  # noqa: PLC0415 - there wherever processes fork

    reading, writing = os.pipe()
    with suppress(AttributeError, OSError):  # not on this system, or more than a user may have
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)
    return reading, writing


def fork_answer(answer: Callable[[], Any]) -> tuple[int, int]:
    """A process that works out one answer: where to read it, and the process's number.

    It starts nothing and makes no files, so to be ended is its end at once.
    """
    reading, writing = os.pipe()
    with _signals_held():
        process = os.fork()
        if process == 0:
            _live(writing, [reading], lambda send: send(answer()), signal.SIG_DFL)
    os.close(writing)
    return reading, process


def collect_answer(reading: int, process: int) -> Any:
    """The answer of such a process; its errors are raised here."""
    answers: list[Any] = []
    children = {reading: process}
    try:
        _collect(children, answers.append, lambda: None)
    finally:
        _end_children(children)
    return answers[0]


def end_process(reading: int, process: int) -> None:
    """End a process whose answer nobody waits for."""
    _end_children({reading: process})


def _end_children(children: dict[int, int]) -> None:
    """End the workers that are left: they get the time to end the tools that they run, and no more than that."""
    try:
        for process in children.values():
            os.kill(process, signal.SIGTERM)
        deadline = time.monotonic() + _PARTING
        while children and time.monotonic() < deadline:
            for reading, process in list(children.items()):
                if os.waitpid(process, os.WNOHANG)[0]:
                    del children[reading]
                    os.close(reading)
            if children:
                time.sleep(_GLANCE)
    finally:
        for reading, process in children.items():
            os.close(reading)
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


@contextmanager
def _signals_held() -> Iterator[None]:
    """No signal is handled meanwhile: in a child forked here, its parent's handlers would unwind its parent's calls."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _be_a_worker(token: tuple[int, int], jobs: int, writing: int, body: Body, not_mine: list[int]) -> None:
    """The forked child's whole life; it never returns."""

    def claim() -> int | None:
        number: int = _U64.unpack(os.read(token[0], _U64.size))[0]
        os.write(token[1], _U64.pack(number + 1))
        return number if number < jobs else None

    _live(writing, not_mine, lambda send: body(claim, send), _leave)


def _live(writing: int, not_mine: list[int], work: Callable[[Send], None], when_ended: Ending) -> None:
    """Do a forked child's work, tell what comes of it, and end without any of the parent's exits."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and ends us
        signal.signal(signal.SIGTERM, when_ended)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        for descriptor in not_mine:
            os.close(descriptor)
        try:
            work(lambda message: _write_all(writing, marshal.dumps(("message", message), 4)))
        except Error as error:
            _write_all(writing, marshal.dumps(("error", (str(error), error.exit_status)), 4))
        except KeyboardInterrupt:
            return  # the parent has had enough
        except BaseException as error:  # noqa: BLE001 - told to the parent, which raises it
            import traceback  # noqa: PLC0415 - only for faults

            what = " ".join(traceback.format_exception_only(error)[-1].split())
            _write_all(writing, marshal.dumps(("fault", (what, traceback.format_exc())), 4))
        status = 0
    finally:
        os._exit(status)


def _leave(number: int, _frame: FrameType | None) -> None:
    """End a worker as Ctrl-C would, so that it ends its tools; once, for what does that must not be cut short."""
    signal.signal(number, signal.SIG_IGN)
    sys.unraisablehook = _keep_quiet  # Python would say so where this comes in the midst of a callback
    raise KeyboardInterrupt


def _keep_quiet(_unraisable: object) -> None:
    """Nothing."""


def _write_all(descriptor: int, body: bytes) -> None:
    left = memoryview(_U64.pack(len(body)) + body)
    while left:
        left = left[os.write(descriptor, left) :]


def _collect(children: dict[int, int], receive: Callable[[Any], None], idle: Callable[[], None]) -> None:
    """Hand on messages until every child has ended; `children` keeps those that have not."""
    waiting = {reading: bytearray() for reading in children}
    with selectors.DefaultSelector() as selector:
        for reading in children:
            selector.register(reading, selectors.EVENT_READ)
        while waiting:
            ready = selector.select(_MOMENT)
            if not ready:
                idle()
            for key, _ in ready:
                data = os.read(key.fd, _READ_SIZE)
                if not data:
                    selector.unregister(key.fd)
                    del waiting[key.fd]
                    _say_goodbye(children, key.fd)
                    continue
                buffer = waiting[key.fd]
                buffer += data
                for what, value in _take_messages(buffer):
                    if what == "error":
                        raise WorkerError(*value)
                    if what == "fault":
                        raise _fault(*value)
                    receive(value)


def _fault(what: str, trace: str) -> RuntimeError:
    """A fault of ours in a worker, in one line; where it was goes along for those who ask for tracebacks."""
    fault = RuntimeError(f"a worker failed: {what}")
    fault.add_note(trace)
    return fault


def _take_messages(buffer: bytearray) -> list[tuple[str, Any]]:
    """The complete messages at the start of a buffer, taken out of it."""
    messages = []
    start = 0
    while len(buffer) - start >= _U64.size:
        size: int = _U64.unpack_from(buffer, start)[0]
        end = start + _U64.size + size
        if end > len(buffer):
            break
        messages.append(marshal.loads(memoryview(buffer)[start + _U64.size : end]))  # noqa: S302 - from our own child
        start = end
    if start:
        del buffer[:start]
    return messages


def _say_goodbye(children: dict[int, int], reading: int) -> None:
    process = children.pop(reading)
    os.close(reading)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status < 0:
        raise DiskError(f"a worker process was ended by signal {-status}; is there enough memory?")
    if status:
        raise DiskError(f"a worker process ended with status {status}")
