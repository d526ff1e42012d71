"""The JSON that says what an archive was: the lump `.lumpyard/origin`, and the sidecar of an extracted folder.

    {"format": "PWAD", "signature": "PWAD",
     "layout": {"size": 94, "directory": 46, "outside": "absent", "digest": "…"},
     "entries": [
      {"name": "MAP01/THINGS", "raw_name": "5448494e4753", "offset": 12, "size": 10, "content_hash": "…"}]}

docs/convert.md explains each field. ASCII, one entry a line, fields in a fixed order: the same archive gives the
same bytes.
"""

from __future__ import annotations

import json
from typing import Any

from lumpyard.archives.opening import FORMATS
from lumpyard.convert.fields import Fields, unusable
from lumpyard.convert.model import OUTSIDE, Layout, Record, Recorded, SourceLump

_U16, _U32, _U64 = (1 << 16) - 1, (1 << 32) - 1, (1 << 64) - 1


def encode_record(record: Record) -> bytes:
    """The document of a record; `decode_record` gives the record back, but for labels."""
    head: dict[str, Any] = {"format": record.format, "signature": record.signature.decode("latin-1")}
    if record.layout is not None:
        head["layout"] = _layout_data(record.layout, ewad=record.format == "EWAD")
    entries = ",\n  ".join(json.dumps(_entry_data(lump, record.format)) for lump in record.lumps)
    lines = [f'"{key}": {json.dumps(value)}' for key, value in head.items()]
    return (
        "{" + ",\n ".join([*lines, f'"entries": [\n  {entries}]' if entries else '"entries": []']) + "}\n"
    ).encode()


def _layout_data(layout: Layout, *, ewad: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "size": layout.size,
        "directory": layout.directory_offset,
        "outside": layout.outside,
        "digest": layout.digest,
    }
    if layout.lost:
        data["lost"] = layout.lost
    if ewad:
        data["table"] = layout.table_offset
        data |= {"alignment": layout.alignment, "seed": layout.seed, "stripped": layout.stripped}
    return data


def _entry_data(lump: SourceLump, format_name: str) -> dict[str, Any]:
    data: dict[str, Any] = {"name": lump.path}
    if lump.file is not None and lump.file != lump.path:
        data["file"] = lump.file
    if format_name == "EWAD":
        if lump.path is None and lump.key is not None:
            data["key"] = f"{lump.key:016x}"
        data |= {"type": lump.fourcc, "schema": lump.schema}
    elif lump.name is not None:
        data["raw_name"] = lump.name.hex()
    if lump.kind is not None:
        data["kind"] = lump.kind
    recorded = lump.recorded
    if recorded is not None:
        data |= {"offset": recorded.offset, "size": recorded.stored_size}
        if recorded.compressed:
            data |= {"compressed": True, "raw_size": recorded.raw_size}
        data["content_hash"] = f"{recorded.content_hash:016x}"
    return data


def decode_record(data: bytes | memoryview, what: str) -> Record:
    """The record in a document; MalformedError (code `origin`) says what is wrong with `what`."""
    try:
        document = json.loads(bytes(data))
    except (ValueError, RecursionError) as error:
        raise unusable(what, f"it is not JSON ({error})") from None
    fields = Fields(document, what, "the document")
    format_name = fields.choice("format", FORMATS)
    signature = fields.four_bytes("signature")
    layout = None
    if fields.is_given("layout"):
        layout = _layout(fields.fields("layout"), ewad=format_name == "EWAD")
    ewad = format_name == "EWAD"
    lumps = tuple(
        _lump(Fields(item, what, f"entry {index}"), ewad=ewad)
        for index, item in enumerate(fields.items("entries"))
    )
    if len({lump.place for lump in lumps}) != len(lumps):
        raise unusable(what, "two of its entries have one name")
    return Record(format_name, signature, layout, lumps)


def _layout(fields: Fields, *, ewad: bool) -> Layout:
    layout = Layout(
        fields.number("size", _U64),
        fields.number("directory", _U64),
        fields.choice("outside", OUTSIDE),
        fields.text("digest"),
        fields.number("lost", _U64) if fields.is_given("lost") else 0,
    )
    if not ewad:
        return layout
    return layout._replace(
        table_offset=fields.number("table", _U64),
        alignment=fields.number("alignment", 1 << 30),
        seed=fields.number("seed", _U64),
        stripped=fields.flag("stripped"),
    )


def _lump(entry: Fields, *, ewad: bool) -> SourceLump:
    path = entry.name("name") if entry.is_given("name") else None
    file = entry.name("file") if entry.is_given("file") else None
    if path is None and file is None:
        raise entry.wrong("name", "a text")
    name = path if ewad else entry.hex("raw_name") if entry.is_given("raw_name") else None
    return SourceLump(
        label=entry.where,
        name=name,
        path=_text(path),
        raw_size=0,
        kind=entry.number("kind", 255) if entry.is_given("kind") else None,
        fourcc=entry.number("type", _U32) if ewad else 0,
        schema=entry.number("schema", _U16) if ewad else 0,
        key=entry.hash("key") if entry.is_given("key") else None,
        recorded=_recorded(entry) if entry.is_given("offset") else None,
        file=_text(file),
    )


def _recorded(entry: Fields) -> Recorded:
    size = entry.number("size", _U64)
    compressed = entry.is_given("compressed") and entry.flag("compressed")
    return Recorded(
        entry.number("offset", _U64),
        size,
        entry.number("raw_size", _U64) if compressed else size,
        entry.hash("content_hash"),
        compressed,
    )


def _text(name: bytes | None) -> str | None:
    return None if name is None else name.decode("utf-8", "surrogateescape")
