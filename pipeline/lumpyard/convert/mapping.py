"""The file that says which lump got which new name: a line each, `NEW TAB OLD`, escaped as symbol files are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.ledger.escapes import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.convert.model import Renamed

_HEAD = "new\told\n"


def render_map(renamed: Sequence[Renamed]) -> bytes:
    """The file, in the order of the source."""
    lines = (f"{_text(item.new)}\t{_text(item.old)}\n" for item in renamed)
    return (_HEAD + "".join(lines)).encode()


def _text(name: bytes) -> str:
    return escape(name.decode("utf-8", "surrogateescape"))
