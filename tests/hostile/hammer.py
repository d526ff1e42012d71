"""Opens, verifies, reads and mounts broken archives of every format, in little memory; a program of its own.

    python -m tests.hostile.hammer --seed 1 --mutants 2000 FOLDER
    python -m tests.hostile.hammer --seed 2 --seconds 600 --above FOLDER

What must hold is said by `check`. Mutants that break it are kept in the folder, and the status is 1. How many were
accepted and how many refused, by format, is said at the end.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.builders import mutants, rewriting, small_archives

from lumpyard import convert
from lumpyard.archives.naming import entry_paths
from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.archives.writing import WRITERS
from lumpyard.errors import ArchiveError, DiskError, MalformedError, NotFoundError, UnsupportedError
from lumpyard.extract import Wanted, plan_extraction
from lumpyard.vfs import Reading, Vfs

if TYPE_CHECKING:
    from lumpyard.archives.model import Archive

ROOT = Path(__file__).parents[2]  # where it is to be called
MEMORY = 256 << 20  # bytes of address space beside what Python itself takes
LONGEST = 20  # seconds of processor time for one mutant, which has a few KiB
PACKS = ("PACK", "PAK", "DAIKATANA")  # one signature, three formats
NAMES = [b"text.txt", b"noise.bin", b"wave.wav"]


def check(data: bytes, format_name: str) -> str:
    """How a file was taken: "ok", "lenient", or the code of what is wrong. AssertionError where it may not be so.

    Nothing but documented errors comes from opening, listing, naming, verifying and reading. Messages are one line. A
    lump has its stated size or is an error. What a strict reading takes, a lenient one takes too, and finds the same.
    What can be written anew is the same afterwards.
    """
    strict, lenient = opened(data, format_name, lenient=False), opened(data, format_name, lenient=True)
    if isinstance(strict, ArchiveError):
        if isinstance(lenient, ArchiveError):
            return strict.code
        check_archive(lenient)
        return "lenient"
    if not (
        format_name == "auto" and data[:4] == b"PACK"
    ):  # a lenient reading may not tell the formats apart
        assert not isinstance(lenient, ArchiveError), f"lenient: {lenient}"
        assert list(strict.lumps) == list(lenient.lumps)
    check_archive(strict)
    check_rewriting(strict)
    return "ok"


def opened(data: bytes, format_name: str, *, lenient: bool) -> Archive | ArchiveError:
    try:
        return open_archive(data, format_name, lenient=lenient, names=NAMES)
    except (MalformedError, UnsupportedError) as error:
        check_error(error)
        return error


def check_error(error: ArchiveError) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9-]*", error.code), error.code
    check_message(str(error))
    if error.entry is not None:
        before = ("", "archive: ", "it cannot be read: as PACK, ")
        assert str(error).startswith(tuple(f"{start}entry {error.entry}" for start in before)), str(error)


def check_message(text: str) -> None:
    assert text
    assert "\n" not in text
    assert text.isascii(), text
    assert len(text) < 800, text


def check_archive(archive: Archive) -> None:
    paths = entry_paths(archive)
    named = [path for path in paths if path is not None]
    assert len(paths) == len(archive.lumps)
    assert len(set(named)) == len(named)
    faulty = {}
    for finding in verify_archive(archive):
        assert finding.verdict in {"malformed", "unsupported"}
        assert finding.entry not in faulty
        check_message(finding.message)
        faulty[finding.entry] = finding
    for index, lump in enumerate(archive.lumps):
        check_message(archive.label(index))
        assert archive.format in {"MPQ", "EWAD"} or len(archive.stored(index)) == lump.stored_size
        found = None if lump.name is None else archive.find(lump.name)
        assert found is None or found in range(len(archive.lumps))
        try:
            assert len(archive.read(index)) == lump.raw_size
        except (MalformedError, UnsupportedError) as error:
            check_error(error)
            assert index in faulty, str(error)  # noqa: PT017 - verifying has found it too
    for warning in archive.warnings:
        assert warning.verdict == "ok"
        check_message(warning.message)


def check_rewriting(archive: Archive) -> None:
    """What can be written is the same afterwards."""
    if archive.format in WRITERS and all(lump.name is not None for lump in archive.lumps):
        new = rewriting.rewritten(archive)
        if new is not None:
            again = open_archive(new, archive.format)
            assert rewriting.content(again) == rewriting.content(archive)


def check_mounted(data: bytes, archive: Archive, *, lenient: bool) -> None:
    """What a mount lists, it reads or refuses, and explains."""
    with Vfs() as vfs:
        vfs.mount_bytes(data, "archive", reading=Reading(archive.format, lenient, NAMES))
        for path in vfs.glob("**")[:50]:
            told = vfs.explain(path)
            assert told.winner is not None
            try:
                assert len(vfs.read(path)) == vfs.stat(path).size == told.winner.size
            except (MalformedError, UnsupportedError) as error:
                check_error(error)
        for name in ("no such file", "", "..", "MAP01", "MAP01/THINGS"):
            try:
                vfs.read(name)
            except (ArchiveError, DiskError, NotFoundError) as error:
                check_message(str(error))


def check_extraction(archive: Archive) -> None:
    """No two files of one place, none outside; or a refusal."""
    wanted = [Wanted(index, path, index) for index, path in enumerate(entry_paths(archive))]
    try:
        targets = plan_extraction(wanted)
    except UnsupportedError as error:
        check_message(str(error))
    else:
        assert len({target.path.lower() for target in targets}) == len(wanted)
        assert not any(part in {"..", ".", ""} for target in targets for part in target.path.split("/"))


def check_conversion(data: bytes, archive: Archive, path: Path) -> None:
    """To every format: refused with reasons, or written and read back."""
    try:
        source = convert.archive_source(archive, memoryview(data), entry_paths(archive))
    except ArchiveError as error:  # a file of an MPQ whose bytes are not there
        check_error(error)
        return
    for target in convert.TARGETS:
        back = convert.original_source(source) if archive.format == "EWAD" != target else source
        for choice in (frozenset[str](), frozenset({"truncate", "upper"})):
            plan = convert.plan_conversion(back, target, convert.Options(choice))
            for finding in plan.findings:
                check_message(finding.message)
            if plan.errors:
                continue
            try:
                result = convert.carry_out(plan, str(path))
            except (MalformedError, UnsupportedError) as error:
                check_error(error)
            else:
                written = open_archive(path.read_bytes(), target)
                assert result.size == path.stat().st_size
                assert len(written.lumps) == len(back.lumps) + (plan.origin is not None)
                assert verify_archive(written) == []


def check_above(data: bytes, format_name: str, folder: Path) -> None:
    """What is done with archives that open."""
    for lenient in (False, True):
        archive = opened(data, format_name, lenient=lenient)
        if not isinstance(archive, ArchiveError):
            check_mounted(data, archive, lenient=lenient)
            check_extraction(archive)
            check_conversion(data, archive, folder / "converted")


def limit_memory() -> None:
    with open("/proc/self/statm", encoding="ascii") as statm:
        now = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))


def too_long(*_: object) -> None:
    raise AssertionError(f"more than {LONGEST} seconds of processor time")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=1 << 60, help="of each format")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--above", action="store_true", help="mount, extract and convert them, too")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    sound = small_archives.small_archives(options.folder / f"sound-{options.seed}")
    limit_memory()
    os.fsync = lambda fd: None  # nothing here is to outlive the run
    signal.signal(signal.SIGVTALRM, too_long)
    tally: dict[str, Counter[str]] = {format_name: Counter() for format_name in sound}
    failures = made = 0
    end = time.monotonic() + options.seconds
    while made < options.mutants and time.monotonic() < end and failures < 20:
        for format_name, archives in sound.items():
            rng = random.Random(f"{options.seed} {format_name} {made}")
            change = mutants.mpq_mutant if format_name == "MPQ" and made % 2 else mutants.mutant
            data = change(archives, rng)
            others = [name for name in PACKS if format_name in PACKS and name != format_name]
            readings = ["auto", *others, format_name]
            try:
                signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
                outcomes = [check(data, reading) for reading in readings]
                if options.above:
                    check_above(data, format_name, options.folder)
                tally[format_name][outcomes[-1]] += 1
            except Exception:  # noqa: BLE001 - all of them are what this looks for
                failures += 1
                path = options.folder / f"{format_name}-{options.seed}-{made}.bin"
                path.write_bytes(data)
                print(path, traceback.format_exc(), sep="\n")
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        made += 1
    for format_name, counter in tally.items():
        print(format_name, *(f"{code} {number}" for code, number in sorted(counter.items())))
    print(f"{made} of each, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
