"""Archives that `smpq` (StormLib) makes now: we read what went in, and what its own extraction gives."""

from __future__ import annotations

import math
import random
import struct
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.builders import judges

from lumpyard.archives.mpq.reader import view
from lumpyard.archives.verifying import verify_archive
from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lumpyard.archives.mpq.reader import MpqView

VERSIONS = (1, 2, 3, 4)
METHODS = (
    *("none", "IMPLODE", "PKWARE", "HUFFMANN", "ZLIB", "BZIP2", "SPARSE", "ZLIB+PKWARE", "BZIP2+PKWARE"),
    *("SPARSE+ZLIB", "SPARSE+PKWARE", "SPARSE+BZIP2", "SPARSE+ZLIB+PKWARE", "SPARSE+BZIP2+PKWARE"),
)
# From version 2 on StormLib refuses to read these sets of methods, also where it has written them itself.
REFUSED = {
    "HUFFMANN",
    "ZLIB+PKWARE",
    "BZIP2+PKWARE",
    "SPARSE+PKWARE",
    "SPARSE+ZLIB+PKWARE",
    "SPARSE+BZIP2+PKWARE",
}


def wav(channels: int, samples: int) -> bytes:
    """A sound of 16-bit samples: a tone that swells, stops and starts again, with some noise."""
    rng = random.Random(channels)
    tone = [
        round(12000 * math.sin(at / 11) * math.sin(at / 900)) * (at // 1500 % 3 != 2) + rng.randrange(-50, 50)
        for at in range(samples * channels)
    ]
    data = struct.pack(f"<{len(tone)}h", *tone)
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, channels, 22050, 44100 * channels, 2 * channels, 16)
    return (
        b"RIFF"
        + struct.pack("<I", 36 + len(data))
        + b"WAVE"
        + form
        + b"data"
        + struct.pack("<I", len(data))
        + data
    )


TEXT = "".join(
    f"unit {number}: armor {number * number % 31}, speed {270 + number % 9}\r\n" for number in range(400)
)
FILES = {
    "war3map.j": TEXT.encode(),
    "Units/Human/data.slk": TEXT[::-1].encode() + bytes(9000),
    "zeros.bin": bytes(20_000),
    "noise.bin": random.Random(7).randbytes(9000),
    "one": b"1",
    "empty": b"",
    "exact.bin": (TEXT * 2)[:8192].encode(),
}
SOUNDS = {"Sound/mono.wav": wav(1, 9000), "Sound/stereo.wav": wav(2, 5001), "Sound/short.wav": wav(1, 3)}


def smpq(folder: Path, *words: str) -> None:
    subprocess.run(
        [judges.program("smpq", "smpq"), "-q", *words], cwd=folder, check=True, capture_output=True
    )


def make(folder: Path, files: dict[str, bytes], *options: str) -> bytes:
    """An archive of some files by smpq."""
    for name, data in files.items():
        path = folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    smpq(folder / "in", "-c", "-f", *options, "../made.mpq", *files)
    return (folder / "made.mpq").read_bytes()


def extraction(folder: Path) -> dict[str, bytes]:
    """What smpq extracts; a file that it cannot read is shorter than it should be."""
    out = folder / "out"
    out.mkdir()
    smpq(out, "-x", "../made.mpq")
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def read_all(data: bytes) -> dict[str, bytes]:
    """By name with forward slashes, without the archive's own files."""
    archive = view(data)
    assert archive.warnings == []
    assert verify_archive(archive) == []
    found = {}
    for index, lump in enumerate(archive.lumps):
        assert lump.name is not None
        if not lump.name.startswith(b"("):
            found[lump.name.decode().replace("\\", "/")] = bytes(archive.read(index))
    return found


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_what_went_in_and_what_smpq_extracts(
    tmp_path: Path, version: int, method: str
) -> None:
    assert read_all(make(tmp_path, FILES, "-M", str(version), "-C", method)) == FILES
    if version == 1 or method not in REFUSED:
        assert extraction(tmp_path) == FILES


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("sound", ["MONO", "STEREO"])
@pytest.mark.parametrize("options", [[], ["-E"], ["-E", "-F"], ["-S"]])
def test_sounds_are_what_smpq_extracts(
    tmp_path: Path, version: int, sound: str, options: Sequence[str]
) -> None:
    """It is lossy: about what went in, and exactly what StormLib makes of it."""
    name = f"Sound/{sound.lower()}.wav"
    files = {name: SOUNDS[name], "Sound/short.wav": SOUNDS["Sound/short.wav"]}
    data = make(tmp_path, files, "-M", str(version), "-C", f"HUFFMANN+ADPCM_{sound}", *options)
    found = read_all(data)
    assert found == extraction(tmp_path)
    assert found[name] != files[name]
    assert len(data) < len(files[name])
    assert {name: len(raw) for name, raw in found.items()} == {name: len(raw) for name, raw in files.items()}


@pytest.mark.parametrize("sound", ["MONO", "STEREO"])
def test_the_last_byte_of_an_odd_sector_that_smpq_lost_is_not_made_up(tmp_path: Path, sound: str) -> None:
    """ADPCM has samples of two bytes; StormLib drops the odd one, and reads a zero in its place."""
    whole = SOUNDS["Sound/mono.wav"][:9001]
    archive = view(make(tmp_path, {"odd.wav": whole}, "-M", "1", "-C", f"HUFFMANN+ADPCM_{sound}"))
    with pytest.raises(
        MalformedError, match="sector 2: the sector decodes to 808 bytes, not to the 809"
    ) as caught:
        read(archive, "odd.wav")
    assert caught.value.code == "size"
    assert extraction(tmp_path)["odd.wav"][-1:] == b"\0" != whole[-1:]


OPTIONS = {
    "encrypted": ["-E"],
    "encrypted, key fixed": ["-E", "-F"],
    "checksums": ["-S"],
    "all of these": ["-E", "-F", "-S"],
    "single units": ["-U"],
    "no attributes": ["-A"],
    "many places": ["-m", "4096"],
    "no compression, encrypted": ["-C", "none", "-E"],
    "no compression, encrypted, key fixed": ["-C", "none", "-E", "-F"],
    "imploded, encrypted": ["-C", "IMPLODE", "-E", "-F"],
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("options", OPTIONS)
def test_every_option_gives_what_went_in_and_what_smpq_extracts(
    tmp_path: Path, version: int, options: str
) -> None:
    assert read_all(make(tmp_path, FILES, "-M", str(version), *OPTIONS[options])) == FILES
    assert extraction(tmp_path) == FILES


def read(archive: MpqView, name: str) -> bytes:
    index = archive.find(name.encode())
    assert index is not None, name
    return bytes(archive.read(index))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("options", [[], ["-E", "-F"]])
def test_without_a_list_files_are_read_by_name(tmp_path: Path, version: int, options: Sequence[str]) -> None:
    data = make(tmp_path, FILES, "-M", str(version), "-N", *options)
    assert {name: read(view(data), name) for name in FILES} == FILES
    named = view(data, names=[name.encode() for name in FILES])
    assert {lump.name for lump in named.lumps} >= {name.replace("/", "\\").encode() for name in FILES}


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_removed_renamed_and_added_is_so(tmp_path: Path, version: int) -> None:
    make(tmp_path, FILES, "-M", str(version))
    smpq(tmp_path / "in", "-d", "../made.mpq", "noise.bin", "zeros.bin")
    smpq(tmp_path / "in", "-R", "../made.mpq", "one", "uno")
    (tmp_path / "in" / "late.txt").write_bytes(b"late" * 3000)
    smpq(tmp_path / "in", "-a", "-f", "../made.mpq", "late.txt")
    expected = {name: raw for name, raw in FILES.items() if name not in {"noise.bin", "zeros.bin", "one"}}
    expected |= {"uno": b"1", "late.txt": b"late" * 3000}
    archive = view((tmp_path / "made.mpq").read_bytes())
    assert {name: read(archive, name) for name in expected} == expected
    assert all(archive.find(name) is None for name in (b"noise.bin", b"zeros.bin", b"one"))
    assert extraction(tmp_path) == expected


@pytest.mark.parametrize("version", [2, 3, 4])
def test_lzma_that_smpq_spoiled_is_refused_and_never_wrong(tmp_path: Path, version: int) -> None:
    """Its StormLib puts the LZMA properties where the filter belongs; it cannot read that itself."""
    archive = view(make(tmp_path, FILES, "-M", str(version), "-C", "LZMA"))
    for name, raw in FILES.items():
        try:
            assert read(archive, name) == raw
        except UnsupportedError as error:
            message = str(error)
            assert "LZMA filter 93 is not read" in message
            assert name not in {"noise.bin", "one", "empty"}
