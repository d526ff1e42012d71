"""Compares Lumpyard with other programs on the same data, in one run, and prints ratios of medians.

Whole commands are measured, from starting the interpreter to its end, with warm page cache, the commands of a work
taking turns. Absolute times drift with the machine: only ratios from one run say anything. Every round of every command
goes into a JSON file in bench/results/. README.md says what each row means.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import platform
import shutil
import signal
import sys
import tempfile
import time
from typing import IO, TYPE_CHECKING

import make_data
from measure import CommandError, run, wait_for_quiet
from table import line_of, render_lines, render_sides
from works import Suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from table import Line, Rounds
    from works import Side, Work

RESULTS = os.path.join(make_data.HERE, "results")


def main() -> int:
    """Run what is asked for; 1 when a command did not do its work, or `--gate` finds a target missed."""
    options = parse()
    # SIGTERM does what Ctrl-C does: what runs is ended, and changed files are put back.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as scratch:
        data = options.data or (scratch if options.quick else make_data.DATA)
        suite = Suite(data, make_data.QUICK if options.quick else make_data.FULL)
        names = [name for name in suite.makers if not options.only or name.startswith(tuple(options.only))]
        if not names:
            print(f"no work is called so; there are {', '.join(suite.makers)}", file=sys.stderr)
            return 2
        with open_lock(data) as lock:
            if not is_mine(lock):
                print(f"another run uses {data}; two at once would spoil each other", file=sys.stderr)
                return 1
            others = "" if options.quick else f"; others use {wait_for_quiet(options.wait):.2f} cores"
            print(f"load average {load_text()}{others}; rounds: {options.rounds}", flush=True)
            lines, results = run_works(suite, names, options)
    print(f"load average at the end {load_text()}\n\n{render_lines(lines)}\n\n{render_sides(results)}")
    keep(options.results, options.rounds, lines, results)
    missed = options.gate and any(line.met is False for line in lines)
    return int(missed or len(results) < len(names))


def run_works(
    suite: Suite, names: Sequence[str], options: argparse.Namespace
) -> tuple[list[Line], dict[str, Rounds]]:
    """The rows of the works that did what they should, and all that was measured of them."""
    lines: list[Line] = []
    results: dict[str, Rounds] = {}
    for name in names:
        try:
            work = suite.makers[name]()
            results[name] = measure(work, options.rounds, warm_up=not options.quick)
        except CommandError as error:  # the others still say something
            print(f"{name}: {error}", file=sys.stderr, flush=True)
            continue
        except KeyboardInterrupt:
            print(f"{name}: interrupted", file=sys.stderr, flush=True)
            break
        found = (line_of(name, row, results[name], judged=not options.quick) for row in work.rows)
        lines += filter(None, found)
    return lines, results


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, metavar="N", help="default 5; with --quick 2")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="works whose names start so: cold-S, hc …")
    parser.add_argument("--quick", action="store_true", help="small data: whether all works, not how fast")
    parser.add_argument("--gate", action="store_true", help="status 1 when a target is missed")
    parser.add_argument("--wait", type=float, default=60, metavar="S", help="for a quiet machine, at most")
    parser.add_argument("--data", metavar="DIR", help="where the data is; default bench/data")
    parser.add_argument("--results", default=RESULTS, metavar="DIR", help="default bench/results")
    options = parser.parse_args()
    options.rounds = options.rounds or (2 if options.quick else 5)
    return options


def open_lock(data: str) -> IO[bytes]:
    """The file that says who uses the data."""
    os.makedirs(data, exist_ok=True)
    return open(os.path.join(data, "lock"), "wb")


def is_mine(lock: IO[bytes]) -> bool:
    """Whether this process now has the lock; it keeps it until it closes the file."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def measure(work: Work, rounds: int, *, warm_up: bool) -> Rounds:
    """The values of each round of each command; commands that aren't installed are left out."""
    sides = [side for side in work.sides if is_installed(side)]
    found: Rounds = {side.name: [] for side in sides}
    try:
        work.set_up()
        for number in range(-int(warm_up and work.warm_up), rounds):
            for side in sides:
                side.prepare(number)
                values, printed = run(side.command, side.folder)
                values |= side.read(printed)
                if number >= 0:
                    found[side.name].append(values)
                print(f"{work.name} {number + 1}/{rounds} {side.name}: {values['wall']:.3f} s", flush=True)
    finally:
        work.finish()
    return found


def is_installed(side: Side) -> bool:
    """Whether the program of a command is there; says so where it isn't."""
    program = side.program or side.command[0]
    there = shutil.which(program) is not None
    if not there:
        print(f"{side.name} is left out: {program} is not installed")
    return there


def load_text() -> str:
    """The load averages over 1, 5 and 15 minutes."""
    return " ".join(f"{load:.2f}" for load in os.getloadavg())


def keep(folder: str, rounds: int, lines: Sequence[Line], results: dict[str, Rounds]) -> None:
    """Write all that was measured as JSON."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, time.strftime("%Y%m%d-%H%M%S.json"))
    machine = {"cores": os.cpu_count(), "kernel": platform.release(), "python": platform.python_version()}
    document = {
        "rounds": rounds,
        "load": os.getloadavg(),  # at the end
        "machine": machine,
        "rows": [{**line._asdict(), "ratio": line.ratio} for line in lines],
        "runs": results,
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
    print(f"\nall rounds are in {path}")


if __name__ == "__main__":
    sys.exit(main())
