"""A process that dies, or is refused, at its nth call that changes something; and a log of all such calls.

Everything else really happens, so what is left on the disk is what would be left. Calls that write do half of their
work before the process dies.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

CHANGING = (
    "open", "mkdir", "rmdir", "write", "writev", "pwrite", "pwritev", "copy_file_range", "ftruncate", "fsync", "link",
    "rename", "replace", "unlink",
)  # fmt: skip
_CHANGES = os.O_CREAT | os.O_WRONLY | os.O_RDWR | os.O_TRUNC


class Call(NamedTuple):
    """One call that changed something."""

    name: str
    path: str  # of the file, or of the open file; the target, where there are two

    def __str__(self) -> str:
        return f"{self.name} {self.path}"


class Watch:
    """Counts the calls that change something, in one process."""

    def __init__(self, trouble: Callable[[int, str, Callable[[], Any]], None] | None = None) -> None:
        self.calls: list[Call] = []
        self._paths: dict[int, str] = {}
        self._trouble = trouble or (lambda number, name, half: None)

    def wrap(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any, **keywords: Any) -> Any:
            if name != "open" or args[1] & _CHANGES:
                number = len(self.calls)
                self.calls.append(Call(name, self._path(args)))
                self._trouble(number, name, lambda: _half(name, call, args))
            result = call(*args, **keywords)
            if name == "open":
                self._paths[result] = os.fsdecode(args[0])
            return result

        return watched

    def _path(self, args: Sequence[Any]) -> str:
        first, second = args[0], args[1] if len(args) > 1 else None
        if isinstance(first, int):
            return self._paths.get(first, "?")
        return os.fsdecode(second if isinstance(second, str | bytes) else first)


def _half(name: str, call: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Half of what a writing call would write."""
    if name in ("pwritev", "writev"):
        data = b"".join(map(bytes, args[1]))
        call(args[0], [data[: len(data) // 2]], *args[2:])
    elif name in ("write", "pwrite"):
        call(args[0], bytes(args[1])[: len(args[1]) // 2], *args[2:])


@contextmanager
def watching(watch: Watch) -> Iterator[Watch]:
    """Have the watch in `os` inside the block."""
    real = {name: getattr(os, name) for name in CHANGING if hasattr(os, name)}
    try:
        for name, call in real.items():
            setattr(os, name, watch.wrap(name, call))
        yield watch
    finally:
        for name, call in real.items():
            setattr(os, name, call)


def dying_at(point: int) -> Watch:
    """A watch under which the process is killed at this call."""

    def die(number: int, _name: str, half: Callable[[], Any]) -> None:
        if number == point:
            half()
            os.kill(os.getpid(), signal.SIGKILL)

    return Watch(die)


def refusing_at(point: int, error: int, *, lasting: bool) -> Watch:
    """A watch under which this call, or each from this one on, is refused."""

    def refuse(number: int, name: str, _half: Callable[[], Any]) -> None:
        if number == point or (lasting and number > point and name != "unlink"):
            raise OSError(error, os.strerror(error))

    return Watch(refuse)


def in_child(work: Callable[[], object]) -> int:
    """How a forked child ends that does this: 0, 1 after an exception, or below 0 the signal that killed it."""
    process = os.fork()
    if process == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
