"""Rule `sound`: whatever the bytes, an answer, never an exception; valid files pass with their bytes."""

from __future__ import annotations

from struct import pack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import sounds as make
from tests.builders.source import FakeSource, cooked

from lumpyard_rules.sound import RULE
from lumpyard_rules.sound.flac import check_flac
from lumpyard_rules.sound.ogg import check_ogg
from lumpyard_rules.sound.wav import check_wav

VORBIS, OPUS = make.vorbis_ident(), make.opus_ident()
SKELETON = make.ogg_page([b"fishead\0" + bytes(56)], flags=2, serial=1)

VALID: dict[str, bytes] = {
    "mono.wav": make.wav(),
    "upper.WAV": make.wav(),
    "stereo.wav": make.wav(33, 44100, 2, 16),
    "odd.wav": make.wav(33),
    "list.wav": make.wav(extra=make.chunk(b"LIST", b"INFOISFT\x05\0\0\0test\0")),
    "float.wav": make.riff(make.wav_format(48000, 1, 32, 3), make.chunk(b"data", bytes(40))),
    "surround.wav": make.wav_extensible(),
    "adpcm.wav": make.riff(
        make.chunk(b"fmt ", pack("<HHIIHHHH", 0x11, 1, 22050, 11100, 256, 4, 2, 505)),
        make.chunk(b"fact", pack("<I", 22050)),
        make.chunk(b"data", bytes(300)),
    ),
    "bext.wav": make.riff(make.chunk(b"bext", bytes(603)), make.wav_format(), make.chunk(b"data", bytes(2))),
    "vorbis.ogg": make.ogg(VORBIS),
    "opus.opus": make.ogg(OPUS),
    "opus.ogg": make.ogg(make.opus_ident(6, mapping=1)),
    "skeleton.ogg": SKELETON + make.ogg(VORBIS),
    "chained.ogg": make.ogg(VORBIS, serial=1) + make.ogg(VORBIS, serial=2),
    "short.flac": make.flac(),
    "tagged.flac": make.flac(None, make.flac_block(4, bytes(40)), make.flac_block(6, bytes(70000))),
    "unknown-length.flac": make.flac(make.flac_streaminfo(samples=0)),
}


@pytest.mark.parametrize("name", VALID)
def test_a_valid_sound_passes_unchanged(name: str) -> None:
    source, data = cooked(RULE, f"audio/{name}", VALID[name])
    assert source.reported == []
    assert data == VALID[name]


@pytest.mark.parametrize("name", [name for name in VALID if not name.endswith((".flac", ".ogg", ".opus"))])
def test_a_truncated_wav_is_refused_at_every_length(name: str) -> None:
    """A padding byte at the end may be left out: many programs do."""
    whole = VALID[name]
    for end in range(len(whole) - (name == "odd.wav")):
        source, _ = cooked(RULE, name, whole[:end])
        assert source.errors, f"{name} passes with {end} of {len(whole)} bytes"


@pytest.mark.parametrize("name", [name for name in VALID if name.endswith((".ogg", ".opus"))])
def test_a_truncated_ogg_is_refused_or_told_at_every_length(name: str) -> None:
    """Cut between pages it is a shorter valid file; only a warning says that its stream does not end."""
    whole = VALID[name]
    for end in range(len(whole)):
        source, _ = cooked(RULE, name, whole[:end])
        cut_between_chained = whole[end : end + 6] == b"OggS\0\2" and name == "chained.ogg" and end
        assert source.reported or cut_between_chained, f"{name} passes with {end} of {len(whole)} bytes"


@pytest.mark.parametrize("name", [name for name in VALID if name.endswith(".flac")])
def test_a_flac_is_refused_when_cut_before_its_first_frame(name: str) -> None:
    whole = VALID[name]
    frames = whole.rindex(b"\xff\xf8")
    for end in (*range(min(frames, 300)), frames, frames + 1):
        source, _ = cooked(RULE, name, whole[:end])
        assert source.errors, f"{name} passes with {end} of {len(whole)} bytes"


@pytest.mark.parametrize("name", VALID)
def test_a_flipped_byte_gives_an_answer_wherever_it_is(name: str) -> None:
    for at in range(min(len(VALID[name]), 500)):
        for flip in (0x01, 0x80, 0xFF):
            data = bytearray(VALID[name])
            data[at] ^= flip
            cooked(RULE, name, bytes(data), rates=(44100,), channels=(1,), max_seconds=1.0)


@given(
    start=st.sampled_from(
        [b"", *{data[:12] for data in VALID.values()}, *{data[:60] for data in VALID.values()}]
    ),
    data=st.binary(max_size=300),
    suffix=st.sampled_from([*sorted(RULE.suffixes), ".bin"]),
)
def test_any_bytes_give_an_answer(start: bytes, data: bytes, suffix: str) -> None:
    source, out = cooked(RULE, f"a{suffix}", start + data, max_seconds=1.0)
    assert out == start + data
    assert all("\n" not in report.message for report in source.reported)


DATA = make.chunk(b"data", bytes(8))
BROKEN: list[tuple[str, bytes, str]] = [
    ("a.wav", b"", "not a WAV: the file starts with nothing (it is empty)"),
    ("a.wav", b"ID3\x04" + bytes(20), "the file starts with an ID3 tag"),
    ("a.wav", b"RIFX" + bytes(20), "RIFX is big-endian WAV"),
    ("a.wav", b"RF64" + bytes(20), "RF64 is WAV above 4 GiB"),
    ("a.wav", b"RIFF", "inside the RIFF header"),
    ("a.wav", make.riff(kind=b"AVI "), "the RIFF file is of type 'AVI ', not 'WAVE'"),
    ("a.wav", b"RIFF\xff\xff\xff\xff" + make.wav()[8:], "the RIFF size is 4294967295, as programs leave it"),
    (
        "a.wav",
        b"RIFF\0\0\0\0" + make.wav()[8:],
        "the RIFF size is 0, as programs leave it that write to a pipe",
    ),
    ("a.wav", b"RIFF\2\0\0\0WAVE", "the RIFF size is 2, below 4"),
    ("a.wav", make.riff(DATA), "there is no 'fmt ' chunk"),
    ("a.wav", make.riff(make.wav_format()), "there is no 'data' chunk"),
    ("a.wav", make.riff(DATA, make.wav_format()), "the 'data' chunk stands before the 'fmt ' chunk"),
    ("a.wav", make.riff(make.wav_format(), DATA, DATA), "a second chunk 'data' at offset 52"),
    ("a.wav", make.riff(make.wav_format(), DATA, b"abc"), "3 bytes at offset 52 are too few"),
    ("a.wav", make.riff(make.chunk(b"fmt ", bytes(14)), DATA), "'fmt ' chunk has 14 bytes, below 16"),
    ("a.wav", make.riff(make.wav_format(codec=0xFFFE), DATA), "extensible format has 16 bytes, below 40"),
    ("a.wav", make.riff(make.wav_format(channels=0), DATA), "says 0 channels"),
    ("a.wav", make.riff(make.wav_format(rate=0), DATA), "says 0 samples a second"),
    (
        "a.wav",
        make.riff(make.wav_format(bits=16, channels=3), DATA),
        "8 bytes of data are not whole frames of 6",
    ),
    (
        "a.wav",
        make.riff(make.wav_format(bits=24, codec=3), DATA),
        "float samples of 24 bits; 32 and 64 exist",
    ),
    (
        "a.wav",
        make.riff(make.chunk(b"fmt ", pack("<HHIIHH", 1, 2, 9, 36, 3, 16)), DATA),
        "frames of 3 bytes; 2 channels",
    ),
    (
        "a.wav",
        make.riff(make.chunk(b"fmt ", pack("<HHIIHH", 1, 2, 9, 35, 4, 16)), DATA),
        "35 bytes a second; 9 frames",
    ),
    ("a.ogg", make.ogg(VORBIS)[:-1], "the file ends inside the page at offset 723"),
    ("a.ogg", make.ogg(VORBIS) + b"tail", "a page is expected at offset"),
    ("a.ogg", make.ogg(VORBIS).replace(b"vorbis", b"vorbit", 1), "CRC of the page at offset 0 is 0x"),
    ("a.ogg", make.ogg_page([b""], flags=2), "the first page of stream 7 is empty"),
    ("a.ogg", make.ogg_page([b"x" * 40]), "the file holds no start of a stream; Vorbis or Opus is expected"),
    ("a.ogg", make.ogg(b"\x80theora" + bytes(35)), "the file holds Theora video; Vorbis or Opus is expected"),
    ("a.ogg", make.ogg(b"mystery."), "a codec that starts with 6d 79 73 74 65 72 79 2e"),
    ("a.ogg", make.ogg(VORBIS + b"x"), "the Vorbis identification has 31 bytes, not 30"),
    ("a.ogg", make.ogg_page([VORBIS, b"more"], flags=2), "the Vorbis identification is not alone"),
    ("a.ogg", make.ogg(make.vorbis_ident(channels=0)), "says 0 channels"),
    ("a.ogg", make.ogg(make.vorbis_ident(rate=0)), "says 0 samples a second"),
    ("a.ogg", make.ogg(make.vorbis_ident(blocks=0x8B)), "block sizes 2^11 and 2^8"),
    ("a.ogg", make.ogg(make.vorbis_ident(framing=0)), "framing bit"),
    ("a.ogg", make.ogg(make.opus_ident(3)), "3 channels with Opus mapping 0"),
    ("a.ogg", make.ogg(make.opus_ident()[:12]), "the Opus identification has 12 bytes, below 19"),
    ("a.ogg", make.ogg(make.opus_ident(6, mapping=1)[:20]), "6 channels need 27"),
    ("a.flac", make.flac(bytes(33)), "STREAMINFO has 33 bytes, not 34"),
    ("a.flac", b"fLaC" + make.flac_block(4, bytes(34), last=True), "metadata block 0 has type 4"),
    ("a.flac", make.flac(None, make.flac_block(0, make.flac_streaminfo())), "metadata block 1 has type 0"),
    ("a.flac", make.flac(None, make.flac_block(127, b"")), "type 127 at offset 42 is not allowed"),
    ("a.flac", make.flac(None, b"\x04\xff\xff\xff"), "has size 16777215, but"),
    ("a.flac", make.flac(bytes(34)), "blocks of 0 to 0 samples"),
    ("a.flac", make.flac(make.flac_streaminfo(bits=2)), "2 bits a sample"),
    (
        "a.flac",
        make.flac().replace(b"\xff\xf8", b"\xff\xf0"),
        "a frame (FFF8 or FFF9) is expected at offset 54, found",
    ),
    ("a.bin", b"neither", "the bytes are no WAV, Ogg or FLAC"),
]


@pytest.mark.parametrize(("name", "data", "message"), BROKEN, ids=[message for _, _, message in BROKEN])
def test_a_broken_sound_is_refused_by_name(name: str, data: bytes, message: str) -> None:
    source, _ = cooked(RULE, name, data)
    assert len(source.errors) == 1
    assert message in source.errors[0]


def test_a_riff_size_that_is_too_small_is_a_warning() -> None:
    """MATLAB writes extensible formats so; everything plays them."""
    whole = make.wav(200)
    source, _ = cooked(RULE, "a.wav", whole[:4] + pack("<I", len(whole) - 8 - 12) + whole[8:])
    assert source.errors == []
    assert "the RIFF size ends the sound at offset 232, but its chunks reach to 244" in source.warnings[0]


def test_bytes_behind_the_riff_are_a_warning() -> None:
    source, _ = cooked(RULE, "a.wav", make.wav() + b"TAG" + bytes(125))
    assert source.errors == []
    assert source.warnings == ["128 bytes stand behind the end of the sound; they ship with it"]


def test_a_stream_that_does_not_end_is_a_warning() -> None:
    whole = make.ogg(VORBIS)
    source, _ = cooked(RULE, "a.ogg", whole[: whole.rindex(b"OggS")])
    assert source.errors == []
    assert source.warnings == ["the last page does not end its stream; the file may be cut off"]


def test_a_wav_whose_last_padding_is_missing_passes() -> None:
    source, _ = cooked(RULE, "a.wav", make.wav(33)[:-1])
    assert source.reported == []


@pytest.mark.parametrize(
    ("path", "data", "message"),
    [
        ("a.wav", make.ogg(VORBIS), "the name says WAV, the bytes are OGG"),
        ("a.OGG", make.flac(), "the name says OGG, the bytes are FLAC"),
    ],
)
def test_bytes_and_suffix_must_agree(path: str, data: bytes, message: str) -> None:
    source, _ = cooked(RULE, path, data)
    assert source.errors == [message]


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (make.wav(), {"rates": (22050, 44100)}, ""),
        (
            make.wav(),
            {"rates": (11025, 44100)},
            "22050 samples a second; the option `rates` allows 11025 or 44100",
        ),
        (make.wav(), {"channels": (1,)}, ""),
        (make.wav(), {"channels": (2,)}, "1 channels; the option `channels` allows 2"),
        (make.wav(22050), {"max_seconds": 1.0}, ""),
        (make.wav(22051), {"max_seconds": 1.0}, "1.00005 seconds; the option `max_seconds` allows 1"),
        (make.wav(), {"formats": ("ogg",)}, "WAV is not allowed here; the option `formats` says ogg"),
    ],
)
def test_options_say_which_sounds_may_ship(data: bytes, options: dict[str, Any], message: str) -> None:
    source, _ = cooked(RULE, "a.wav", data, **options)
    assert source.errors == ([message] if message else [])


def test_a_sound_that_does_not_say_its_length_gets_a_warning() -> None:
    source, _ = cooked(RULE, "a.flac", VALID["unknown-length.flac"], max_seconds=1.0)
    assert source.errors == []
    assert "does not say how long it is" in source.warnings[0]


def test_lengths_are_what_the_formats_say() -> None:
    assert check_wav(make.wav(22050)).seconds == 1.0
    assert check_wav(make.wav_extensible(24000)).seconds == 0.5
    assert check_wav(VALID["adpcm.wav"]).seconds == 1.0
    assert check_ogg(make.ogg(VORBIS, 22050)).seconds == 0.5
    assert check_ogg(VALID["chained.ogg"]).seconds == 2.0
    # RFC 7845, section 4: positions count at 48 kHz, and what is skipped at the start is not heard.
    assert check_ogg(make.ogg(OPUS, 48312)).seconds == 1.0
    assert check_flac(make.flac(make.flac_streaminfo(8000, samples=4000))).seconds == 0.5


def test_flac_fields_come_from_their_bits() -> None:
    clip = check_flac(make.flac(make.flac_streaminfo(655350, 8, 32, (1 << 36) - 1)))
    assert (clip.rate, clip.channels) == (655350, 8)


def test_values_that_no_sound_has_are_refused_as_options() -> None:
    assert RULE.options().check() == ""
    assert RULE.options(rates=(44100, 0)).check() == "rates holds 0; each must be 1 or more"
    assert RULE.options(channels=(-1,)).check() == "channels holds -1; each must be 1 or more"
    assert "max_seconds" in RULE.options(max_seconds=-1.0).check()
    assert "max_seconds" in RULE.options(max_seconds=float("nan")).check()


def test_gathered_sounds_are_refused() -> None:
    sources = [FakeSource("a.wav", make.wav()), FakeSource("b.wav", make.wav())]
    RULE.cook(sources, RULE.options())
    assert "but a.wav was gathered into the same lump" in sources[1].errors[0]
