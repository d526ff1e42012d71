"""The manifest's tools on this machine: where a program is, what identifies it, whether it is as expected."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lumpyard.disk import Stat


class ToolStamp(NamedTuple):
    """What stats alone say of a tool: while it stays equal, the tool is unchanged."""

    path: str  # of the program; "" where there is none
    stat: Stat | None
    files: tuple[tuple[str, Stat | None], ...] = ()  # for the identity `files`: paths from the project folder


class ResolvedTool(NamedTuple):
    """A tool that was found."""

    path: str  # absolute; "" where it was not found, which the identity `files` puts up with until it runs
    identity: str  # enters the cook digest; the same on every machine that has the same tool
    version_text: str  # what its version command printed; "" where it has none
    stamp: ToolStamp
