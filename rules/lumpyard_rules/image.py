"""Rule `image`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.rule import NoOptions, Source


def cook(sources: Sequence[Source], options: NoOptions) -> Iterable[Product]:  # noqa: ARG001 - the signature of `cook`
    """The one source's bytes."""
    return [Product(sources[0].data)]


RULE = Rule(kind="image", version=1, cook=cook, summary="a stub")
