"""What all lumps of a recipe share, worked out once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import lz4
from lumpyard.build.asks import verbatim_cook_digest
from lumpyard.build.cooking.products import type_and_schema
from lumpyard.build.lumps.codecs import COSTLY
from lumpyard.build.lumps.encode import codec_label, size_limit
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.plan.model import Encoding, Recipe


class Terms(NamedTuple):
    """What all lumps of a recipe share whose rule hands the source on."""

    cook_digest: Callable[[bytes], bytes]  # of a source's digest
    fourcc: int
    schema: int
    compress: Callable[[bytes], bytes] | None  # what it is tried with, unless that is costly
    costly: bool  # tried with what is slow, and kept in the store
    label: str  # codec_label
    limit: int  # raw bytes above which it is not compressed
    worth: int  # percent of the raw size that compressed bytes may have
    encoding: Encoding
    mark: str  # the same for equal terms: what is known of a lump made under them holds under these


def terms_of(recipe: Recipe) -> Terms:
    """The terms of a recipe."""
    encoding = recipe.encoding
    types = type_and_schema(recipe, None, None)
    return Terms(
        verbatim_cook_digest(recipe),
        *types,
        lz4.compressor(encoding.codec, encoding.level) if encoding.codec == "lz4" else None,
        encoding.codec in COSTLY,
        codec_label(encoding, 1),
        size_limit(encoding),
        100 - encoding.min_saving,
        encoding,
        digest(repr((recipe.rule_digest, recipe.options_text, types, tuple(encoding))).encode()).hex(),
    )
