"""Reads bad_documents.txt: documents with marks, each followed by what is told of it.

Blocks are parted by empty lines, headings start with `# `. In a block, `@ NAME` starts another file, `=> CODE
MESSAGE` is a problem, in the order of their places, and `   hint: HINT` is the hint of the one above it.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.builders.documents import Told, unmarked


class BadDocument(NamedTuple):
    """Files, root first, and the problems that must be told of them."""

    files: dict[str, str]
    told: list[Told]


def read_bad_documents() -> list[BadDocument]:
    """All documents of the file."""
    text = Path(__file__).with_suffix(".txt").read_text("utf-8")
    return [_read_block(block) for block in text.strip().split("\n\n") if not block.startswith("# ")]


def _read_block(block: str) -> BadDocument:
    marked = {"assets.yaml": ""}
    expected: list[tuple[str, str]] = []
    for line in block.split("\n"):
        if line.startswith("@ "):
            marked[line[2:]] = ""
        elif line.startswith("=> "):
            expected.append((line[3:], ""))
        elif line.startswith("   hint: "):
            expected[-1] = (expected[-1][0], line[9:])
        else:
            marked[list(marked)[-1]] += line + "\n"
    pieces = {path: unmarked(path, document) for path, document in marked.items()}
    places = [place for path in sorted(pieces) for place in pieces[path][1]]
    told = [
        Told(place, said.partition(" ")[0], said.partition(" ")[2], hint)
        for place, (said, hint) in zip(places, expected, strict=True)
    ]
    return BadDocument({path: text for path, (text, _) in pieces.items()}, told)
