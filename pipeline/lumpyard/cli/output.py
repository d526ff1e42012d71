"""The two standard streams of a command: text that can always be written, data as bytes, JSON for programs.

Text goes out in the stream's encoding, what does not fit as escapes. Control characters and bidi marks never
go out as text, whoever put them there; `data` writes what it is given.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import islice
from typing import IO, TYPE_CHECKING, NamedTuple, TextIO

from lumpyard.console.escape import escape_name
from lumpyard.console.terminal import Terminal, abandon, encodable, look_at
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Iterable

_BATCH = 500  # lines written at once; one at a time costs twice as much


class Output:
    """One standard stream, written as bytes. What a `last` one refuses is lost: there is nobody left to tell."""

    def __init__(self, stream: TextIO | None, name: str, terminal: Terminal, *, last: bool = False) -> None:
        self.terminal = terminal
        self.stream = stream  # for progress, which needs to look at it
        self._name = name
        self._last = last
        self._buffer: IO[bytes] | None = getattr(stream, "buffer", None)
        self._encoding = getattr(stream, "encoding", None)

    def line(self, text: str = "", style: str = "") -> None:
        """Write one line, made safe."""
        safe = escape_name(text)
        self.text((self.terminal.paint(safe, style) if style else safe) + "\n")

    def lines(self, lines: Iterable[str]) -> None:
        """Write lines, each made safe."""
        rest = iter(lines)
        while batch := [escape_name(line) for line in islice(rest, _BATCH)]:
            self.text("\n".join(batch) + "\n")

    def text(self, text: str) -> None:
        """Write text that is safe as it stands: rendered by `console`, with its colors."""
        self.data(encodable(text, self._encoding))

    def error(self, text: str) -> None:
        """Write an error, on one line."""
        safe = escape_name(" ".join(text.splitlines()))
        self.text(f"{self.terminal.paint('lumpyard: error:', 'red')} {safe}\n")

    def warning(self, text: str) -> None:
        """Write a warning, on one line."""
        safe = escape_name(" ".join(text.splitlines()))
        self.text(f"{self.terminal.paint('lumpyard: warning:', 'yellow')} {safe}\n")

    def data(self, data: bytes | memoryview) -> None:
        """Write bytes as they are; DiskError where the stream refuses, BrokenPipeError where nobody reads."""
        if self._buffer is None:
            return
        try:
            self._buffer.write(data)
        except (OSError, ValueError) as error:
            self._refused(error)

    def json(self, value: object) -> None:
        """Write one JSON document, in ASCII: any byte of any name survives as an escape.

        It is written while it is encoded: whole, with the million pieces that it is made of, a diff of two archives of
        200,000 lumps took 1.1 GB.
        """
        pieces = json.JSONEncoder(indent=2).iterencode(value)
        while batch := list(islice(pieces, _BATCH)):
            self.text("".join(batch))
        self.text("\n")

    def json_list(self, items: Iterable[object]) -> None:
        """Write one JSON list, an item on each line, while the items come."""
        rest, start = iter(items), "["
        while batch := list(map(json.dumps, islice(rest, _BATCH))):
            self.text(f"{start}\n  " + ",\n  ".join(batch))
            start = ","
        self.text("[]\n" if start == "[" else "\n]\n")

    def flush(self) -> None:
        """Hand everything on to the system; errors as for `data`."""
        if self._buffer is None:
            return
        try:
            self._buffer.flush()
        except (OSError, ValueError) as error:
            self._refused(error)

    def _refused(self, error: OSError | ValueError) -> None:
        self.abandon()
        if self._last:
            return
        if isinstance(error, BrokenPipeError):
            raise error
        raise DiskError(f"{self._name}: {_reason(error)}") from error

    def flush_quietly(self) -> None:
        """Hand on what the system takes, where another error has the word."""
        try:
            self.flush()
        except (DiskError, BrokenPipeError):
            self.abandon()

    def abandon(self) -> None:
        """Point the stream at nothing, so that Python's own flush at exit has nothing to complain about."""
        self._buffer = None
        if self.stream is not None:
            abandon(self.stream)


class Streams(NamedTuple):
    """Where a command writes."""

    out: Output  # results
    err: Output  # errors and progress


def standard_streams() -> Streams:
    """The process's own."""
    return Streams(
        Output(sys.stdout, "standard output", look_at(sys.stdout, os.environ)),
        Output(sys.stderr, "standard error", look_at(sys.stderr, os.environ), last=True),
    )


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
