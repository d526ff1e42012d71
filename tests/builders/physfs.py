"""Reads all of an archive through PhysFS 3; a program of its own, so that a crash of the library is only its own.

    python physfs.py ARCHIVE

JSON on standard output: a list of path, size and SHA-256. Status 1 where PhysFS does not mount the archive.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import sys
from ctypes import POINTER, c_char_p, c_int, c_int64, c_uint64, c_void_p
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CALLS: dict[str, tuple[object, list[object]]] = {  # name -> what comes back, arguments
    "PHYSFS_init": (c_int, [c_char_p]),
    "PHYSFS_mount": (c_int, [c_char_p, c_char_p, c_int]),
    "PHYSFS_enumerateFiles": (POINTER(c_char_p), [c_char_p]),
    "PHYSFS_isDirectory": (c_int, [c_char_p]),
    "PHYSFS_openRead": (c_void_p, [c_char_p]),
    "PHYSFS_fileLength": (c_int64, [c_void_p]),
    "PHYSFS_readBytes": (c_int64, [c_void_p, c_void_p, c_uint64]),
    "PHYSFS_close": (c_int, [c_void_p]),
}


def library() -> ctypes.CDLL:
    lib = ctypes.CDLL("libphysfs.so.1")
    for name, (result, arguments) in CALLS.items():
        call = getattr(lib, name)
        call.restype, call.argtypes = result, arguments
    return lib


def walk(lib: ctypes.CDLL, folder: bytes) -> Iterator[tuple[str, int, str]]:
    names = lib.PHYSFS_enumerateFiles(folder)
    index = 0
    while names[index] is not None:
        path = folder + b"/" + names[index] if folder else names[index]
        if lib.PHYSFS_isDirectory(path):
            yield from walk(lib, path)
        else:
            raw = content(lib, path)
            yield path.decode("latin-1"), len(raw), hashlib.sha256(raw).hexdigest()
        index += 1


def content(lib: ctypes.CDLL, path: bytes) -> bytes:
    handle = lib.PHYSFS_openRead(path)
    size = lib.PHYSFS_fileLength(handle)
    buffer = ctypes.create_string_buffer(max(size, 1))
    assert lib.PHYSFS_readBytes(handle, buffer, size) == size, path
    lib.PHYSFS_close(handle)
    return buffer.raw[:size]


def main(archive: str) -> int:
    lib = library()
    assert lib.PHYSFS_init(sys.argv[0].encode())
    if not lib.PHYSFS_mount(archive.encode(), None, 1):
        return 1
    print(json.dumps(list(walk(lib, b""))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
