"""Several workers over one list of jobs: forked processes, threads, or the caller alone. Same results from each.

A worker body is `body(claim, send)`: it claims job numbers until it gets None, and sends messages (plain values) that
reach `receive` in the calling thread. Forked processes were measured fastest: threads only help for lumps above about
64 KiB, where the codec and the hash release the interpreter's lock for long enough to pay for the hand-over.
"""

from __future__ import annotations

import itertools
import os
import queue
import sys
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.build.variables import parse_workers
from lumpyard.build.workers.forking import collect_answer, end_process, fork_answer, run_forked
from lumpyard.build.workers.interrupting import InterruptibleThread

if TYPE_CHECKING:
    from collections.abc import Callable

    Claim = Callable[[], int | None]
    Send = Callable[[Any], None]
    Body = Callable[[Claim, Send], None]

_GLANCE = 0.1  # seconds between looks at whether this thread was interrupted
_FOLLOWING = (InterruptedError, KeyboardInterrupt)  # what workers raise because another one failed


class Crew(NamedTuple):
    """Who works: "serial", "fork" or "threads", and how many at once."""

    kind: str
    workers: int


def choose_crew(work_size: int, worth_it: int, *, wish: str = "") -> Crew:
    """The crew for some bytes of work; alone below `worth_it` bytes. `wish` is LUMPYARD_WORKERS.

    Forking is safe only while this process has one thread, and not where system libraries keep threads of their own.
    """
    kind, number = parse_workers(wish)
    workers = number or _usable_cores()
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


def run_crew(
    crew: Crew, jobs: int, body: Body, receive: Callable[[Any], None], idle: Callable[[], None]
) -> None:
    """Run the body until `jobs` jobs are claimed and done; errors of a worker are raised here.

    `idle` is called now and then while no message comes, but where the caller works alone.
    """
    if crew.kind == "fork":
        run_forked(crew.workers, jobs, body, receive, idle)
    elif crew.kind == "threads":
        _run_threads(crew.workers, jobs, body, receive, idle)
    else:
        numbers = iter(range(jobs))
        body(lambda: next(numbers, None), receive)


class Beside:
    """A question answered beside what the caller goes on doing: by a forked process, else at once."""

    def __init__(self, answer: Callable[[], Any], crew: Crew) -> None:
        self._waiting = fork_answer(answer) if crew.kind == "fork" else None
        self._answer = None if self._waiting else answer()

    def result(self) -> Any:
        """The answer, plain values; errors of the other process are raised here."""
        if self._waiting:
            waiting, self._waiting = self._waiting, None
            self._answer = collect_answer(*waiting)
        return self._answer

    def cancel(self) -> None:
        """End the other process, where there still is one."""
        if self._waiting:
            end_process(*self._waiting)
            self._waiting = None


def _run_threads(
    workers: int, jobs: int, body: Body, receive: Callable[[Any], None], idle: Callable[[], None]
) -> None:
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

    threads = [InterruptibleThread(work, f"lumpyard-{number}") for number in range(workers)]
    errors: list[BaseException] = []
    left = workers
    try:
        for thread in threads:
            thread.start()
        while left and not errors:
            what, value = _next_message(messages)
            if what == "message":
                receive(value)
            elif what == "error":
                errors.append(value)
            elif what == "done":
                left -= 1
            else:
                idle()
    finally:
        stopped.set()
        for thread in threads:
            if left:
                thread.interrupt()
            thread.release()
        for thread in threads:
            if thread.ident is not None:  # it was started
                thread.join()
    if errors:
        while not messages.empty():
            what, value = messages.get()
            errors += [value] if what == "error" else []
        raise next((error for error in errors if not isinstance(error, _FOLLOWING)), errors[0])


def _next_message(messages: queue.SimpleQueue[tuple[str, Any]]) -> tuple[str, Any]:
    """The next message; ("", None) when none came for a moment, so that an interrupt of this thread is seen."""
    try:
        return messages.get(timeout=_GLANCE)
    except queue.Empty:
        return "", None
