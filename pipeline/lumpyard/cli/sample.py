"""The project that `lumpyard init` writes. Its pictures and sounds are made here, so they are nobody's."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

GITIGNORE = ".gitignore"


class SampleFile(NamedTuple):
    """One file of the new project."""

    data: bytes
    purpose: str = ""


def sample_files() -> dict[str, SampleFile]:
    """Files by path; the manifest last, so that a folder with one is a whole project."""
    return {
        GITIGNORE: SampleFile(_GITIGNORE.encode(), "what a build makes"),
        "assets/textures/brick.png": SampleFile(_picture(_brick), "a picture, 16 by 16"),
        "assets/textures/ui/cursor.png": SampleFile(_picture(_cursor)),
        "assets/sounds/blip.wav": SampleFile(_sound(), "a tenth of a second"),
        "assets/scripts/main.lua": SampleFile(_SCRIPT.encode(), "a script"),
        "assets/text/en.json": SampleFile(_TEXT.encode(), "a text table"),
        "dodo.py": SampleFile(_DODO.encode(), "the doit tasks"),
        "assets.yaml": SampleFile(
            _MANIFEST.encode(), "the manifest: which files become lumps of which archive"
        ),
    }


_GITIGNORE = """\
/.lumpyard/
/build/
/dist/
/symbols/
__pycache__/
"""

_DODO = '''\
"""doit tasks: `doit` builds the development archives in build/, `doit ship` the release in dist/."""

from lumpyard.doit_plugin import asset_tasks

globals().update(asset_tasks("assets.yaml"))
'''

_SCRIPT = """\
-- Runs once, when the game starts.
function start()
  play("sounds/blip.wav")
  draw("textures/brick.png", 0, 0)
end
"""

_TEXT = """\
{
  "title": "My Game",
  "start": "Press any key"
}
"""

_MANIFEST = """\
# What goes into the archives of this game. `doit` builds build/base.ewad, `doit ship` the release in dist/.
# `lumpyard plan` shows what this comes to, `lumpyard check` what is wrong with it.
version: 1

# Every file here should be in some set, or ignored: what nobody ships is found before the release, not after.
claim: ["assets/**"]

# A set is files that are treated alike. Each file becomes a lump, named by its path below `root`.
sets:
  textures:
    root: assets
    files: "textures/**/*.png"          # a pattern, or a list of them
    type: TEXR                          # four characters that tell the engine what a lump is
    schema: 1                           # raised when the meaning of the bytes changes
    alignment: 64                       # each of these lumps starts at a multiple of it
  sounds:
    root: assets
    files: "sounds/**/*.wav"
    type: SOND
  scripts:
    root: assets
    files: ["scripts/**/*.lua"]         # "!**/*.wip.lua" in this list would leave those out
    type: SCRP
    rule: text                          # line ends become LF, whoever saved the file
  text:
    root: assets
    files: "text/*.json"
    type: TABL
    rule: json                          # checked: a mistake is shown with its line and column

archives:
  base:
    sets: [textures, sounds, scripts, text]
"""


def _picture(color_at: Callable[[int, int], tuple[int, int, int]]) -> bytes:
    """A PNG of 16 by 16; its deflate blocks are stored ones, the same bytes under any zlib."""
    rows = b"".join(b"\0" + b"".join(bytes(color_at(x, y)) for x in range(16)) for y in range(16))
    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)  # 8 bits a channel, RGB
    parts = ((b"IHDR", header), (b"IDAT", _stored_zlib(rows)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _stored_zlib(data: bytes) -> bytes:
    """A zlib stream (RFC 1950) of one stored block (RFC 1951, 3.2.4)."""
    size = struct.pack("<HH", len(data), len(data) ^ 0xFFFF)
    return b"\x78\x01\x01" + size + data + struct.pack(">I", zlib.adler32(data))


def _brick(x: int, y: int) -> tuple[int, int, int]:
    mortar = y % 8 == 7 or (x + 4 * (y // 8 % 2)) % 8 == 7
    return (120, 112, 104) if mortar else (150 + 4 * (x * 7 + y * 5) % 24, 70, 52)


def _cursor(x: int, y: int) -> tuple[int, int, int]:
    return (240, 240, 240) if x <= y < 12 and x + y < 18 else (24, 24, 32)


def _sound() -> bytes:
    """A WAV of a falling square wave: 8 bits, one channel, 11025 a second."""
    samples, phase = bytearray(), 0.0
    for position in range(1102):
        phase += (880 - position * 0.5) / 11025
        loudness = 48 * (1102 - position) // 1102
        samples.append(128 + loudness if phase % 1 < 0.5 else 128 - loudness)
    body = b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, 11025, 11025, 1, 8)
    body += b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WAVE" + body
