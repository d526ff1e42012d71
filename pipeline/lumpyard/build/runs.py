"""Which run of doit a process belongs to: under `doit -n 2 -P process` several processes are one run."""

from __future__ import annotations

import os
import sys

_VARIABLE = "_LUMPYARD_RUN"  # for worker processes that are started anew instead of forked
_named: list[str] = []


def run_number() -> int:
    """The number of the process that people started."""
    multiprocessing = sys.modules.get("multiprocessing.process")
    parent = None if multiprocessing is None else multiprocessing.parent_process()
    return os.getpid() if parent is None else int(parent.pid)


def is_worker() -> bool:
    """Whether this process runs tasks for another one."""
    return run_number() != os.getpid()


def run_name() -> str:
    """What all processes of a run have in common, and no other run; the first process asks for it before any other."""
    if not is_worker() and not _named:
        os.environ[_VARIABLE] = os.urandom(8).hex()
        _named.append(os.environ[_VARIABLE])
    return os.environ.get(_VARIABLE, "")
