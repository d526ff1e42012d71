"""WAV: "RIFF", size u32 of all that follows, "WAVE", then chunks. Little-endian.

chunk       type (4 characters), size u32, data, one byte of padding where the size is odd
"fmt "      codec u16, channels u16, rate u32, bytes a second u32, frame size u16, bits a sample u16, and more
"fact"      samples u32 of each channel, of codecs that are not PCM
"data"      the samples; behind "fmt "

Source: IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0"; Microsoft,
"WAVEFORMATEXTENSIBLE".
"""

from __future__ import annotations

from struct import Struct, unpack_from
from typing import NamedTuple

from lumpyard.rule.kinds import need
from lumpyard_rules.sound.clip import Clip

SIGNATURE = b"RIFF"

_FORMAT = Struct("<HHIIHH")
_PCM, _FLOAT, _EXTENSIBLE = 0x0001, 0x0003, 0xFFFE
_UNFILLED_SIZES = (0, 0xFFFFFFFF)


class _Format(NamedTuple):
    """The "fmt " chunk; `codec` is the one inside of an extensible format."""

    codec: int
    channels: int
    rate: int
    byte_rate: int
    frame_size: int
    bits: int


def check_wav(data: bytes) -> Clip:
    """The sound that a WAV's chunks give; sizes, order and the fields of its format hold."""
    need(len(data) >= 12, f"the file ends at offset {len(data)} inside the RIFF header; it is cut off")
    need(data[8:12] == b"WAVE", f"the RIFF file is of type {_name(data[8:12])}, not 'WAVE'")
    end = _riff_end(data)
    chunks, reached = _chunks(data, end)
    need(b"fmt " in chunks, "there is no 'fmt ' chunk")
    need(b"data" in chunks, "there is no 'data' chunk; the sound has no samples")
    order = list(chunks)
    need(order.index(b"fmt ") < order.index(b"data"), "the 'data' chunk stands before the 'fmt ' chunk")
    start, size = chunks[b"fmt "]
    wave = _check_format(data[start : start + size])
    if wave.codec in (_PCM, _FLOAT):
        size, frame = chunks[b"data"][1], wave.frame_size
        need(
            size % frame == 0,
            f"{size} bytes of data are not whole frames of {frame}; {size % frame} are left over",
        )
    return Clip(wave.rate, wave.channels, _seconds(data, wave, chunks), _notes(data, end, reached))


def _riff_end(data: bytes) -> int:
    """The offset behind the last chunk by the RIFF size."""
    size = int.from_bytes(data[4:8], "little")
    found = len(data) - 8
    unfilled = f"the RIFF size is {size}, as programs leave it that write to a pipe; save the file again"
    need(size not in _UNFILLED_SIZES, unfilled)
    need(size >= 4, f"the RIFF size is {size}, below 4")
    # A writer may count the padding of the last chunk and yet leave it out.
    need(size <= found + 1, f"the RIFF size is {size}, but {found} bytes follow it; the file is cut off")
    return min(8 + size, len(data))


def _chunks(data: bytes, end: int) -> tuple[dict[bytes, tuple[int, int]], int]:
    """Offset and size of the data of each chunk, by type, in order, and the offset behind the last.

    Of chunks that may repeat it is the last of a type. A chunk that begins before the end by the RIFF size
    may reach behind it: MATLAB writes extensible formats so.
    """
    chunks: dict[bytes, tuple[int, int]] = {}
    at = reached = 12
    while at < end:
        need(at + 8 <= end, f"{end - at} bytes at offset {at} are too few for the header of a chunk")
        name, size = unpack_from("<4sI", data, at)
        rest = len(data) - at - 8
        need(size <= rest, f"chunk {_name(name)} at offset {at} has size {size}, but {rest} bytes follow")
        once = name not in chunks or name not in (b"fmt ", b"data")
        need(once, f"a second chunk {_name(name)} at offset {at}")
        chunks[name] = (at + 8, size)
        reached = at + 8 + size
        at = reached + size % 2
    return chunks, reached


def _notes(data: bytes, end: int, reached: int) -> tuple[str, ...]:
    """What is odd about where the sound ends: by the RIFF size, by its chunks, by the file."""
    notes = []
    if reached > end:
        notes.append(
            f"the RIFF size ends the sound at offset {end}, but its chunks reach to {reached}; save it again"
        )
    rest = len(data) - max(end + end % 2, reached + reached % 2)
    if rest > 0:
        notes.append(f"{rest} bytes stand behind the end of the sound; they ship with it")
    return tuple(notes)


def _check_format(data: bytes) -> _Format:
    """The format; of PCM and floats, whose sizes follow from each other, all fields agree."""
    need(len(data) >= _FORMAT.size, f"the 'fmt ' chunk has {len(data)} bytes, below {_FORMAT.size}")
    wave = _Format._make(_FORMAT.unpack_from(data))
    if wave.codec == _EXTENSIBLE:
        need(len(data) >= 40, f"the 'fmt ' chunk of an extensible format has {len(data)} bytes, below 40")
        wave = wave._replace(codec=int.from_bytes(data[24:26], "little"))
    need(wave.channels > 0, "the 'fmt ' chunk says 0 channels")
    need(wave.rate > 0, "the 'fmt ' chunk says 0 samples a second")
    need(wave.frame_size > 0, "the 'fmt ' chunk says frames of 0 bytes")
    if wave.codec not in (_PCM, _FLOAT):
        return wave
    sizes = (32, 64) if wave.codec == _FLOAT else range(1, 65)
    name = "float" if wave.codec == _FLOAT else "PCM"
    need(
        wave.bits in sizes,
        f"{name} samples of {wave.bits} bits; {'32 and 64' if wave.codec == _FLOAT else '1 to 64'} exist",
    )
    frame = wave.channels * ((wave.bits + 7) // 8)
    shape = f"{wave.channels} channels of {wave.bits} bits"
    need(wave.frame_size == frame, f"frames of {wave.frame_size} bytes; {shape} take {frame}")
    right = wave.rate * frame
    need(
        wave.byte_rate == right,
        f"{wave.byte_rate} bytes a second; {wave.rate} frames of {frame} bytes are {right}",
    )
    return wave


def _seconds(data: bytes, wave: _Format, chunks: dict[bytes, tuple[int, int]]) -> float | None:
    """How long the sound is: by its frames, its "fact" chunk, or its bytes a second."""
    size = chunks[b"data"][1]
    if wave.codec in (_PCM, _FLOAT):
        return size // wave.frame_size / wave.rate
    start, fact_size = chunks.get(b"fact", (0, 0))
    if fact_size >= 4:
        return int(unpack_from("<I", data, start)[0]) / wave.rate
    return size / wave.byte_rate if wave.byte_rate else None


def _name(name: bytes) -> str:
    """A chunk type for people."""
    return ascii(name.decode("latin-1"))
