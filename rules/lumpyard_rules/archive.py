"""Rule `archive`: the lumps of an archive, each a source of its own, `vendor/base.wad!MAP01/THINGS`.

The plan takes them out of the archive's directory, so this rule is never called: each lump is cooked by the rule that
`rule` names, as a file of its own would be. Lumps have the paths that `lumpyard extract` gives them, and the set's
`name` is filled from those.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.rule import Source


@dataclass(frozen=True, slots=True)
class ArchiveOptions:
    """Which lumps are taken, and how the archive is read."""

    only: tuple[str, ...] = field(
        default=(), metadata={"doc": "globs of the lumps to take; all, where empty"}
    )
    exclude: tuple[str, ...] = field(default=(), metadata={"doc": "globs of lumps to leave out"})
    format: Literal["auto", "IWAD", "PWAD", "PACK", "WAD2", "WAD3", "PAK", "DAIKATANA", "MPQ", "EWAD"] = (
        field(default="auto", metadata={"doc": "format of the archive"})
    )
    lenient: bool = field(
        default=False, metadata={"doc": "let pass what real archives get wrong, with warnings"}
    )
    names: tuple[str, ...] = field(
        default=(), metadata={"doc": "names to try in archives that don't name all their lumps (MPQ)"}
    )
    rule: str = field(default="raw", metadata={"doc": "rule that cooks each lump, with its default options"})


def cook(sources: Sequence[Source], options: ArchiveOptions) -> Iterable[Product]:  # noqa: ARG001 - the signature
    """Never called: the plan gives each lump to another rule."""
    return [Product(source.data) for source in sources]


RULE = Rule(
    kind="archive",
    version=1,
    cook=cook,
    options=ArchiveOptions,
    expands=True,
    summary="the lumps of an archive, each a source of its own",
)
