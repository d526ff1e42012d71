r"""What a tool says it needed: its depfile, in make's syntax or as JSON.

make: lines `target ...: needed ...`, of which only what stands after the colon counts. A backslash at the
end of a line goes on with the next; `\ ` is a space in a name, `\#` a `#`, `\:` a colon, `$$` a `$`, and
any other backslash is itself, as compilers write Windows paths. The colon of a drive (`C:\a.h`, `C:/a.h`)
ends no targets. A `#` at the start of a word begins a comment. Lines that need nothing (`a.h:`, as `-MP`
writes them) say nothing.

JSON: a list of names, or an object whose `dependencies` is one; its other keys are left alone.

Source: GNU make manual, "Rule Syntax"; the GCC manual, `-MD` and `-MP`; ninja's depfile_parser.in.cc.
"""

from __future__ import annotations

import json
import re

_GOES_ON = re.compile(r"\\\r?\n")
_LINE_END = re.compile(r"\r?\n")
_WORD = re.compile(r"(?:\\[ \t]|[^ \t])+")
_COLON = re.compile(
    r"(?:\\:(?=.)|(?<![^ \t:])[A-Za-z]:(?=[/\\])|[^:])*"
)  # what stands ahead of the colon that counts
_ESCAPED = re.compile(r"\\([ \t#])|\\(:)(?=.)|\$(\$)")


class DepfileError(ValueError):
    """A depfile that cannot be understood; the text says why."""


def parse_depfile(data: bytes, *, is_json: bool) -> list[str]:
    """Names of the files that a tool needed, each once, as it wrote them; DepfileError."""
    text = data.decode("utf-8", "surrogateescape")
    return list(dict.fromkeys(_parse_json(text) if is_json else _parse_make(text)))


def _parse_make(text: str) -> list[str]:
    needed: list[str] = []
    rules = 0
    for line in _LINE_END.split(_GOES_ON.sub(" ", text)):
        words = _words(line)
        if not words:
            continue
        needed += _needed(words)
        rules += 1
    if not rules:
        raise DepfileError("it has no rule")
    return needed


def _words(line: str) -> list[str]:
    """The words of a line up to a comment, still escaped."""
    words: list[str] = []
    for match in _WORD.finditer(line):
        if match.group().startswith("#"):
            break
        words.append(match.group())
    return words


def _needed(words: list[str]) -> list[str]:
    """The names after the colon of a line."""
    for number, word in enumerate(words):
        match = _COLON.match(word)
        assert match is not None  # it matches nothing, if need be
        if match.end() < len(word):
            rest = word[match.end() :].lstrip(":")  # `::` is a rule too
            names = [rest, *words[number + 1 :]] if rest else words[number + 1 :]
            return [_ESCAPED.sub(r"\1\2\3", name) for name in names if name != "|"]
    raise DepfileError(f"there is no colon in {' '.join(words)[:80]!r}")


def _parse_json(text: str) -> list[str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DepfileError(f"it is not JSON: {error}") from None
    names = value.get("dependencies") if isinstance(value, dict) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise DepfileError('it is neither a list of names nor {"dependencies": [names]}')
    return names
