"""What a cook was found to depend on, and what it made: the payload of a COOKED record, UTF-8 JSON.

    asks      [[kind, subject, answer], ...]
    products  [[name, raw digest in hex, raw size, fourcc, schema], ...]; name, fourcc and schema may be null

Keys that are not known are left alone. JSON and not `marshal`, which trusts whatever it is given.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from lumpyard.store.digests import DIGEST_SIZE


class Ask(NamedTuple):
    """One thing that a rule asked its source for, and what it was told."""

    kind: str
    subject: str
    answer: str


class KeptProduct(NamedTuple):
    """One lump that a cook made; None where the product says nothing of it, and the manifest or the rule does."""

    name: str | None
    raw_digest: bytes
    raw_size: int
    fourcc: int | None  # u32
    schema: int | None


class CookedRecord(NamedTuple):
    """One set of answers, and the products that it leads to."""

    asks: tuple[Ask, ...]
    products: tuple[KeptProduct, ...]


def encode_cooked(record: CookedRecord) -> bytes:
    """Payload of a record."""
    products = [[one.name, one.raw_digest.hex(), *one[2:]] for one in record.products]
    document = {"asks": [list(ask) for ask in record.asks], "products": products}
    return json.dumps(document, separators=(",", ":"), sort_keys=True).encode()


def decode_cooked(payload: bytes) -> CookedRecord | None:
    """The record that a payload holds; None when it holds none."""
    try:
        document = json.loads(payload)
        asks = tuple(Ask(*map(_text, ask)) for ask in document["asks"])
        return CookedRecord(asks, tuple(map(_product, document["products"])))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _product(fields: list[object]) -> KeptProduct:
    name, raw_digest, raw_size, fourcc, schema = fields
    digest = bytes.fromhex(_text(raw_digest))
    if len(digest) != DIGEST_SIZE:
        raise ValueError("not a digest")
    return KeptProduct(
        None if name is None else _text(name),
        digest,
        _number(raw_size),
        None if fourcc is None else _number(fourcc),
        None if schema is None else _number(schema),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not text")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("not a size")
    return value
