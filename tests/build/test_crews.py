"""Crews of workers: every job is done once, errors come through as they were, and nothing outlives the call."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any

import pytest

from lumpyard.build.workers.interrupting import InterruptibleThread, interrupt_threads
from lumpyard.build.workers.parallel import Beside, Crew, choose_crew, run_crew
from lumpyard.errors import DiskError, Error, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="some workers are forked")
CREWS = [Crew("serial", 1), Crew("fork", 1), Crew("fork", 3), Crew("threads", 1), Crew("threads", 3)]
SEVERAL = [Crew("fork", 2), Crew("threads", 2)]


def named(crew: Crew) -> str:
    return f"{crew.kind}:{crew.workers}"


def nothing() -> None:
    """Nobody waits."""


def children() -> set[int]:
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        return set(map(int, file.read().split()))


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Any:
    threads, before = threading.active_count(), children()
    yield
    assert threading.active_count() == threads
    assert children() == before


def jobs(work: Callable[[int], Any]) -> Callable[..., None]:
    """A body that does this for every job and sends what comes of it."""

    def body(claim: Callable[[], int | None], send: Callable[[Any], None]) -> None:
        while (number := claim()) is not None:
            send((number, work(number)))

    return body


@pytest.mark.parametrize("crew", CREWS, ids=named)
@pytest.mark.parametrize("count", [0, 1, 2, 500])
def test_every_job_is_done_once(crew: Crew, count: int) -> None:
    received: list[Any] = []
    run_crew(crew, count, jobs(lambda number: b"x" * number), received.append, nothing)
    assert sorted(received) == [(number, b"x" * number) for number in range(count)]


@pytest.mark.parametrize("crew", CREWS, ids=named)
def test_messages_of_any_size_come_whole(crew: Crew) -> None:
    received: list[Any] = []
    run_crew(crew, 3, jobs(lambda number: bytes([number]) * 3_000_000), received.append, nothing)
    assert sorted(received) == [(number, bytes([number]) * 3_000_000) for number in range(3)]


@pytest.mark.parametrize("crew", CREWS, ids=named)
def test_an_expected_error_keeps_its_text_and_its_exit_status(crew: Crew) -> None:
    def work(number: int) -> None:
        if number == 3:
            raise DiskError("cannot write x: no space left")

    with pytest.raises(Error, match=r"^cannot write x: no space left$") as caught:
        run_crew(crew, 100, jobs(work), lambda _: None, nothing)
    assert caught.value.exit_status == DiskError.exit_status


@pytest.mark.parametrize("crew", CREWS, ids=named)
def test_a_fault_is_told_with_where_it_was(crew: Crew) -> None:
    with pytest.raises((ZeroDivisionError, RuntimeError), match="division"):
        run_crew(crew, 10, jobs(lambda number: 1 // (number - 5)), lambda _: None, nothing)


@pytest.mark.parametrize("crew", SEVERAL, ids=named)
def test_the_error_that_came_first_is_told_not_what_it_led_to(crew: Crew, tmp_path: Path) -> None:
    """The others are ended while they work; what they make of that is nobody's business."""
    started = tmp_path / "started"

    def work(number: int) -> None:
        if number == 0:
            started.touch()
            while True:
                time.sleep(0.001)
        while not started.exists():
            time.sleep(0.001)
        raise DiskError("the first")

    with pytest.raises(Error, match=r"^the first$"):
        run_crew(crew, 2, jobs(work), lambda _: None, nothing)


@pytest.mark.parametrize("crew", SEVERAL, ids=named)
def test_workers_that_are_ended_clean_up(crew: Crew, tmp_path: Path) -> None:
    """A tool is ended by the `finally` of whoever runs it."""

    def work(number: int) -> None:
        mark = tmp_path / str(number)
        mark.touch()
        try:
            while True:
                time.sleep(0.001)
        finally:
            mark.unlink()

    def interrupt() -> None:
        if len(list(tmp_path.iterdir())) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_crew(crew, 2, jobs(work), lambda _: None, interrupt)
    assert list(tmp_path.iterdir()) == []


def test_a_worker_that_is_killed_is_an_error_that_says_so() -> None:
    def work(number: int) -> None:
        if number == 7:
            os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(DiskError, match="ended by signal 9; is there enough memory"):
        run_crew(Crew("fork", 2), 100, jobs(work), lambda _: None, nothing)


def test_a_receiver_that_fails_ends_the_workers() -> None:
    def receive(_: object) -> None:
        raise DiskError("no")

    for crew in CREWS:
        with pytest.raises(DiskError, match=r"^no$"):
            run_crew(crew, 50, jobs(lambda number: number), receive, nothing)


def test_a_thread_that_runs_a_crew_can_be_interrupted(tmp_path: Path) -> None:
    """As under `doit -n 2`, where builds are in threads of doit's."""

    def work(number: int) -> None:
        (tmp_path / str(number)).touch()
        while True:
            time.sleep(0.001)

    caught: list[type[BaseException]] = []

    def build() -> None:
        try:
            run_crew(Crew("threads", 2), 2, jobs(work), lambda _: None, nothing)
        except BaseException as error:  # noqa: BLE001 - whatever comes
            caught.append(type(error))

    thread = threading.Thread(target=build)
    thread.start()
    while len(list(tmp_path.iterdir())) < 2:
        time.sleep(0.001)
    interrupt_threads([thread])
    thread.join()
    assert caught == [KeyboardInterrupt]


@pytest.mark.parametrize("crew", CREWS, ids=named)
def test_an_answer_beside_comes_through(crew: Crew) -> None:
    beside = Beside(lambda: "the answer", crew)
    assert [beside.result(), beside.result()] == ["the answer"] * 2
    beside.cancel()
    Beside(lambda: "never asked for", crew).cancel()


def in_a_callback(seen: int) -> None:
    """Stay in a callback of Python's for long: what is raised there is told on standard error, and goes no further."""

    class Thing:
        pass

    def callback(_: object) -> None:
        sys.unraisablehook, sys.stderr = sys.__unraisablehook__, sys.__stderr__  # pytest has its own
        os.write(seen, b"x")
        for _ in range(20_000):
            time.sleep(0.001)

    thing = Thing()
    watched = weakref.ref(thing, callback)
    del thing
    assert watched() is None


def test_what_is_ended_within_a_callback_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """A scout that loads modules is in one again and again."""
    reading, writing = os.pipe()
    beside = Beside(lambda: in_a_callback(writing), Crew("fork", 1))
    assert os.read(reading, 1) == b"x"
    beside.cancel()

    def interrupt() -> None:
        if os.read(reading, 1) == b"x":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_crew(Crew("fork", 1), 1, jobs(lambda _: in_a_callback(writing)), lambda _: None, interrupt)
    os.close(reading)
    os.close(writing)
    assert capfd.readouterr() == ("", "")


def test_the_wish_says_who_works() -> None:
    assert choose_crew(10, 100) == Crew("serial", 1)
    assert choose_crew(10, 100, wish="fork:4") == Crew("fork", 4)
    assert choose_crew(10, 100, wish="threads:2") == Crew("threads", 2)
    assert choose_crew(1000, 100, wish="serial:9") == Crew("serial", 1)
    assert choose_crew(1000, 100, wish="3").workers == 3
    for wish in ("lots", "fork:0", "0", "fork:x", "-1"):
        with pytest.raises(UsageError, match="LUMPYARD_WORKERS"):
            choose_crew(10, 100, wish=wish)


def test_beside_other_threads_nobody_forks() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert choose_crew(1000, 100, wish="fork:2") == Crew("threads", 2)
    finally:
        done.set()
        thread.join()


def test_an_interrupt_reaches_the_work_of_a_thread_and_nothing_around_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whenever it comes: before the work begins, in it, or when it is done."""
    unraisable: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", unraisable.append)
    monkeypatch.setattr("threading.excepthook", unraisable.append)
    ends: list[str] = []

    def work() -> None:
        try:
            for _ in range(200):
                time.sleep(0)
        except KeyboardInterrupt:
            ends.append("interrupted")
        else:
            ends.append("done")

    for turn in range(300):
        thread = InterruptibleThread(work, "worker")
        thread.start()
        time.sleep(turn % 30 * 0.00003)
        thread.interrupt()
        thread.release()
        thread.join()
    assert unraisable == []
    assert set(ends) <= {"interrupted", "done"}
    assert "interrupted" in ends
