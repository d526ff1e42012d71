"""Blocks of LZ4 made again: the encoder that made them is found out, and not looked for without end."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from xxhash import xxh64_intdigest

from lumpyard import lz4
from lumpyard.convert.coding import Coder
from lumpyard.convert.model import Options, Plan, Recorded, Source, SourceLump

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

WORDS = [b"grass", b"stone", b"water", b"wall", b"door", b"lamp"]
TEXTS = [b" ".join(random.Random(seed).choices(WORDS, k=2000)) for seed in range(9)]


def recorded(text: bytes, block: bytes) -> Recorded:
    return Recorded(0, len(block), len(text), xxh64_intdigest(block), compressed=True)


def coder(blocks: list[bytes]) -> Coder:
    lumps = tuple(
        SourceLump("", b"x", "x", len(text), recorded=recorded(text, block))
        for text, block in zip(TEXTS, blocks, strict=True)
    )
    source = Source("EWAD", b"EWAD", lumps, lambda _: b"")
    return Coder(Plan(source, "EWAD", (b"x",) * len(lumps), Options(), (), ()))


@pytest.mark.parametrize("encoder", [("lz4", 0), ("lz4hc", 3), ("lz4hc", 9), ("lz4hc", 12)])
def test_the_encoder_of_a_block_is_found(encoder: tuple[str, int]) -> None:
    blocks = [lz4.compress(text, *encoder) for text in TEXTS]
    found = coder(blocks)
    for at, text in enumerate(TEXTS):
        stored = found.store(at, b"x", text)
        assert (stored.data, stored.compressed) == (blocks[at], True)


def test_each_lump_may_have_its_own() -> None:
    encoders = [("lz4", 0), ("lz4hc", 9), ("lz4hc", 12)] * 3
    blocks = [lz4.compress(text, *encoder) for text, encoder in zip(TEXTS, encoders, strict=True)]
    found = coder(blocks)
    assert [found.store(at, b"x", text).data for at, text in enumerate(TEXTS)] == blocks


def test_blocks_of_another_library_are_not_looked_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, int]] = []
    real: Callable[[Buffer, str, int], bytes] = lz4.compress

    def counted(raw: Buffer, codec: str, level: int = 0) -> bytes:
        calls.append((codec, level))
        return real(raw, codec, level)

    monkeypatch.setattr(lz4, "compress", counted)
    found = coder([b"not a block of ours"] * len(TEXTS))
    for at, text in enumerate(TEXTS):
        stored = found.store(at, b"x", text)
        assert stored.compressed
        assert lz4.decompress(stored.data, len(text)) == text
    assert len(calls) < 60
