r"""The one glob dialect (docs/manifest.md, "Globs"): for source paths, lump names and the command line alike.

A glob is parts between slashes, and matches a whole path, case-sensitively, on every platform.

| written | matches |
|---|---|
| `*` | any characters of one part, also none |
| `?` | one character of a part |
| `[a-z_]` | one of these characters; `]` stands first, `-` first or last, `\` anywhere |
| `[!a-z]` | one character that is not among these |
| `**` | zero or more whole parts; as the last part, every file below |
| anything else | itself; `[*]`, `[?]` and `[[]` are the characters without their meaning |

A part that starts with a dot is matched only by a part that is written with one, so `*` and `**` pass
hidden files by. A glob compiles to one regular expression that never takes exponential time: whatever
stands between two stars is matched at its first place for good, which never loses a match (as in the
standard library's fnmatch).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_STAR = "*"  # a token of its own; all others are regular expressions for one character
_NAME = r"[^/.][^/]*"  # a part that isn't hidden
_FOLDERS = rf"(?:{_NAME}/)*"  # what `**` stands for ahead of another part
_WILD = re.compile(r"[*?\[]")


class GlobError(UsageError):
    """A glob that means nothing; the message without its hint is in `rule`."""

    def __init__(self, text: str, rule: str, hint: str = "") -> None:
        self.rule = rule
        self.hint = hint
        super().__init__(f"pattern '{text}': {rule}" + (f"; {hint}" if hint else ""))


class Glob(NamedTuple):
    """A glob that is known to be well formed."""

    text: str
    prefix: str  # the folder that all matches are below, "" if there is none to name
    max_depth: int | None  # parts of the longest match; None where `**` allows any
    compiled: (
        re.Pattern[str] | None
    )  # None for a literal path: thousands of them must not cost a compilation each

    @property
    def is_literal(self) -> bool:
        """Whether it matches exactly one path, its text."""
        return self.compiled is None

    @property
    def regex(self) -> re.Pattern[str]:
        """The regular expression whose `fullmatch` is this glob."""
        return re.compile(re.escape(self.text)) if self.compiled is None else self.compiled

    def matches(self, path: str) -> bool:
        """Whether it matches a path or name."""
        return path == self.text if self.compiled is None else self.compiled.fullmatch(path) is not None

    def may_descend(self, folder: str) -> bool:
        """Whether a file somewhere below a folder could match; "" is the top."""
        if not folder:
            return True
        if self.compiled is None:
            return self.text.startswith(f"{folder}/")
        parts = self.text.split("/")
        reached = _with_skips({0}, parts)
        for name in folder.split("/"):
            reached = _with_skips(_after_part(reached, parts, name), parts)
        return any(at < len(parts) for at in reached)


def parse_glob(text: str) -> Glob:
    """The glob that a text means; a GlobError where it means nothing."""
    _check_path(text)
    prefix = text.rpartition("/")[0]
    wild = _WILD.search(text)
    if wild is None:
        return Glob(text, prefix, text.count("/") + 1, None)
    prefix = text[: wild.start()].rpartition("/")[0]
    parts = text.split("/")
    compiled = re.compile(_path_regex(text, parts))
    return Glob(text, prefix, None if "**" in parts else len(parts), compiled)


def any_match(globs: Iterable[Glob]) -> Callable[[str], bool]:
    """A function that says whether any of some globs matches; far quicker than asking each."""
    literal: set[str] = set()
    wild: list[str] = []
    for glob in globs:
        if glob.compiled is None:
            literal.add(glob.text)
        else:
            wild.append(glob.compiled.pattern)
    if not wild:
        return literal.__contains__
    match = re.compile("|".join(f"(?:{pattern})" for pattern in wild)).fullmatch
    if not literal:
        return lambda path: match(path) is not None
    return lambda path: path in literal or match(path) is not None


def escape_glob(text: str) -> str:
    r"""The glob that matches exactly a text: `*`, `?`, `[` and `\` in brackets."""
    return re.sub(r"[*?\[\\]", r"[\g<0>]", text)


def _check_path(text: str) -> None:
    if not text:
        raise GlobError(text, "it is empty")
    if "\0" in text:
        raise GlobError(text.replace("\0", "\\0"), "it holds a NUL")
    if text.startswith("/") or re.match(r"[A-Za-z]:[/\\]", text):
        raise GlobError(text, "it is absolute", "patterns are relative")
    if text.endswith("/"):
        raise GlobError(
            text, "it ends in a slash", f"`{text.rstrip('/')}/**` is every file below that folder"
        )
    if "//" in text:
        raise GlobError(text, "it has an empty part between two slashes")
    if "." in text:
        parts = text.split("/")
        if ".." in parts:
            raise GlobError(text, "it has `..` as a part", "patterns only go down")
        if "." in parts:
            raise GlobError(text, "it has `.` as a part", "leave it out")
    if "\\" in text and "\\" in re.sub(r"\[[!]?\]?[^\]/]*\]", "", text):
        raise GlobError(
            text, "it has a backslash", r"parts are split by `/` everywhere; the character itself is `[\]`"
        )


def _path_regex(text: str, parts: list[str]) -> str:
    """A regular expression for a whole path; it never goes back into what `(?>...)` has matched."""
    runs: list[list[str]] = [[]]
    for part in parts:
        if part != "**":
            runs[-1].append(_part_regex(text, part))
        elif len(runs) == 1 or runs[-1]:  # `**/**` says no more than `**`
            runs.append([])
    if len(runs) == 1:
        return "/".join(runs[0])
    first = "".join(f"{part}/" for part in runs[0])
    middle = "".join(f"(?>(?:{_NAME}/)*?{'/'.join(run)}/)" for run in runs[1:-1])
    return first + middle + _FOLDERS + ("/".join(runs[-1]) or _NAME)


def _part_regex(text: str, part: str) -> str:
    tokens = _tokens(text, part)
    visible = (
        r"(?!\.)" if tokens[0][0] in "*[(" else ""
    )  # a literal first character stands for itself, a dot too
    runs = [""]
    for token in tokens:
        if token == _STAR:
            runs.append("")
        else:
            runs[-1] += token
    if len(runs) == 1:
        return visible + runs[0]
    if not any(runs):
        return _NAME
    return visible + runs[0] + "".join(f"(?>[^/]*?{run})" for run in runs[1:-1]) + "[^/]*" + runs[-1]


def _tokens(text: str, part: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    while at < len(part):
        char = part[at]
        at += 1
        if char == "*":
            if tokens[-1:] == [_STAR]:
                hint = "write `**/` ahead of a part, or one `*` inside it"
                raise GlobError(text, "`**` stands only for whole parts", hint)
            tokens.append(_STAR)
        elif char == "?":
            tokens.append("[^/]")
        elif char == "[":
            end = part.find("]", at + 1 + part.startswith("!", at))
            if end < 0:
                raise GlobError(text, "a `[` without its `]`", "the character itself is `[[]`")
            tokens.append(_class_regex(text, part[at:end]))
            at = end + 1
        else:
            tokens.append(re.escape(char))
    return tokens


def _class_regex(text: str, inside: str) -> str:
    """A regular expression for what stands between brackets; it never matches a slash."""
    negated = inside.startswith("!")
    chars = inside[negated:]
    if chars.startswith("^"):
        raise GlobError(
            text,
            f"`[{inside}]` starts with `^`",
            "`[!...]` is any other character; put `^` last to mean itself",
        )
    ranges: list[str] = []
    at = 0
    while at < len(chars):
        low = high = chars[at]
        if chars[at + 1 : at + 2] == "-" and at + 2 < len(chars):
            high = chars[at + 2]
            at += 2
        at += 1
        if low > high:
            raise GlobError(text, f"`{low}-{high}` in `[{inside}]` runs backwards", f"write `{high}-{low}`")
        ranges.append(f"{re.escape(low)}-{re.escape(high)}")
    body = "".join(ranges)
    return f"[^/{body}]" if negated else f"(?!/)[{body}]"


def _with_skips(reached: set[int], parts: list[str]) -> set[int]:
    """Where one may stand in a glob, given that each `**` may match nothing."""
    for at, part in enumerate(parts):
        if at in reached and part == "**":
            reached.add(at + 1)
    return reached


def _after_part(reached: set[int], parts: list[str], name: str) -> set[int]:
    after: set[int] = set()
    for at in reached:
        if at == len(parts):
            continue
        if parts[at] != "**":
            if _part_pattern(parts[at]).fullmatch(name):
                after.add(at + 1)
        elif not name.startswith("."):
            after.add(at)
    return after


@lru_cache(maxsize=1024)
def _part_pattern(part: str) -> re.Pattern[str]:
    return re.compile(_part_regex(part, part))
