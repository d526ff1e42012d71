"""JSON by RFC 8259, token by token, with the place of whatever is wrong. Nesting costs memory, never stack.

Source: RFC 8259, sections 2 (grammar), 4 (objects) and 6 (numbers).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lumpyard_rules.json.faults import Fault
from lumpyard_rules.json.strings import half_characters, string_at, string_fault, unescape

_SPACE = re.compile(r"[ \t\n\r]*")
_COMMENT = re.compile(r"//[^\n\r]*|/\*.*?\*/", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[\w.+\-$]+")
_LITERALS = ("true", "false", "null")
_OTHER_WORDS = {
    "True": "write true",
    "False": "write false",
    "None": "write null",
    "undefined": "write null",
    "NaN": "JSON numbers are finite; write null or a text",
    "Infinity": "JSON numbers are finite; write null or a text",
    "-Infinity": "JSON numbers are finite; write null or a text",
    "+Infinity": "JSON numbers are finite; write null or a text",
}


@dataclass(slots=True)
class Parsed:
    """What a parse found. After a fault of syntax the rest of the text was not looked at."""

    text: str
    tokens: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)

    @property
    def without_comments(self) -> str:
        """The text with its comments cut out; a block comment between two lines leaves them two lines."""
        starts = [0, *(end for _, end in self.comments)]
        ends = [*(start for start, _ in self.comments), len(self.text)]
        return "".join(self.text[start:end] for start, end in zip(starts, ends, strict=True))


class _SyntaxFault(Exception):  # noqa: N818 - never leaves this module
    """The first fault of syntax; it ends the parse."""


def parse(text: str, *, comments: bool, max_depth: int) -> Parsed:
    """The tokens of a JSON text and everything that is wrong with it."""
    parser = _Parser(text, comments, max_depth, Parsed(text))
    try:
        parser.run()
    except _SyntaxFault as stop:
        parser.found.faults.append(stop.args[0])
    return parser.found


@dataclass(slots=True)
class _Parser:
    """A place in the text, and the lists and objects that are open there."""

    text: str
    comments: bool
    max_depth: int
    found: Parsed
    at: int = 0
    open: list[tuple[int, dict[str, int] | None]] = field(
        default_factory=list
    )  # start, and keys of an object

    def run(self) -> None:
        """Read one value and the end of the text."""
        self.skip()
        if self.at == len(self.text):
            raise _fault(self.at, "the file is empty; a JSON value is expected")
        value_is_next = True
        while value_is_next or self.open:
            value_is_next = self.value() if value_is_next else self.after_value()
        self.skip()
        if self.at < len(self.text):
            raise _fault(self.at, f"expected the end of the file after the value, found {self.what()}")

    def value(self) -> bool:
        """Read a scalar, or the start of a list or object; whether a value must follow at once."""
        self.skip()
        char = self.text[self.at : self.at + 1]
        if char and char in "[{":
            return self.enter(char)
        if char == '"':
            self.string()
        elif char == "-" or char.isdigit():
            self.number()
        else:
            self.literal()
        return False

    def enter(self, char: str) -> bool:
        """Read an opening bracket and what comes first behind it; whether that is a value."""
        if len(self.open) == self.max_depth:
            raise _fault(self.at, f"nested deeper than {self.max_depth}", "raise the option max_depth")
        self.open.append((self.at, {} if char == "{" else None))
        self.take(char)
        self.skip()
        if self.text.startswith("]}"[char == "{"], self.at):
            return self.leave()
        if char == "{":
            self.key("a key in double quotes or '}'")
        return True

    def leave(self) -> bool:
        """Read a closing bracket, behind which no value follows."""
        self.open.pop()
        self.take(self.text[self.at])
        return False

    def after_value(self) -> bool:
        """Read what follows a value in a list or object, its end or a comma; whether a value follows."""
        self.skip()
        start, keys = self.open[-1]
        close = "]" if keys is None else "}"
        char = self.text[self.at : self.at + 1]
        if char == close:
            return self.leave()
        if char == ",":
            return self.comma(close)
        name = "list" if keys is None else "object"
        message = f"expected ',' or '{close}' after a value of the {name}, found {self.what()}"
        raise _SyntaxFault(Fault(self.at, message, "", "it opens in line", start))

    def comma(self, close: str) -> bool:
        """Read a comma and, in an object, the key behind it; a value follows."""
        comma = self.at
        self.take(",")
        self.skip()
        if self.text.startswith(close, self.at):
            raise _fault(comma, f"a comma before '{close}'; a value must follow it", "remove the comma")
        if close == "}":
            self.key("a key in double quotes after ','")
        return True

    def key(self, expected: str) -> None:
        """Read a key and its colon."""
        at = self.at
        if not self.text.startswith('"', at):
            raise _fault(at, f"expected {expected}, found {self.what()}", self.quote_hint())
        self.string()
        keys = self.open[-1][1]
        name = unescape(self.found.tokens[-1])
        if keys is not None and keys.setdefault(name, at) != at:
            message = f"the key {self.found.tokens[-1][:60]} is there twice in one object"
            self.found.faults.append(Fault(at, message, "remove one of the two", "first in line", keys[name]))
        self.skip()
        if not self.text.startswith(":", self.at):
            raise _fault(self.at, f"expected ':' after a key, found {self.what()}")
        self.take(":")

    def string(self) -> None:
        """Read a string."""
        token = string_at(self.text, self.at)
        if token is None:
            raise _SyntaxFault(string_fault(self.text, self.at))
        self.found.faults += half_characters(token, self.at)
        self.take(token)

    def number(self) -> None:
        """Read a number, whose text stays as it is."""
        match = _NUMBER.match(self.text, self.at)
        word = _WORD.match(self.text, self.at)
        if match and word and match.end() == word.end():
            self.take(match[0])
            return
        raise self.word_fault("a number has no leading zero, and digits on both sides of its point")

    def literal(self) -> None:
        """Read true, false or null."""
        word = _WORD.match(self.text, self.at)
        if word and word[0] in _LITERALS:
            self.take(word[0])
            return
        raise self.word_fault(self.quote_hint())

    def word_fault(self, hint: str) -> _SyntaxFault:
        """What is wrong where a value should be."""
        word = _WORD.match(self.text, self.at)
        hint = _OTHER_WORDS.get(word[0], hint) if word else hint
        return _fault(self.at, f"expected a value, found {self.what()}", hint)

    def skip(self) -> None:
        """Skip white space, and comments where they are allowed."""
        self.at = _space_end(self.text, self.at)
        while self.text.startswith(("//", "/*"), self.at):
            if not self.comments:
                raise _fault(
                    self.at,
                    "a comment, which JSON does not have",
                    "remove it, or set the option `comments: true`",
                )
            match = _COMMENT.match(self.text, self.at)
            if not match:
                raise _fault(self.at, "the comment that opens here is not closed", "close it with */")
            self.found.comments.append(match.span())
            self.at = _space_end(self.text, match.end())

    def take(self, token: str) -> None:
        """Keep a token and go behind it."""
        self.found.tokens.append(token)
        self.at += len(token)

    def what(self) -> str:
        """What stands here, for a message."""
        word = _WORD.match(self.text, self.at)
        return (
            ascii(word[0][:40] if word else self.text[self.at])
            if self.at < len(self.text)
            else "the end of the file"
        )

    def quote_hint(self) -> str:
        """A hint where other languages would have a text."""
        char = self.text[self.at : self.at + 1]
        return "texts and keys stand in double quotes" if char == "'" or char.isalpha() or char == "_" else ""


def _fault(at: int, message: str, hint: str = "") -> _SyntaxFault:
    """A fault of syntax."""
    return _SyntaxFault(Fault(at, message, hint))


def _space_end(text: str, at: int) -> int:
    """The end of the white space that starts here."""
    match = _SPACE.match(text, at)
    return match.end() if match else at
