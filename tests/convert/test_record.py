"""The JSON of the origin lump and of the sidecar: what is written is read, and nothing else is believed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.convert.model import OUTSIDE, Layout, Record, Recorded, SourceLump
from lumpyard.convert.record import decode_record, encode_record
from lumpyard.errors import MalformedError

u64 = st.integers(0, 2**64 - 1)
raw_names = st.binary(min_size=1, max_size=12)
texts = raw_names.map(lambda name: name.decode("utf-8", "surrogateescape"))
layouts = st.tuples(u64, u64, st.sampled_from(OUTSIDE), st.just("ab" * 32), st.integers(0, 2**32)).map(
    lambda fields: Layout(*fields)
)
plain = st.builds(lambda offset, size, found: Recorded(offset, size, size, found), u64, u64, u64)
packed = st.builds(Recorded, u64, u64, u64, u64, st.just(True))
ewad_lumps = st.tuples(texts, st.integers(0, 2**32 - 1), st.integers(0, 65535), plain | packed)
old_lumps = st.tuples(
    st.none() | raw_names,
    texts,
    st.none() | st.integers(0, 255),
    st.none() | plain | packed,
    st.none() | texts.map(lambda text: f"files/{text}"),
).map(lambda fields: SourceLump("", fields[0], fields[1], 0, fields[2], 0, 0, None, fields[3], fields[4]))


@given(
    st.sampled_from(["IWAD", "WAD3", "PAK", "DAIKATANA", "MPQ"]),
    st.none() | layouts,
    st.lists(old_lumps, max_size=4, unique_by=lambda lump: lump.place),
)
def test_what_is_encoded_is_decoded(format_name: str, layout: Layout | None, lumps: list[SourceLump]) -> None:
    record = Record(format_name, b"\xff\0A\x1a", layout, tuple(lumps))
    data = encode_record(record)
    assert data.isascii()
    assert data.endswith(b"}\n")
    assert _unlabelled(decode_record(data, "it")) == record


@given(u64, st.integers(0, 2**30), st.lists(ewad_lumps, max_size=4, unique_by=lambda lump: lump[0]), u64)
def test_what_is_encoded_of_an_ewad_is_decoded(
    seed: int, alignment: int, lumps: list[tuple[str, int, int, Recorded]], key: int
) -> None:
    layout = Layout(100, 64, "zero", "", 0, 120, alignment, seed, stripped=True)
    named = [
        SourceLump("", name.encode("utf-8", "surrogateescape"), name, 0, None, fourcc, schema, None, recorded)
        for name, fourcc, schema, recorded in lumps
    ]
    keyed = SourceLump("", None, None, 0, key=key, file="\0file")
    record = Record("EWAD", b"EWAD", layout, (*named, keyed))
    assert _unlabelled(decode_record(encode_record(record), "it")) == record


def _unlabelled(record: Record) -> Record:
    return record._replace(lumps=tuple(lump._replace(label="", raw_size=0) for lump in record.lumps))


SOUND = encode_record(
    Record(
        "WAD3",
        b"WAD3",
        Layout(90, 58, "data", "00" * 32, 3),
        (
            SourceLump(
                "", b"A\0x", "A", 0, 0x43, recorded=Recorded(12, 5, 9, 77, compressed=True), file="%41"
            ),
        ),
    )
)


def test_every_truncation_is_malformed() -> None:
    for end in range(len(SOUND) - 2):  # the last two are the brace and the line end
        with pytest.raises(MalformedError, match="cannot be used"):
            decode_record(SOUND[:end], "it")


WRONG: list[Any] = [[], {}, -1, 1.5, 2**64, "\ud800", "zz", True]
FREE_TEXTS = {"digest", "name", "file"}  # fields that may be any text that can be a name


def test_every_field_of_another_type_is_malformed() -> None:
    document = json.loads(SOUND)
    entry = document["entries"][0]
    for holder in (document, document["layout"], entry):
        for key, kept in holder.items():
            for value in WRONG:
                if type(value) is type(kept) and (value is True or value == [] or key in FREE_TEXTS):
                    continue
                holder[key] = value
                with pytest.raises(MalformedError) as caught:
                    decode_record(json.dumps(document).encode(), "it")
                assert caught.value.code == "origin", (key, value)
            holder[key] = kept
    assert encode_record(decode_record(json.dumps(document).encode(), "it")) == SOUND


@given(st.binary(max_size=60))
def test_any_bytes_are_malformed(data: bytes) -> None:
    with pytest.raises(MalformedError):
        decode_record(data, "it")
