"""What a node holds, and how messages show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from lumpyard.manifest.model import Node

_LONGEST_SHOWN = 60  # characters of a value in a message


def text_of(node: Node) -> str:
    """The text of a scalar."""
    return cast("str", node.value)


def items_of(node: Node) -> tuple[Node, ...]:
    """The items of a list."""
    return cast("tuple[Node, ...]", node.value)


def pairs(node: Node) -> tuple[tuple[Node, Node], ...]:
    """The keys and values of a map."""
    return cast("tuple[tuple[Node, Node], ...]", node.value)


def shown(node: Node, *, bare: bool = False) -> str:
    """A value as messages show it."""
    if node.kind != "scalar":
        return f"a {node.kind}"
    text = text_of(node)
    if not text and not node.quoted:
        return "nothing"
    if bare:
        return shorten(text)
    return f'the text "{shorten(text)}"' if node.quoted else f"'{shorten(text)}'"


def one_line(text: str) -> str:
    """A text whose line ends and other control characters are escapes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def shorten(text: str) -> str:
    """A text on one line and not too long."""
    text = one_line(text)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."
