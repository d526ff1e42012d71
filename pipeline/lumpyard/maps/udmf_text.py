"""UDMF's text: assignments, and blocks of assignments, parsed and rendered without regard to what they mean.

    namespace = "zdoom";
    vertex // 0
    {
        x = 64.5;
        y = -128;
    }

Names are without case, and here in lower case. What values are is in `maps.udmf_values`. The last of several
assignments to one name holds. What cannot be read is told with its line and passed over, up to the next `;` or `}`.

Source: "Universal Doom Map Format Specification v1.1", Grammar.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.model import MapDamage
from lumpyard.maps.udmf_values import Values, spelled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.maps.udmf_values import Value

MOST_DAMAGE = 100  # faults after which a text is no UDMF, and the rest of it is left
_LONGEST = 40  # characters of a text that a message shows

# Nothing is given back, so that no text makes a match take longer than its length. Groups repeat inside of atomic ones:
# Python before 3.11.5 forgets to go back where a possessive group matches in part.
_COMMENT = r"(?://[^\n]*+|/\*[^*]*+\*++(?>(?:[^/*][^*]*+\*++)*)/)"
_SPACE = rf"\s*+(?>(?:{_COMMENT}\s*+)*)"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*+"
_STRING = r'"(?>(?:[^"\\]++|\\.)*)"'
_WORD = r"""[^{}();"'/=\s]++"""
_ASSIGNED = rf"{_SPACE}={_SPACE}(?:{_STRING}|{_WORD}){_SPACE};{_SPACE}"
_BODY = re.compile(rf"(?>(?:{_NAME}{_ASSIGNED})*)\}}", re.DOTALL)
_ASSIGNMENT = re.compile(rf"({_NAME}){_SPACE}={_SPACE}({_STRING}|{_WORD}){_SPACE};{_SPACE}", re.DOTALL)
_SPACES = re.compile(_SPACE)
_HEAD = re.compile(rf"({_NAME}){_SPACE}\{{{_SPACE}")
# What stands up to the next place where reading can go on. Strings and comments are passed as a whole; one that is not
# closed goes to the end, since to look for its end again from each place in it would take forever.
_PASSED = re.compile(
    rf"(?>(?:[^;{{}}\"/]++|{_STRING}|{_COMMENT}|(?P<string>\".*+)|(?P<comment>/\*.*+)|/)*)", re.DOTALL
)
_BRACES = re.compile(r"\{++|\}")


class Block(NamedTuple):
    """A block of assignments, such as a thing."""

    kind: str  # in lower case
    fields: Mapping[str, Value]  # by name in lower case, in the order of the text
    line: int  # where it starts, from 1


class Document(NamedTuple):
    """A text, as far as it can be read."""

    fields: Mapping[str, Value]  # assignments outside of all blocks
    blocks: Sequence[Block]
    damage: Sequence[MapDamage] = ()  # of lump TEXTMAP; offsets are lines, from 1


def parse(data: bytes) -> Document:
    """The blocks of a text. Bytes that are not UTF-8 become surrogate escapes."""
    parser = _Parser(data.decode("utf-8", "surrogateescape"))
    try:
        parser.run()
    except _TooManyError:
        parser.damage.append(
            _damage("too many faults; the rest of the text is left", parser.damage[-1].offset)
        )
    return Document(parser.fields, parser.blocks, parser.damage)


def render(document: Document) -> bytes:
    """A text that `parse` reads back as the same fields and blocks."""
    lines = [f"{name} = {spelled(value)};" for name, value in document.fields.items()]
    for block in document.blocks:
        lines += ["", block.kind, "{"]
        lines += [f"{name} = {spelled(value)};" for name, value in block.fields.items()]
        lines.append("}")
    return "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")


class _TooManyError(Exception):
    """More faults than a text of UDMF has."""


class _Parser:
    def __init__(self, text: str) -> None:
        self.fields: dict[str, Value] = {}
        self.blocks: list[Block] = []
        self.damage: list[MapDamage] = []
        self._text = text
        self._counted = 0  # the place up to which lines are counted
        self._line = 1
        self._values = Values()
        self._names = _Names()

    def run(self) -> None:
        text = self._text
        at = 0
        if text.startswith("\ufeff"):
            self._tell("the text starts with a byte order mark, which no engine reads", at)
            at = 1
        at = self._skip(at)
        while at < len(text):
            head = _HEAD.match(text, at)
            if head:
                at = self._block(self._names[head[1]], self._line_at(at), head.end())
                continue
            assignment = _ASSIGNMENT.match(text, at)
            if assignment:
                self._assign(self.fields, assignment)
                at = assignment.end()
            else:
                at = self._pass_over(at, "a block or an assignment")

    def _block(self, kind: str, line: int, start: int) -> int:
        """Read one block; the place behind it."""
        body = _BODY.match(self._text, start)
        if body:
            found = _ASSIGNMENT.findall(self._text, start, body.end())
            names, values = self._names, self._values
            try:
                fields = {names[name]: values[value] for name, value in found}
            except ValueError:
                pass
            else:
                if len(fields) == len(found):
                    self.blocks.append(Block(kind, fields, line))
                    return self._skip(body.end())
        return self._odd_block(kind, line, start)

    def _odd_block(self, kind: str, line: int, at: int) -> int:
        """As `_block`, one assignment after the other, telling what is wrong."""
        text = self._text
        fields: dict[str, Value] = {}
        self.blocks.append(Block(kind, fields, line))
        while at < len(text):
            if text[at] == "}":
                return self._skip(at + 1)
            assignment = _ASSIGNMENT.match(text, at)
            if assignment:
                self._assign(fields, assignment)
                at = assignment.end()
            else:
                at = self._pass_over(at, "an assignment or a }", inside=True)
        self._tell(f"the block {kind} is not closed by a }}", at, line)
        return at

    def _assign(self, fields: dict[str, Value], assignment: re.Match[str]) -> None:
        name = self._names[assignment[1]]
        if name in fields:
            self._tell(f"{name} is assigned twice; the last holds", assignment.start())
        try:
            fields[name] = self._values[assignment[2]]
        except ValueError as error:
            self._tell(f"{name} = {_shown(assignment[2])} {error}", assignment.start())

    def _pass_over(self, at: int, wanted: str, *, inside: bool = False) -> int:
        """The place behind something that makes no sense."""
        text = self._text
        shown = _shown(text[at : at + 2 * _LONGEST].splitlines()[0])
        passed = _PASSED.match(text, at)
        end = passed.end() if passed else at
        line = self._line_at(at)
        unclosed = ""
        if passed and passed.lastgroup:
            start = self._line_at(passed.start(passed.lastgroup))
            unclosed = f"; the {passed.lastgroup} that starts in line {start} has no end"
        self._tell(f"{shown} where {wanted} should be{unclosed}", at, line)
        if text[end : end + 1] == "{":
            end = self._behind_braces(end)
        elif text[end : end + 1] != "}" or not inside:
            end += 1
        return self._skip(min(end, len(text)))

    def _behind_braces(self, at: int) -> int:
        depth = 0
        while at < len(self._text):
            braces = _BRACES.match(self._text, at)
            step = len(braces[0]) if braces else 1
            depth += 0 if braces is None else step if braces[0] != "}" else -1
            at += step
            if not depth:
                break
            passed = _PASSED.match(self._text, at)
            at = passed.end() if passed else at
        return at

    def _skip(self, at: int) -> int:
        spaces = _SPACES.match(self._text, at)
        return spaces.end() if spaces else at

    def _line_at(self, at: int) -> int:
        self._line += self._text.count("\n", self._counted, at)
        self._counted = max(at, self._counted)
        return self._line

    def _tell(self, message: str, at: int, line: int | None = None) -> None:
        self.damage.append(_damage(message, line or self._line_at(at)))
        if len(self.damage) == MOST_DAMAGE:
            raise _TooManyError


def _damage(message: str, line: int | None) -> MapDamage:
    return MapDamage("TEXTMAP", message, line, "syntax")


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "...")


class _Names(dict[str, str]):
    """Names in lower case, each made once."""

    def __missing__(self, name: str) -> str:
        lower = self[name] = name.lower()
        return lower
