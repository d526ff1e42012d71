"""The ledger: what is written is read back, any name fits on a line, and what is wrong is named by place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError
from lumpyard.ledger import Ledger, LedgerLump, parse_ledger, render_ledger

COLUMNS = (
    "key name fourcc schema flags offset stored_size raw_size content_hash raw_digest cook_digest set source"
).replace(" ", "\t")
HEADER = {"archive": "base", "archive-hash": "00112233445566ff", "seed": "0"}
LUMPS = (
    LedgerLump(
        key=0x0123456789ABCDEF,
        name="maps/e1.map",
        fourcc=0x54584554,
        schema=2,
        flags=1,
        offset=448,
        stored_size=5,
        raw_size=9,
        content_hash=0xEF46DB3751D8E999,
        raw_digest=b"\xab" * 32,
        cook_digest=b"\x01" * 32,
        set="maps",
        source="assets/maps/e1.map",
    ),
    LedgerLump(key=0xFFFFFFFFFFFFFFFF, name="a\tb\\\udcff", fourcc=7, source="one\ntwo"),
)
# The test's own writing of the two above.
FIRST = (
    "0123456789abcdef\tmaps/e1.map\tTEXT\t2\t1\t448\t5\t9\tef46db3751d8e999"
    f"\t{'ab' * 32}\t{'01' * 32}\tmaps\tassets/maps/e1.map"
)
SECOND = "ffffffffffffffff\ta\\tb\\\\\\xff\t0x00000007\t0\t0\t0\t0\t0\t0000000000000000\t\t\t\tone\\ntwo"
TEXT = f"""\
EWSYM 1
archive: base
archive-hash: 00112233445566ff
seed: 0

{COLUMNS}
{FIRST}
{SECOND}
"""

texts = st.binary(max_size=12).map(lambda data: data.decode("utf-8", "surrogateescape"))
u64 = st.integers(0, 2**64 - 1)
digests = st.just(b"") | st.binary(min_size=32, max_size=32)
lumps = st.builds(
    LedgerLump,
    key=u64,
    name=texts,
    fourcc=st.integers(0, 2**32 - 1)
    | st.sampled_from([int.from_bytes(word, "little") for word in (b"TEXT", b"0x\\ ", b"    ")]),
    schema=st.integers(0, 65535),
    flags=st.integers(0, 65535),
    offset=u64,
    stored_size=u64,
    raw_size=u64,
    content_hash=u64,
    raw_digest=digests,
    cook_digest=digests,
    set=texts,
    source=texts,
)
headers = st.dictionaries(st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True), texts, max_size=4)


def fails(text: str | bytes) -> str:
    """The message with which a ledger is refused."""
    with pytest.raises(MalformedError) as caught:
        parse_ledger(text if isinstance(text, bytes) else text.encode(), "base.ewsym")
    assert caught.value.code == "ledger"
    message = str(caught.value)
    assert "\n" not in message
    return message


@given(headers, st.lists(lumps, max_size=5, unique_by=lambda lump: lump.key))
def test_what_is_rendered_is_parsed_again(header: dict[str, str], some: list[LedgerLump]) -> None:
    data = render_ledger(header, some)
    parsed = parse_ledger(data)
    assert parsed == Ledger(header, tuple(some))
    assert list(parsed.header) == list(header)


@given(st.lists(lumps, max_size=5, unique_by=lambda lump: lump.key))
def test_any_name_fits_on_a_line_however_lines_are_split(some: list[LedgerLump]) -> None:
    """ "Names and sources are escaped (`\\t \\n \\r \\\\ \\xNN`), so that any name fits on a line"."""
    data = render_ledger({}, some)
    assert len(data.decode().splitlines()) == 3 + len(some)
    assert all(line.count("\t") == 12 for line in data.decode().splitlines()[2:])


def test_the_text_is_what_the_design_says() -> None:
    """ "First line `EWSYM 1`; then `key: value` lines …; an empty line; a line of column names; then one
    tab-separated line per lump in directory order: key, name, fourcc, schema, flags, offset, stored_size,
    raw_size, content_hash, raw_digest, cook_digest, set, source".
    """
    assert render_ledger(HEADER, LUMPS) == TEXT.encode()
    assert parse_ledger(TEXT.encode()) == Ledger(HEADER, LUMPS)


def test_names_by_key_gives_the_names_back() -> None:
    assert parse_ledger(TEXT.encode()).names_by_key() == {lump.key: lump.name for lump in LUMPS}


def test_a_ledger_without_lumps_is_a_ledger() -> None:
    data = render_ledger({}, [])
    assert data == f"EWSYM 1\n\n{COLUMNS}\n".encode()
    assert parse_ledger(data) == Ledger()


@pytest.mark.parametrize(
    "hidden", ["\x1b[31m", "\x7f", "\x9b", "\x85", "\u2028", "\u202e", "\u2066", "\u200f", "\u061c"]
)
def test_no_name_reaches_a_terminal_raw(hidden: str) -> None:
    data = render_ledger({"archive": hidden}, [LedgerLump(1, f"a{hidden}b", source=hidden)])
    assert hidden[0] not in data.decode()
    parsed = parse_ledger(data)
    assert (parsed.header["archive"], parsed.lumps[0].name, parsed.lumps[0].source) == (
        hidden,
        f"a{hidden}b",
        hidden,
    )


def test_columns_and_keys_that_are_not_known_are_passed_over() -> None:
    """ "readers ignore columns and keys they don't know"."""
    text = "EWSYM 1\nlater: x\n\nnew\tname\tkey\n1\ta\t0000000000000001\n"
    assert parse_ledger(text.encode()) == Ledger({"later": "x"}, (LedgerLump(1, "a"),))


def test_crlf_is_read() -> None:
    assert parse_ledger(TEXT.replace("\n", "\r\n").encode()) == Ledger(HEADER, LUMPS)


def test_every_truncation_is_refused_or_ends_at_a_line() -> None:
    for end in range(len(TEXT)):
        cut = TEXT[:end]
        if cut.endswith("\n") and cut.count("\n") >= 6:
            assert parse_ledger(cut.encode()).lumps == LUMPS[: cut.count("\n") - 6]
        else:
            assert fails(cut).startswith("base.ewsym:")


@pytest.mark.parametrize("bit", [0x01, 0x10, 0x80])
def test_every_flipped_byte_is_a_ledger_or_refused(bit: int) -> None:
    for at in range(len(TEXT)):
        data = bytearray(TEXT.encode())
        data[at] ^= bit
        try:
            parse_ledger(bytes(data))
        except ArchiveError as error:
            assert error.code in {"ledger", "ledger-version"}  # noqa: PT017


@pytest.mark.parametrize("version", ["2", "10"])
def test_a_newer_version_is_unsupported(version: str) -> None:
    with pytest.raises(
        UnsupportedError, match=f"base.ewsym: ledger version {version} is newer than 1"
    ) as caught:
        parse_ledger(f"EWSYM {version}\nwho knows".encode() + b"\n", "base.ewsym")
    assert caught.value.code == "ledger-version"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("EWSYM 1", "EWSYM 0", "base.ewsym:1: a ledger starts with 'EWSYM 1', this with 'EWSYM 0'"),
        ("EWSYM 1", "EWSYM", "base.ewsym:1: a ledger starts with 'EWSYM 1', this with 'EWSYM'"),
        ("seed: 0", "seed", "base.ewsym:4: 'seed' is not a new 'key: value'"),
        ("seed: 0", "archive: 0", "base.ewsym:4: 'archive: 0' is not a new 'key: value'"),
        ("seed: 0", r"seed: \0", r"base.ewsym:4: in ' \\0' a backslash starts no escape"),
        (
            "key\tname",
            "key\tkey",
            "base.ewsym:6: here the columns are named, each once, 'key' and 'name' among them",
        ),
        (
            "key\tname",
            "ke\tname",
            "base.ewsym:6: here the columns are named, each once, 'key' and 'name' among them",
        ),
        (FIRST, FIRST + "\t", "base.ewsym:7: 14 values for 13 columns"),
        (FIRST, "", "base.ewsym:7: 1 values for 13 columns"),
        ("\t448\t", "\t44.8\t", "base.ewsym:7: offset '44.8' is not a number"),
        ("\t448\t", "\t\t", "base.ewsym:7: offset '' is not a number"),
        ("\t448\t", "\t٣\t", "base.ewsym:7: offset '٣' is not a number"),
        ("\t448\t", f"\t{'4' * 5000}\t", f"base.ewsym:7: offset {'4' * 80!r} is not a number"),
        ("\tTEXT\t", "\tTEXTS\t", "base.ewsym:7: fourcc 'TEXTS' is not a fourcc"),
        ("ffffffffffffffff", "fffffffffffffff ", "base.ewsym:8: key 'fffffffffffffff ' is not 16 hex digits"),
        ("ffffffffffffffff", "0123456789abcdef", "base.ewsym:8: key 0123456789abcdef is there twice"),
        ("ab" * 32, "ab" * 31, f"base.ewsym:7: raw_digest {'ab' * 31!r} is not 64 hex digits"),
        ("ab" * 32, "xy" * 32, f"base.ewsym:7: raw_digest {'xy' * 32!r} is not 64 hex digits"),
        (
            r"\\\xff",
            r"\\\xfg",
            r"base.ewsym:8: name 'a\\tb\\\\\\xfg' is not escaped right: a backslash starts no escape",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old: str, new: str, message: str) -> None:
    assert old in TEXT
    assert fails(TEXT.replace(old, new, 1)) == message


def test_bytes_that_are_not_utf8_are_named_with_their_line() -> None:
    assert fails(TEXT.encode().replace(b"maps/e1", b"maps\xff", 1)) == "base.ewsym:7: byte 0xff is not UTF-8"


def test_an_archive_is_told_from_a_ledger() -> None:
    says = r"base.ewsym:1: a ledger starts with 'EWSYM 1', this with 'EWAD\x02\xe8'"
    assert fails(b"EWAD\x02\xe8\n\xff") == says


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"EWAD\x02", b"EWSYM 1", b"EWSYM 1\n", b"EWSYM 1\n\n", b"EWSYM 1\n\n\n", b"\xff"]
)
def test_what_is_no_ledger_is_refused(data: bytes) -> None:
    assert fails(data).startswith("base.ewsym:")
