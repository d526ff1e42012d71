"""The one use of the LZ4 codec: blocks without a size in front, as an EWAD stores them.

The bytes of a block depend on the library's version, on the binding and on the level: `encoder_id` names the
first two for the encode digest. Level 2 of LZ4 HC is refused because its bytes changed between library versions
1.9.4 and 1.10.0 for nine blobs of ten.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

MAX_INPUT = 2_113_929_216  # LZ4_MAX_INPUT_SIZE: no block can hold more raw bytes
HC_LEVELS = range(3, 13)
_MAX_OUTPUT = 2**31 - 1  # the binding takes a C int
_MAX_RATIO = 255  # a byte of an LZ4 block stands for at most 255 raw bytes


@cache
def compressor(codec: str, level: int = 0) -> Callable[[Buffer], bytes]:
    """What makes LZ4 blocks with one codec and level, for those who make thousands; see `compress`."""
    from lz4 import block  # noqa: PLC0415 - 5 ms that a build with nothing to do must not pay

    if codec == "lz4":
        return partial(block.compress, mode="default", store_size=False)
    if codec == "lz4hc" and level in HC_LEVELS:
        return partial(block.compress, mode="high_compression", compression=level, store_size=False)
    raise ValueError(f"no LZ4 encoder {codec!r} level {level}; there is lz4, and lz4hc with levels 3 to 12")


def compress(data: Buffer, codec: str, level: int = 0) -> bytes:
    """The LZ4 block of some bytes; `codec` is "lz4", or "lz4hc" with a level of 3 to 12.

    The caller keeps to `MAX_INPUT` and the levels; anything else is a ValueError.
    """
    return compressor(codec, level)(data)


def decompress(block: Buffer, raw_size: int) -> bytes:
    """The raw bytes of an LZ4 block, exactly `raw_size` of them.

    MalformedError (code `lz4`) when the block is broken or holds more or fewer bytes; UnsupportedError (code
    `lz4`) above 2 GiB, or where memory runs out. An absurd raw size is refused before memory is allocated for it.
    """
    from lz4 import block as codec  # noqa: PLC0415 - as in compress

    stored_size = memoryview(block).nbytes
    if raw_size > _MAX_RATIO * stored_size:
        raise MalformedError(f"{stored_size} bytes of LZ4 cannot hold the stated {raw_size} raw bytes", "lz4")
    if raw_size > _MAX_OUTPUT:
        raise UnsupportedError(
            f"an LZ4 block of {raw_size} raw bytes is not read; the most is {_MAX_OUTPUT}", "lz4"
        )
    try:
        raw = bytes(codec.decompress(block, uncompressed_size=raw_size))
    except MemoryError:
        raise UnsupportedError(
            f"there is no memory for {raw_size} raw bytes of an LZ4 block", "lz4"
        ) from None
    except codec.LZ4BlockError:
        raise MalformedError(
            f"the LZ4 block of {stored_size} bytes is broken or holds more than {raw_size} raw bytes", "lz4"
        ) from None
    if len(raw) != raw_size:  # the binding takes a shorter result for a success
        raise MalformedError(f"the LZ4 block holds {len(raw)} raw bytes, not the stated {raw_size}", "lz4")
    return raw


def encoder_id() -> str:
    """The binding and the library that make the blocks, such as `python-lz4 4.4.5, lz4 1.9.4`."""
    import lz4  # noqa: PLC0415 - as in compress

    return f"python-lz4 {lz4.__version__}, lz4 {lz4.library_version_string()}"
