"""Paths as text above `disk` and as bytes below it, the same under every locale.

Above, a path is text with forward slashes, and bytes that are not UTF-8 are surrogate escapes. Python would
turn text into bytes by the locale; under de_DE.ISO-8859-1 the file "é" would then get another lump name than
elsewhere. So all calls here are made with bytes, which on Windows Python takes for UTF-8 (PEP 529).
"""

from __future__ import annotations

import os
import sys

_ERRORS = "surrogatepass" if sys.platform == "win32" else "surrogateescape"
SEPARATOR = os.sep.encode()


def native(path: str) -> bytes:
    """The bytes that name a path to the system; "" is the current folder. ValueError where none can."""
    return path.encode("utf-8", _ERRORS) or b"."


def from_native(path: bytes) -> str:
    """The text of a name or path that the system gave."""
    return path.decode("utf-8", _ERRORS)


def from_system(text: str) -> str:
    """A path of ours, out of text that Python decoded by the locale: an argument, a variable."""
    return from_native(os.fsencode(text))


def real_path(path: str) -> str:
    """The absolute path with all links followed; what is not there keeps its name."""
    return from_native(os.path.realpath(native(path)))


def is_below(path: bytes, folder: bytes) -> bool:
    """Whether a real path is a folder's or lies below it, by whole parts ("/out2" is not below "/out")."""
    return path == folder or path.startswith(folder if folder.endswith(SEPARATOR) else folder + SEPARATOR)


def parent(path: str) -> str:
    """The folder that a path lies in; "" is the current one."""
    return from_native(os.path.dirname(path.encode("utf-8", _ERRORS)))
