"""What commands write: JSON documents, a piece at a time."""

from __future__ import annotations

import io
import json
import tracemalloc

import pytest

from lumpyard.cli.output import Output
from lumpyard.console.terminal import look_at


class _Counting(io.RawIOBase):
    """A file that keeps no byte."""

    size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        assert isinstance(data, bytes | memoryview)
        self.size += len(data)
        return len(data)


def output_to(raw: io.RawIOBase | io.BytesIO) -> Output:
    stream = io.TextIOWrapper(
        io.BufferedWriter(raw) if isinstance(raw, io.RawIOBase) else raw, encoding="utf-8"
    )
    return Output(stream, "standard output", look_at(stream, {}))


@pytest.mark.parametrize("value", [[], {}, None, "\udc80é", {"a": [1, 2, {"b": []}]}, list(range(3000))])
def test_a_document_is_the_same_however_many_pieces_it_has(value: object) -> None:
    found = io.BytesIO()
    out = output_to(found)
    out.json(value)
    out.flush()
    assert found.getvalue().decode("ascii") == json.dumps(value, indent=2) + "\n"


def test_a_long_document_is_never_whole_in_memory() -> None:
    value = [{"name": str(number), "list": [number] * 5} for number in range(20_000)]
    raw = _Counting()
    out = output_to(raw)
    tracemalloc.start()
    try:
        out.json(value)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    out.flush()
    assert raw.size > 2_000_000
    assert most < 300_000
