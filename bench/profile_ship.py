"""Prints where the CPU time of a `doit ship` goes, stage by stage, in this process and in its workers.

The ship is a cold one, or with `--change` one after one file changed. It runs in this process, functions of the engine
being wrapped. Each stage counts only what no stage inside it has counted. Workers are forked with these functions in
place and hand over what they counted when they end; their columns are added up over all of them. Wrapping costs about
a microsecond a call, so stages that run once a lump look some per cent dearer than they are.

"load the engine" is what importing all modules with a stage in them takes, "imports" what is imported later. What is
outside the engine (interpreter, doit) is told by whole commands that build nothing.

    python bench/profile_ship.py bench/data/S
"""

from __future__ import annotations

import argparse
import builtins
import gc
import importlib
import inspect
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NoReturn

from measure import run
from projects import Changes, Project
from works import doit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOADING, IMPORTS = "load the engine", "imports"
# Stage -> functions, as MODULE:NAME where they are looked up when they are called. A name that is gone is an error.
STAGES = {
    "load manifest": ["lumpyard.build.project:load_manifest"],
    "load rules": ["lumpyard.build.project:Project.rules"],
    "wait for the scout": ["lumpyard.build.sources.scouting:Scout.report"],
    "plan (scan, list, check)": ["lumpyard.build.session:plan_archive"],
    "open earlier records": ["lumpyard.build.session:Session._maker"],
    "look at sources": ["lumpyard.build.session:Session.look", "lumpyard.build.session:Session.inputs"],
    "rest of the session": ["lumpyard.build.session:Session.__init__"],
    "lay out": ["lumpyard.build.outputs:pack"],
    "order by key": ["lumpyard.build.packing.pack:layout_of"],
    "prepare chunks": ["lumpyard.build.packing.pack:Job"],
    "fork, take results": ["lumpyard.build.packing.pack:run_crew"],
    "claim, hold, send": ["lumpyard.build.packing.worker:Worker.run"],
    "take chunks whole": [
        "lumpyard.build.packing.pack:find_splice",
        "lumpyard.build.packing.splice:Splice.take",
    ],
    "make lumps": [
        "lumpyard.build.lumps.plain:PlainLumps.make_chunk",
        "lumpyard.build.lumps.plain:PlainLumps.make",
        "lumpyard.build.lumps.making:Maker.make",
    ],
    "look blocks up in the store": [
        "lumpyard.build.lumps.blocks:Blocks.size",
        "lumpyard.build.lumps.blocks:Blocks.find",
    ],
    "put blocks into the store": [
        "lumpyard.build.lumps.blocks:Blocks.put",
        "lumpyard.build.lumps.blocks:Blocks.sync",
    ],
    "read and digest": [
        "lumpyard.disk:read_if_steady",
        "lumpyard.build.cooking.world:BuildWorld.source",
        "lumpyard.build.cooking.world:BuildWorld.pieces",
    ],
    "compress": ["lumpyard.lz4:compress", "lumpyard.lz4:compressor"],
    "write": ["lumpyard.disk:NewFile.write_at"],
    "copy kept lumps": ["lumpyard.disk:NewFile.copy_from"],
    "directory and record rows": [
        "lumpyard.build.packing.pack:Packed",
        "lumpyard.build.packing.packed:Packed.teach",
        "lumpyard.build.packing.packed:Packed.finish",
    ],
    "content ids": ["lumpyard.build.packing.identity:_content_ids"],
    "inputs digest": ["lumpyard.build.packing.identity:inputs_digest"],
    "read back": [
        "lumpyard.build.packing.read_back:check_part",
        "lumpyard.build.packing.read_back:check_metadata",
    ],
    "to the device": ["lumpyard.disk:NewFile.sync", "lumpyard.disk:NewFile.commit"],
    "ledger": ["lumpyard.build.outputs:ledger_of"],
    "rest of the record": ["lumpyard.build.outputs:_record_of"],
    "lock": ["lumpyard.build.outputs:hold_against_lock", "lumpyard.build.outputs:write_lock"],
    "save record": ["lumpyard.build.outputs:save_record"],
    "rest of outputs": ["lumpyard.build.outputs:write_outputs"],
    "keep fingerprints": ["lumpyard.build.session:Session.keep_fingerprints"],
    "snapshot of folders": ["lumpyard.build.session:Session.snapshot"],
    "save state": ["lumpyard.build.task:ArchiveTask._save"],
}
FACTORIES = {"lumpyard.lz4:compressor"}  # they return the function that is timed


class Clock:
    """CPU seconds of each stage without those of the stages inside it."""

    def __init__(self) -> None:
        self.own: defaultdict[str, float] = defaultdict(float)
        self.calls: defaultdict[str, int] = defaultdict(int)
        self._inside = [0.0]  # for each open stage, what the ones within it took

    def wrap(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed."""
        inside, own, calls, now = self._inside, self.own, self.calls, time.process_time

        def timed(*arguments: Any, **named: Any) -> Any:
            inside.append(0.0)
            start = now()
            try:
                return function(*arguments, **named)
            finally:
                spent = now() - start
                own[stage] += spent - inside.pop()
                calls[stage] += 1
                inside[-1] += spent

        return timed

    def wrap_pieces(self, stage: str, function: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        """The same generator function, each of its steps timed."""
        step = self.wrap(stage, next)

        def timed(*arguments: Any, **named: Any) -> Iterator[Any]:
            pieces = function(*arguments, **named)
            while (piece := step(pieces, None)) is not None:
                yield piece

        return timed

    def begin_anew(self) -> None:
        """Forget what the parent counted, in a forked process."""
        self.own.clear()
        self.calls.clear()
        self._inside[:] = [0.0]


def wrap_all(clock: Clock) -> None:
    """Put the timed functions in their places; AttributeError for one that is gone."""
    for stage, places in STAGES.items():
        for place in places:
            owner, name = find(place)
            function = getattr(owner, name)
            if place in FACTORIES:
                wrapped = factory(clock, stage, function)
            elif inspect.isgeneratorfunction(function):
                wrapped = clock.wrap_pieces(stage, function)
            else:
                wrapped = clock.wrap(stage, function)
            setattr(owner, name, wrapped)
    builtins.__import__ = clock.wrap(IMPORTS, builtins.__import__)


def factory(clock: Clock, stage: str, make: Callable[..., Any]) -> Callable[..., Any]:
    """The same factory, of timed functions."""
    return lambda *arguments: clock.wrap(stage, make(*arguments))


def find(place: str) -> tuple[Any, str]:
    """The module or class that holds a name, and the name."""
    module, _, path = place.partition(":")
    owner: Any = importlib.import_module(module)
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    getattr(owner, name)
    return owner, name


def hand_over(clock: Clock, path: str) -> None:
    """Make forked processes count from zero, and append what they counted to a file when they end."""
    end = os._exit

    def counted(status: int) -> NoReturn:
        line = json.dumps([clock.own, clock.calls, time.process_time()]) + "\n"
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
        os.write(descriptor, line.encode())
        end(status)

    os.register_at_fork(after_in_child=clock.begin_anew)
    os._exit = counted


def main() -> None:
    """Profile one project."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("project", metavar="DIR", help="a data set: bench/data/S, M, L or P")
    parser.add_argument("--hc", action="store_true", help="compress with LZ4 HC 9")
    parser.add_argument("--change", action="store_true", help="not a cold ship: one after one file changed")
    parser.add_argument("--inside", action="store_true", help="leave out the whole commands")
    options = parser.parse_args()
    project = Project(os.path.abspath(options.project))
    project.set_up(high=options.hc)
    project.warm()
    if not options.inside:
        run(doit("ship"), project.folder)
        outside(project)
        project.wipe()
    clock, changes = Clock(), Changes(project)
    if options.change:
        run(doit("ship"), project.folder)
        changes.change(1)
    with tempfile.NamedTemporaryFile() as file:
        began = time.process_time()
        clock.wrap(LOADING, wrap_all)(clock)
        hand_over(clock, file.name)
        start = time.perf_counter()
        ship(project.folder)
        wall, cpu = time.perf_counter() - start, time.process_time() - began
        changes.undo()
        workers = [json.loads(line) for line in file.read().splitlines()]
    print(render(clock, workers, wall, cpu))


def outside(project: Project) -> None:
    """Print what whole commands take that build nothing."""
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import doit.doit_cmd'": [sys.executable, "-c", "import doit.doit_cmd"],
        "doit list": doit("list"),
        "doit ship, nothing to do": doit("ship"),
    }
    for title, command in commands.items():
        best = min((run(command, project.folder)[0] for _ in range(5)), key=lambda values: values["wall"])
        print(f"{title:34} {best['wall'] * 1e3:7.1f} ms   (CPU {best['cpu'] * 1e3:.1f} ms)")


def ship(folder: str) -> None:
    """What `doit ship` does for the archive, in this process."""
    from lumpyard.build.project import Project as LumpyardProject  # noqa: PLC0415
    from lumpyard.build.task import ArchiveTask  # noqa: PLC0415
    from lumpyard.build.workers.progress import Silent  # noqa: PLC0415 - after the functions are wrapped

    os.chdir(folder)
    gc.collect()
    task = ArchiveTask(LumpyardProject(), "base", "ship")
    task.is_fresh(None)
    task.build(Silent())


def render(clock: Clock, workers: list[Any], wall: float, cpu: float) -> str:
    """A table of all stages that took anything."""
    lines = [f"\n{'stage':28} {'this process':>14} {'workers':>14} {'calls':>9}"]
    for stage in (LOADING, IMPORTS, *STAGES):
        own = clock.own.get(stage, 0.0)
        theirs = sum(spent.get(stage, 0.0) for spent, _, _ in workers)
        calls = clock.calls.get(stage, 0) + sum(calls.get(stage, 0) for _, calls, _ in workers)
        if calls:
            lines.append(f"{stage:28} {own * 1e3:11.1f} ms {theirs * 1e3:11.1f} ms {calls:9,}")
    own_rest = cpu - sum(clock.own.values())
    worker_cpu = sum(total for _, _, total in workers)
    worker_rest = worker_cpu - sum(sum(spent.values()) for spent, _, _ in workers)
    lines.append(f"{'all else':28} {own_rest * 1e3:11.1f} ms {worker_rest * 1e3:11.1f} ms")
    lines.append(f"{'CPU in all':28} {cpu * 1e3:11.1f} ms {worker_cpu * 1e3:11.1f} ms")
    lines.append(f"{'wall clock':28} {wall * 1e3:11.1f} ms   {len(workers)} forked processes")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
