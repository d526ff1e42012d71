"""Which run of doit a process belongs to: under `doit -n 2 -P process` several processes are one run."""

from __future__ import annotations

import os
import sys

RUN = os.urandom(8).hex()  # the same in all processes that were forked from one which had this module


def run_number() -> int:
    """The number of the process that people started."""
    multiprocessing = sys.modules.get("multiprocessing.process")
    parent = None if multiprocessing is None else multiprocessing.parent_process()
    return os.getpid() if parent is None else int(parent.pid)


def is_worker() -> bool:
    """Whether this process runs tasks for another one."""
    return run_number() != os.getpid()
