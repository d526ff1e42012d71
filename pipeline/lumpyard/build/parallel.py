"""Several workers over one list of jobs: forked processes, threads, or the caller alone. Same results from each.

A worker body is `body(claim, send)`: it claims job numbers until it gets None, and sends messages (plain values) that
reach `receive` in the calling thread. Forked processes were measured fastest: threads only help for lumps above about
64 KiB, where the codec and the hash release the interpreter's lock for long enough to pay for the hand-over.
"""

from __future__ import annotations

import itertools
import marshal
import os
import queue
import selectors
import signal
import struct
import sys
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.errors import DiskError, Error, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    Claim = Callable[[], int | None]
    Send = Callable[[Any], None]
    Body = Callable[[Claim, Send], None]

_U64 = struct.Struct("<Q")
_READ_SIZE = 1 << 20


class WorkerError(Error):
    """An expected error of a worker process, as it was there."""

    def __init__(self, text: str, exit_status: int) -> None:
        super().__init__(text)
        self.exit_status = exit_status


class Crew(NamedTuple):
    """Who works: "serial", "fork" or "threads", and how many at once."""

    kind: str
    workers: int


def choose_crew(work_size: int, worth_it: int, *, wish: str = "") -> Crew:
    """The crew for some bytes of work; alone below `worth_it` bytes. `wish` is LUMPYARD_WORKERS: KIND, N or KIND:N.

    Forking is safe only while this process has one thread, and not where system libraries keep threads of their own.
    """
    kind, _, number = wish.partition(":") if not wish.isdecimal() else ("", "", wish)
    if kind not in ("", "serial", "fork", "threads") or (number and not number.isdecimal()) or number == "0":
        raise UsageError(
            f"LUMPYARD_WORKERS is {wish!r}; it takes serial, fork or threads, and a number as in fork:4"
        )
    workers = int(number) if number else _usable_cores()
    if not kind:
        kind = "serial" if work_size < worth_it or workers == 1 else "fork"
    if kind == "fork" and not _fork_is_safe():
        kind = "threads"
    return Crew(kind, 1 if kind == "serial" else workers)


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _fork_is_safe() -> bool:
    alone = threading.active_count() == 1 and threading.current_thread() is threading.main_thread()
    return alone and hasattr(os, "fork") and sys.platform != "darwin"


def run_crew(crew: Crew, jobs: int, body: Body, receive: Callable[[Any], None]) -> None:
    """Run the body until `jobs` jobs are claimed and done; errors of a worker are raised here."""
    if crew.kind == "fork":
        _run_forked(crew.workers, jobs, body, receive)
    elif crew.kind == "threads":
        _run_threads(crew.workers, jobs, body, receive)
    else:
        numbers = iter(range(jobs))
        body(lambda: next(numbers, None), receive)


class Beside:
    """A question answered beside what the caller goes on doing: by a forked process, else at once."""

    def __init__(self, answer: Callable[[], str], crew: Crew) -> None:
        self._process = 0
        if crew.kind != "fork":
            self._answer = answer()
            return
        self._reading, writing = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            _live(writing, [self._reading], lambda send: send(answer()))
        os.close(writing)

    def result(self) -> str:
        """The answer; errors of the other process are raised here."""
        if self._process:
            process, self._process = self._process, 0
            answers: list[str] = []
            _collect({self._reading: process}, answers.append)
            self._answer = answers[0]
        return self._answer

    def cancel(self) -> None:
        """End the other process, where there still is one."""
        if self._process:
            os.close(self._reading)
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._process = 0


def _run_threads(workers: int, jobs: int, body: Body, receive: Callable[[Any], None]) -> None:
    numbers = itertools.count()
    messages: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    stopped = threading.Event()

    def claim() -> int | None:
        number = next(numbers)
        return number if number < jobs and not stopped.is_set() else None

    def work() -> None:
        try:
            body(claim, lambda message: messages.put(("message", message)))
        except BaseException as error:  # noqa: BLE001 - handed to the calling thread, which raises it
            messages.put(("error", error))
        else:
            messages.put(("done", None))

    threads = [threading.Thread(target=work, name=f"lumpyard-{number}") for number in range(workers)]
    for thread in threads:
        thread.start()
    failure: BaseException | None = None
    try:
        left = workers
        while left:
            what, value = messages.get()
            left -= what != "message"
            if what == "error":
                failure = failure or value
                stopped.set()
            elif what == "message" and failure is None:
                receive(value)
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
    if failure is not None:
        raise failure


def _run_forked(workers: int, jobs: int, body: Body, receive: Callable[[Any], None]) -> None:
    token = os.pipe()  # holds the next job's number: who reads it claims it and puts back the next
    os.write(token[1], _U64.pack(0))
    children: dict[int, int] = {}  # read end of its messages -> process id
    try:
        for _ in range(workers):
            reading, writing = os.pipe()
            process = os.fork()
            if process == 0:
                _be_a_worker(token, jobs, writing, body, [reading, *children])
            os.close(writing)
            children[reading] = process
        _collect(children, receive)
    finally:
        for reading, process in children.items():
            os.close(reading)
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        os.close(token[0])
        os.close(token[1])


def _be_a_worker(token: tuple[int, int], jobs: int, writing: int, body: Body, not_mine: list[int]) -> None:
    """The forked child's whole life; it never returns."""

    def claim() -> int | None:
        number: int = _U64.unpack(os.read(token[0], _U64.size))[0]
        os.write(token[1], _U64.pack(number + 1))
        return number if number < jobs else None

    _live(writing, not_mine, lambda send: body(claim, send))


def _live(writing: int, not_mine: list[int], work: Callable[[Send], None]) -> None:
    """Do a forked child's work, tell what comes of it, and end without any of the parent's exits."""
    status = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and ends us
        for descriptor in not_mine:
            os.close(descriptor)
        try:
            work(lambda message: _write_all(writing, marshal.dumps(("message", message), 4)))
        except Error as error:
            _write_all(writing, marshal.dumps(("error", (str(error), error.exit_status)), 4))
        except BaseException:  # noqa: BLE001 - told to the parent, which raises it
            import traceback  # noqa: PLC0415 - only for faults

            _write_all(writing, marshal.dumps(("fault", traceback.format_exc()), 4))
        status = 0
    finally:
        os._exit(status)


def _write_all(descriptor: int, body: bytes) -> None:
    left = memoryview(_U64.pack(len(body)) + body)
    while left:
        left = left[os.write(descriptor, left) :]


def _collect(children: dict[int, int], receive: Callable[[Any], None]) -> None:
    """Hand on messages until every child has ended; `children` keeps those that have not."""
    waiting = {reading: bytearray() for reading in children}
    with selectors.DefaultSelector() as selector:
        for reading in children:
            selector.register(reading, selectors.EVENT_READ)
        while waiting:
            for key, _ in selector.select():
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
                        raise RuntimeError(f"a worker failed:\n{value}")
                    receive(value)


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
