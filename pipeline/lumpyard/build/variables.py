"""The variables of the environment that say how a build goes about its work, and the words that each takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

LOCK, WAIT, PROGRESS, WORKERS = "LUMPYARD_LOCK", "LUMPYARD_WAIT", "LUMPYARD_PROGRESS", "LUMPYARD_WORKERS"
_WORDS = {  # of each the default first, which an empty variable means, too
    LOCK: ("write", "report", "check"),
    WAIT: ("1", "0"),
    PROGRESS: ("auto", "rich", "plain", "json", "none"),
}
_CREWS = ("serial", "fork", "threads")


def variable(environ: Mapping[str, str], name: str) -> str:
    """What a variable says; UsageError where that is none of its words."""
    words = _WORDS[name]
    word = environ.get(name) or words[0]
    if word not in words:
        raise UsageError(f"{name} is {word!r}; it takes {', '.join(words[:-1])} or {words[-1]}")
    return word


def parse_workers(wish: str) -> tuple[str, int]:
    """Kind of crew and number of workers that LUMPYARD_WORKERS asks for, as KIND, N or KIND:N; "" and 0 are any."""
    kind, _, number = wish.partition(":") if not wish.isdecimal() else ("", "", wish)
    if kind not in ("", *_CREWS) or (number and not number.isdecimal()) or (number and not int(number)):
        raise UsageError(
            f"{WORKERS} is {wish!r}; it takes serial, fork or threads, and a number as in fork:4"
        )
    return kind, int(number or 0)


def check_variables(environ: Mapping[str, str]) -> None:
    """UsageError for the first variable that says what nobody understands."""
    for name in _WORDS:
        if environ.get(name):
            variable(environ, name)
    if environ.get(WORKERS):
        parse_workers(environ[WORKERS])
