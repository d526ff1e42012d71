"""Trees of manifest files: parsed once, then kept by the digest of the file's bytes.

A kept value is `MAGIC`, the digest of the rest, and the marshalled (tree, digest of the tree). Whatever isn't
that, byte for byte, is a miss: marshal must never be given bytes that may be damaged. A hit does without YAML
(16 ms to import, 2 µs a node to parse).
"""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from lumpyard.hashing import digest
from lumpyard.manifest.model import Node
from lumpyard.manifest.nodes import items_of, pairs, text_of
from lumpyard.manifest.text import decode_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.errors import Problem

MAGIC = b"lumpyard manifest tree 1, marshal %d\n" % marshal.version
_DIGEST_SIZE = 32


class ParseCache(Protocol):
    """A place for values that can be made again; it may forget any of them at any time."""

    def get(self, key: str) -> bytes | None:
        """The value that was put under a key, or None."""

    def put(self, key: str, data: bytes) -> None:
        """Keep a value; failing to is no error."""


class Tree(NamedTuple):
    """A manifest file's nodes."""

    root: Node
    digest: bytes  # of what it says: comments, blank lines, layout and quoting style do not enter
    problems: tuple[Problem, ...]  # what YAML allows and a manifest does not


def load_tree(path: str, data: bytes, cache: ParseCache | None) -> Tree:
    """The tree of a file's bytes; a ProblemsError where they are no YAML."""
    key = f"manifest-{digest(data).hex()}"
    kept = cache.get(key) if cache is not None else None
    tree = decode_tree(kept) if kept is not None else None
    if tree is None:
        from lumpyard.manifest.syntax import parse_yaml  # noqa: PLC0415 - a hit does without

        root, problems = parse_yaml(path, decode_text(path, data))
        tree = Tree(root, digest(b"".join(_iter_bytes(root))), tuple(problems))
        if cache is not None and not problems:
            cache.put(key, encode_tree(tree))
    return tree


def encode_tree(tree: Tree) -> bytes:
    """The bytes that a cache keeps of a tree without problems."""
    body = marshal.dumps((_plain(tree.root), tree.digest))
    return MAGIC + digest(body) + body


def decode_tree(kept: bytes) -> Tree | None:
    """The tree of such bytes, or None."""
    body = kept[len(MAGIC) + _DIGEST_SIZE :]
    if not kept.startswith(MAGIC) or kept[len(MAGIC) :][:_DIGEST_SIZE] != digest(body):
        return None
    root, tree_digest = marshal.loads(body)  # noqa: S302 - its digest holds
    return Tree(_node(root), tree_digest, ())


def _plain(node: Node) -> tuple[Any, ...]:
    """A node as tuples, since marshal takes no NamedTuple."""
    value: object = node.value
    if node.kind == "list":
        value = tuple(map(_plain, items_of(node)))
    elif node.kind == "map":
        value = tuple((_plain(key), _plain(item)) for key, item in pairs(node))
    return (node.kind, value, node.line, node.column, node.quoted)


def _node(plain: tuple[Any, ...]) -> Node:
    kind, value, *rest = plain
    if kind == "list":
        value = tuple(map(_node, value))
    elif kind == "map":
        value = tuple((_node(key), _node(item)) for key, item in value)
    return Node(kind, value, *rest)


def _iter_bytes(node: Node) -> Iterator[bytes]:
    """A spelling of a tree's content in which no two trees are alike."""
    if node.kind == "list":
        yield b"l%d:" % len(node.value)
        for item in items_of(node):
            yield from _iter_bytes(item)
    elif node.kind == "map":
        yield b"m%d:" % len(node.value)
        for key, item in pairs(node):
            yield from _iter_bytes(key)
            yield from _iter_bytes(item)
    else:
        text = text_of(node).encode()
        yield b"s%d:%b" % (len(text), text)
