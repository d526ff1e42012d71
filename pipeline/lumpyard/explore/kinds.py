"""What a lump probably is, for colours and filters: by its place, its name and its first bytes.

It is a guess that costs little. The page looks at the whole lump before it shows a picture or plays a sound.
"""

from __future__ import annotations

from struct import unpack_from
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lumpyard.archives.model import Archive, Lump

KINDS = ("map", "picture", "sound", "music", "text", "palette", "model", "archive", "marker", "data")
HEAD = 512  # stored bytes that are looked at

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF8", "picture"),
    (b"BM", "picture"),
    (b"DDS ", "picture"),
    (b"OggS", "sound"),
    (b"fLaC", "sound"),
    (b"ID3", "sound"),
    (b"MUS\x1a", "music"),
    (b"MThd", "music"),
    (b"IBSP", "map"),
    (b"IDPO", "model"),
    (b"IDP2", "model"),
    (b"IDP3", "model"),
    (b"PK\x03\x04", "archive"),
    (b"PWAD", "archive"),
    (b"IWAD", "archive"),
    (b"WAD2", "archive"),
    (b"WAD3", "archive"),
    (b"EWAD", "archive"),
    (b"PACK", "archive"),
)
_FIRST = frozenset(signature[0] for signature, _ in _SIGNATURES)
_SUFFIXES = {
    **dict.fromkeys(
        ("png", "jpg", "jpeg", "gif", "bmp", "webp", "tga", "pcx", "lmp", "wal", "dds"), "picture"
    ),
    **dict.fromkeys(("wav", "ogg", "flac", "mp3", "voc"), "sound"),
    **dict.fromkeys(("mid", "midi", "mus", "mod", "xm", "it", "s3m"), "music"),
    **dict.fromkeys(("bsp", "level", "map", "w3e", "w3i", "w3u"), "map"),
    **dict.fromkeys(("mdl", "md2", "md3", "mdx", "spr", "obj", "glb", "gltf"), "model"),
    **dict.fromkeys(("wad", "pak", "pk3", "zip", "mpq", "w3x", "w3m", "ewad"), "archive"),
    **dict.fromkeys(("pal", "act"), "palette"),
    **dict.fromkeys(
        (
            *(
                "txt",
                "md",
                "json",
                "xml",
                "yaml",
                "yml",
                "toml",
                "ini",
                "cfg",
                "csv",
                "lua",
                "py",
                "js",
                "c",
                "h",
            ),
            *(
                "frag",
                "vert",
                "glsl",
                "hlsl",
                "rc",
                "def",
                "shader",
                "j",
                "ai",
                "fdf",
                "slk",
                "toc",
                "html",
                "lst",
            ),
        ),
        "text",
    ),
}
_FOLDERS = {
    "flats": "picture",
    "sprites": "picture",
    "patches": "picture",
    "textures": "picture",
    "sounds": "sound",
}
_NAMES = {
    **dict.fromkeys(("PLAYPAL", "COLORMAP", "E2PAL", "palette.lmp", "PALETTE"), "palette"),
    **dict.fromkeys(
        ("DEHACKED", "MAPINFO", "UMAPINFO", "ZMAPINFO", "TEXTMAP", "DECORATE", "SNDINFO", "LANGUAGE"), "text"
    ),
}
_WAD2_KINDS = {0x40: "palette", 0x42: "picture", 0x43: "picture", 0x44: "picture", 0x46: "picture"}
_WADS = frozenset({"IWAD", "PWAD", "PACK"})
_TEXT = frozenset(range(0x20, 0x7F)) | {9, 10, 13}


def kind_of(archive: Archive, lump: Lump, path: str, head: bytes) -> str:
    """One of KINDS. `head` is the lump's first HEAD bytes, or nothing where they are compressed."""
    folder, _, name = path.rpartition("/")
    if not lump.raw_size:
        return "marker"
    if name in _NAMES:
        return _NAMES[name]
    if lump.kind in _WAD2_KINDS and archive.format in {"WAD2", "WAD3"}:
        return _WAD2_KINDS[lump.kind]
    if head and (found := _by_head(head)):
        return found
    suffix = name.rpartition(".")[2].lower() if "." in name else ""
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if archive.format in _WADS:
        return _in_wad(folder, head, lump.raw_size)
    return "text" if head and _TEXT.issuperset(head) else "data"


def is_plain(archive: Archive, entry: int) -> bool:
    """Whether the stored bytes of a lump are its raw bytes."""
    lump = archive.lumps[entry]
    return lump.stored_size == lump.raw_size and archive.format != "MPQ" and not lump.flags


def _by_head(head: bytes) -> str | None:
    if head[0] in _FIRST:
        for signature, kind in _SIGNATURES:
            if head.startswith(signature):
                return kind
    return "sound" if head[:4] == b"RIFF" and head[8:12] == b"WAVE" else None


def _in_wad(folder: str, head: bytes, size: int) -> str:
    if folder in _FOLDERS:
        return _FOLDERS[folder]
    if _is_dmx(head, size):
        return "sound"
    if _is_picture(head, size):
        return "picture"
    return "text" if _TEXT.issuperset(head) else "data"


def _is_dmx(head: bytes, size: int) -> bool:
    """A sound of Doom: format 3, samples a second, a count of samples, the samples."""
    if size < 8:
        return False
    form, rate, samples = unpack_from("<HHI", head)
    return bool(form == 3 and 4000 <= rate <= 48000 and samples + 8 <= size)


def _is_picture(head: bytes, size: int) -> bool:
    """A picture of Doom: its size and offsets, and for each column where it starts."""
    if size < 13:
        return False
    width, height = unpack_from("<HH", head)
    start = 8 + 4 * width
    if not (0 < width <= 4096 and 0 < height <= 4096 and start < size):
        return False
    seen = min(width, (len(head) - 8) // 4)
    return all(start <= column < size for column in unpack_from(f"<{seen}I", head, 8))
