"""A program on a terminal: what it wrote there, and what is left on the screen when it has ended."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

COLUMNS, ROWS = 100, 30
# Control sequences: `ESC [ parameters letter`.
_TOKEN = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\r|\n|[^\x1b\r\n]+|.", re.DOTALL)


def run_on_terminal(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> tuple[int, str]:
    """Exit status of a program, and all that it wrote to its terminal."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        command, cwd=folder, env=dict(environ), stdin=its, stdout=its, stderr=its, start_new_session=True
    )
    os.close(its)
    written = bytearray()
    with contextlib.suppress(OSError):  # Linux: EIO once nobody has the other end
        while data := os.read(ours, 1 << 16):
            written += data
    os.close(ours)
    return process.wait(), written.decode()


def screen(written: str) -> list[str]:
    """The lines that are left; enough of a terminal for what moves: up, down, erase, return."""
    rows: list[str] = [""]
    row = column = 0
    for token in _TOKEN.finditer(written):
        text, parameters, letter = token[0], token[1], token[2]
        number = int(parameters) if parameters and parameters.isdecimal() else 1
        if text == "\r":
            column = 0
        elif text == "\n":
            row += 1
            rows += [""] * (row + 1 - len(rows))
        elif letter == "A":
            row = max(0, row - number)
        elif letter == "K":
            rows[row] = "" if parameters == "2" else rows[row][:column]
        elif letter in ("m", "h", "l"):
            pass
        elif letter or text == "\x1b":
            raise AssertionError(f"a sequence that this terminal does not know: {text!r}")
        else:
            rows[row] = rows[row][:column].ljust(column) + text + rows[row][column + len(text) :]
            column += len(text)
    return [line.rstrip() for line in rows if line.strip()]
