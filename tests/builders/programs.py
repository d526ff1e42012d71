"""Small programs as files, to be run as tools, and a look at what processes are left of them."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from lumpyard.errors import Place
from lumpyard.manifest.model import Tool

if TYPE_CHECKING:
    from pathlib import Path


def shell(path: Path, text: str) -> str:
    """A program in sh; its path."""
    return _program(path, f"#!/bin/sh\n{text}\n")


def python(path: Path, text: str) -> str:
    """A program in Python; its path."""
    return _program(path, f"#!{sys.executable}\n{text}\n")


def _program(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def a_tool(program: str, **more: Any) -> Tool:
    """A tool of the manifest."""
    return Tool(id="cooker", place=Place("assets.yaml", 5, 9), program=program, **more)


def processes_with(text: str) -> list[int]:
    """Processes with a text in their command line or environment; those that are dying get two seconds."""
    deadline = time.monotonic() + 2
    while found := [pid for pid in _numbers() if _is_alive(pid) and text.encode() in _words(pid)]:
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    return found


def _numbers() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def _is_alive(pid: int) -> bool:
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[:1] not in ([], [b"Z"])


def _words(pid: int) -> bytes:
    return _read(f"/proc/{pid}/cmdline") + b"\0" + _read(f"/proc/{pid}/environ")


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
