"""What is printed: moving lines on a terminal that leave nothing, plain lines in CI, JSON for programs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import PROGRAMS, TWO_LINES, environment
from tests.builders.terminals import run_on_terminal, screen

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.builders.doits import Repo

    Make = Callable[..., Repo]

MANIFEST = """\
version: 1
rules: [tools/slow.py]
sets:
  texts: {root: assets, files: "texts/*.txt", rule: slow}
  blobs: {root: assets, files: "blobs/*.bin"}
archives:
  base: {sets: [texts]}
  dlc: {sets: [blobs]}
"""
# Ten of these take two workers longer than it takes until something moves.
RULE = """\
import time
from lumpyard.rule import Product, Rule

def cook(sources, options):
    time.sleep(0.12)
    yield Product(sources[0].data)

RULE = Rule(kind="slow", version=1, cook=cook, products=lambda name, options: None)
"""
FILES = {f"assets/texts/{number:02}.txt": b"text %d" % number for number in range(10)} | {
    "assets/blobs/x.bin": b"x" * 1000,
    "tools/slow.py": RULE.encode(),
}
MOVING = "ship:base cook ━"


def on_terminal(repo: Repo, *args: str, **environ: str) -> tuple[int, str]:
    command = [str(PROGRAMS / "doit"), *args]
    return run_on_terminal(command, repo.folder, environment({"TERM": "xterm-256color", **environ}))


@pytest.mark.parametrize("how", [(), ("-n", "2"), ("-n", "2", "-P", "process")])
@pytest.mark.parametrize("workers", ["serial", "fork:2"])
def test_on_a_terminal_lines_move_and_only_the_results_stay(
    make: Make, how: tuple[str, ...], workers: str
) -> None:
    repo = make(manifest=MANIFEST, files=FILES)
    status, written = on_terminal(repo, *how, "ship", LUMPYARD_WORKERS=workers)
    assert status == 0
    assert MOVING in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", written)
    assert sorted(screen(written)) == [
        "ship:base: dist/base.ewad, 774 B: 10 lumps made anew",
        "ship:dlc: dist/dlc.ewad, 142 B: 1 lump made anew",
    ]
    status, written = on_terminal(repo, *how, "ship")
    assert (status, screen(written)) == (0, ["-- ship:base", "-- ship:dlc"])


def test_a_failure_takes_the_moving_line_away_and_stands_alone(make: Make) -> None:
    repo = make(manifest=MANIFEST, files=FILES)
    repo.write({"tools/slow.py": RULE.replace("yield", "data = sources[0].data[9:][0]\n    yield").encode()})
    status, written = on_terminal(repo, "ship:base", LUMPYARD_WORKERS="serial")
    assert status == 1
    left = screen(written)
    assert left[0] == "ship:base: failed"
    assert left[-1] == "10 errors"
    assert "Traceback" not in written
    assert "━" not in "".join(left)


@pytest.mark.parametrize("environ", [{"CI": "true"}, {"TERM": "dumb"}, {"LUMPYARD_PROGRESS": "plain"}])
def test_in_ci_and_on_dumb_terminals_lines_are_plain(make: Make, environ: dict[str, str]) -> None:
    repo = make(manifest=MANIFEST, files=FILES)
    status, written = on_terminal(repo, "ship", **environ)
    assert status == 0
    assert "\x1b" not in written
    assert written.splitlines() == [
        "ship:base: cook 10 lumps, 60 B",
        "ship:base: pack 10 lumps, 60 B",
        "ship:base: verify 10 lumps, 774 B",
        "ship:base: dist/base.ewad, 774 B: 10 lumps made anew",
        "ship:dlc: pack 1 lump, 1.00 kB",
        "ship:dlc: verify 1 lump, 142 B",
        "ship:dlc: dist/dlc.ewad, 142 B: 1 lump made anew",
    ]


def test_programs_get_json(make: Make) -> None:
    repo = make(manifest=MANIFEST, files=FILES)
    lines = repo.doit("ship", LUMPYARD_PROGRESS="json").ok().lines
    events = [json.loads(line) for line in lines]
    told = [
        (event["event"], event["task"], event.get("stage")) for event in events if event["event"] != "advance"
    ]
    assert told == [
        ("begin", "ship:base", "cook"),
        ("begin", "ship:base", "pack"),
        ("begin", "ship:base", "verify"),
        ("end", "ship:base", None),
        ("begin", "ship:dlc", "pack"),
        ("begin", "ship:dlc", "verify"),
        ("end", "ship:dlc", None),
    ]
    repo.write({"assets/texts/00.txt": b"other", "tools/slow.py": RULE.replace("cook(", "kook(", 1).encode()})
    ran = repo.doit("ship", LUMPYARD_PROGRESS="json")
    assert ran.status == 1
    repo.write({"tools/slow.py": RULE.replace("yield", "1 / 0\n    yield").encode()})
    ran = repo.doit("ship:base", LUMPYARD_PROGRESS="json")
    events = [json.loads(line) for line in ran.lines if line.startswith("{")]
    assert events[-1] == {"event": "failed", "task": "ship:base"}


def test_none_is_only_what_doit_says(make: Make) -> None:
    repo = make(manifest=MANIFEST, files=FILES)
    assert repo.doit("ship", LUMPYARD_PROGRESS="none").ok().out == ""
    assert repo.doit("ship", LUMPYARD_PROGRESS="none").ok().lines == ["-- ship:base", "-- ship:dlc"]


def test_under_another_reporter_progress_goes_to_standard_error(make: Make) -> None:
    repo = make(
        dodo=TWO_LINES + 'DOIT_CONFIG = {**DOIT_CONFIG, "reporter": "console"}\n',
        files={**FILES},
        manifest=MANIFEST,
    )
    ran = repo.doit("ship")
    assert ran.out == ".  ship:base\n.  ship:dlc\n"
    assert ran.err.splitlines()[-1] == "ship:dlc: dist/dlc.ewad, 142 B: 1 lump made anew"


def test_output_to_a_file_has_no_moving_lines(make: Make) -> None:
    repo = make(manifest=MANIFEST, files=FILES)
    status, written = on_terminal(repo, "run", "--output-file", "log", "ship")
    assert (status, written) == (0, "")
    assert repo.read("log").decode().splitlines()[-1] == "ship:dlc: dist/dlc.ewad, 142 B: 1 lump made anew"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_name_can_be_told_in_any_encoding(make: Make, encoding: str) -> None:
    files = {"assets/texts/Ünïcode \u202e.txt": b"\xff", **FILES}
    repo = make(manifest=MANIFEST.replace("rule: slow", "rule: text"), files=files)
    ran = repo.doit("ship:base", PYTHONIOENCODING=encoding)
    assert ran.status == 1
    assert "Traceback" not in ran.out + ran.err
    assert "\u202e" not in ran.out
    assert ran.out.startswith("ship:base: pack 11 lumps")


def test_no_control_character_of_a_name_reaches_the_terminal(make: Make) -> None:
    files = {"assets/texts/a\x1b[31m\u202e.txt": b"\xff", **FILES}
    repo = make(manifest=MANIFEST.replace("rule: slow", "rule: text"), files=files)
    for command in ("info ship:base", "ship:base", "info ship:base"):
        out = repo.doit(*command.split()).out
        assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", out) is None
    (repo.folder / "assets/texts/a\x1b[31m\u202e.txt").write_bytes(b"good")
    repo.doit("ship:base").ok()
    (repo.folder / "assets/texts/a\x1b[31m\u202e.txt").write_bytes(b"other")
    info = repo.doit("info", "ship:base")
    assert "texts/a\\x1b[31m\\u{202e}.txt changed" in info.out


CLOSED = 'exec 3>&1; { "$@"; echo "[$?]" >&3; } | true'
FULL = '"$@" > /dev/full; echo "[$?]"'


@pytest.mark.parametrize("words", [("doit", "ship"), ("lumpyard", "ship"), ("doit", "-n", "2", "ship")])
@pytest.mark.parametrize("broken", [False, True], ids=["well", "broken"])
def test_a_reader_that_goes_away_stops_no_build(make: Make, words: tuple[str, ...], broken: bool) -> None:
    """As in `doit ship | head -1`."""
    repo = make(manifest=MANIFEST, files=FILES)
    repo.write({"assets/texts/bad.txt": b"\xff"} if broken else {})
    for _ in range(2):
        ran = repo.start(*words, before=("/bin/sh", "-c", CLOSED, "sh")).wait()
        assert "Traceback" not in ran.err
        assert "Exception ignored" not in ran.err
    assert repo.exists("dist/base.ewad")


@pytest.mark.parametrize(("words", "status"), [(("doit", "ship"), 0), (("lumpyard", "ship"), 5)])
def test_a_log_that_is_full_stops_no_build_and_is_told(
    make: Make, words: tuple[str, ...], status: int
) -> None:
    repo = make(manifest=MANIFEST, files=FILES)
    for _ in range(2):
        ran = repo.start(*words, before=("/bin/sh", "-c", FULL, "sh")).wait()
        assert ran.out == f"[{status}]\n"
        assert ran.err == "lumpyard: error: cannot write what is done: No space left on device\n"
    assert repo.exists("dist/base.ewad")
    assert repo.json("build/ship.json")["result"] == "ok"
