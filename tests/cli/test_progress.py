"""Progress says the same on a terminal, in a log and to a program, and cannot hurt a build."""

import io
import json
import re
import threading
from collections.abc import Callable

import pytest

from lumpyard.build.workers.progress import Progress, Silent
from lumpyard.console.moving import RichProgress
from lumpyard.console.progress import JsonProgress, PlainProgress, make_progress
from lumpyard.errors import Place, Problem

WARNING = Problem(Place("assets.yaml", 3, 5), "W0201", "`!**/*.wip` matches nothing")


class Stream(io.StringIO):
    """Text that was written, to something that may be a terminal."""

    def __init__(self, tty: bool = False) -> None:
        super().__init__()
        self.tty = tty

    def isatty(self) -> bool:
        return self.tty


class Clock:
    """A clock that ticks 0.2 s each time it is looked at."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 0.2
        return self.now


def build(progress: Progress, task: str = "ship:base") -> None:
    progress.begin(task, "pack", 20, 3_000_000)
    for _ in range(20):
        progress.advance(task, 1, 150_000)
    progress.warn(WARNING)
    progress.begin(task, "verify", 20, 0)
    progress.end(task, "3 of 20 lumps made anew, 3.00 MB")


def test_a_log_gets_a_line_for_each_stage_and_one_at_the_end() -> None:
    stream = Stream()
    build(PlainProgress(stream))
    assert stream.getvalue().splitlines() == [
        "ship:base: pack 20 lumps, 3.00 MB",
        "assets.yaml:3:5: warning[W0201]: `!**/*.wip` matches nothing",
        "ship:base: verify 20 lumps",
        "ship:base: 3 of 20 lumps made anew, 3.00 MB",
    ]


def test_a_program_gets_one_json_object_a_line() -> None:
    stream = Stream()
    build(JsonProgress(stream, Clock()))
    events = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [event["event"] for event in events if event["event"] != "advance"] == [
        "begin",
        "warning",
        "begin",
        "end",
    ]
    advances = [event for event in events if event["event"] == "advance"]
    assert 0 < len(advances) < 20  # not one for each lump
    assert [event["done_lumps"] for event in advances] == sorted(event["done_lumps"] for event in advances)
    assert advances[-1]["done_size"] <= advances[-1]["size"] == 3_000_000


def test_a_terminal_gets_a_line_that_moves_and_one_that_stays() -> None:
    stream = Stream(tty=True)
    build(RichProgress(stream, {"TERM": "xterm", "COLUMNS": "100", "LINES": "30"}, Clock()))
    text = stream.getvalue()
    assert re.search(r"ship:base pack .* \d+/20 lumps", text)
    assert "MB/s" in text or "kB/s" in text
    assert "ship:base: 3 of 20 lumps made anew, 3.00 MB" in text
    assert "warning[W0201]" in text


def test_what_a_tool_said_stands_below_its_warning() -> None:
    stream = Stream()
    PlainProgress(stream).warn(Problem(Place("a.fx"), "W0601", "dxc warns\nline 3: \x1b[31mslow"))
    assert stream.getvalue() == "a.fx: warning[W0601]: dxc warns\n  line 3: \\x1b[31mslow\n"


def test_a_quick_task_moves_nothing_on_a_terminal() -> None:
    stream = Stream(tty=True)
    build(RichProgress(stream, {"TERM": "xterm"}, lambda: 100.0))
    assert stream.getvalue().splitlines() == [
        "assets.yaml:3:5: warning[W0201]: `!**/*.wip` matches nothing",
        "ship:base: 3 of 20 lumps made anew, 3.00 MB",
    ]


def test_drawing_starts_no_thread() -> None:
    """Workers are forked while a build runs, which is not safe beside threads."""
    before = threading.active_count()
    progress = RichProgress(Stream(tty=True), {"TERM": "xterm"}, Clock())
    progress.begin("ship:base", "pack", 20, 3_000_000)
    for _ in range(5):
        progress.advance("ship:base", 1, 150_000)
    assert threading.active_count() == before
    progress.stop()


@pytest.mark.parametrize(
    "make", [PlainProgress, JsonProgress, lambda s: RichProgress(s, {"TERM": "xterm"}, Clock())]
)
def test_several_tasks_may_report_at_once(make: Callable[[Stream], Progress]) -> None:
    stream = Stream(tty=True)
    progress = make(stream)
    tasks = [threading.Thread(target=build, args=(progress, f"ship:{number}")) for number in range(4)]
    for task in tasks:
        task.start()
    for task in tasks:
        task.join()
    for number in range(4):
        assert f"ship:{number}" in stream.getvalue()


@pytest.mark.parametrize(
    "make", [PlainProgress, JsonProgress, lambda s: RichProgress(s, {"TERM": "xterm"}, Clock())]
)
def test_a_stream_that_refuses_stops_no_build(make: Callable[[Stream], Progress]) -> None:
    stream = Stream(tty=True)
    progress = make(stream)
    stream.close()
    build(progress)


@pytest.mark.parametrize(
    "make", [PlainProgress, lambda s: RichProgress(s, {"TERM": "xterm", "NO_COLOR": "1"}, lambda: 1.0)]
)
def test_no_control_character_of_a_name_gets_through(make: Callable[[Stream], Progress]) -> None:
    stream = Stream()
    progress = make(stream)
    progress.begin("ship:base", "pack", 1, 1)
    progress.warn(Problem(Place("a\x1b]52;c;x\x07"), "W0201", "\x9b31m\u202e\udc9b\r"))
    progress.end("ship:base", "\x1b[2J")
    assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\udc9b]", stream.getvalue()) is None


def test_the_stream_decides_which_progress_there_is() -> None:
    terminal, pipe = Stream(tty=True), Stream()
    assert isinstance(make_progress(terminal, {"TERM": "xterm"}), RichProgress)
    assert isinstance(make_progress(terminal, {"TERM": "dumb"}), PlainProgress)
    assert isinstance(make_progress(terminal, {"TERM": "xterm", "CI": "true"}), PlainProgress)
    assert isinstance(make_progress(pipe, {}), PlainProgress)
    assert isinstance(make_progress(pipe, {"LUMPYARD_PROGRESS": "json"}), JsonProgress)
    assert isinstance(make_progress(pipe, {"LUMPYARD_PROGRESS": "none"}), Silent)
    assert isinstance(make_progress(pipe, {"LUMPYARD_PROGRESS": "nonsense"}), PlainProgress)
