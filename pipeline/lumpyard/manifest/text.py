"""A manifest file's bytes as text: UTF-8, of a sane size, and without characters that shift lines or hide."""

from __future__ import annotations

import re

from lumpyard.errors import Place, Problem, ProblemsError
from lumpyard.manifest.codes import NOT_TEXT, TOO_BIG

MOST_BYTES = 1 << 20  # 10 MB took PyYAML 26 s and 764 MB
_LINE_END = re.compile(r"\r\n|\n|\r")
# YAML forbids most control characters. U+0085, U+2028 and U+2029 end a line for YAML and for no editor.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def decode_text(path: str, data: bytes) -> str:
    """The text of a manifest; a ProblemsError at the place of the first thing that is no text."""
    if len(data) > MOST_BYTES:
        hint = "name files by patterns, or split it with `include`"
        raise ProblemsError(
            [Problem(Place(path), TOO_BIG, f"the file has {len(data)} bytes; 1 MiB is the most", hint)]
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        problem = Problem(Place(path, 1, 1), NOT_TEXT, "the file is UTF-16", "save it as UTF-8")
        raise ProblemsError([problem])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = place_of(path, data[: error.start].decode("utf-8"))
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise ProblemsError([Problem(place, NOT_TEXT, message, "save the file as UTF-8")]) from error
    odd = _FORBIDDEN.search(text)
    if odd is None:
        return text
    place = place_of(path, text[: odd.start()])
    if odd[0] == "\ufeff" and odd.start() == 0:
        problem = Problem(
            place, NOT_TEXT, "the file starts with a byte order mark", "save it as UTF-8 without one"
        )
    else:
        hint = "in double quotes it can be written as an escape"
        problem = Problem(
            place, NOT_TEXT, f"the character U+{ord(odd[0]):04X} can't stand in a manifest", hint
        )
    raise ProblemsError([problem])


def place_of(path: str, before: str) -> Place:
    """The place right after some text from the start of a file."""
    lines = _LINE_END.split(before)
    return Place(path, len(lines), len(lines[-1]) + 1)


def split_lines(text: str) -> list[str]:
    """The lines of a text as places count them."""
    return _LINE_END.split(text)
