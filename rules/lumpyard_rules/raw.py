"""Rule `raw`: the file as it is. Sets fall to it whose files no other rule takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.rule import NoOptions, Source


def cook(sources: Sequence[Source], options: NoOptions) -> Iterable[Product]:  # noqa: ARG001 - the signature of `cook`
    """The one source's bytes. Builds copy them without a call, since the rule is `verbatim`."""
    return [Product(sources[0].data)]


RULE = Rule(kind="raw", version=1, cook=cook, verbatim=True, summary="the file as it is")
