"""Sound files, written from their specifications alone; each function gives a whole valid file."""

from __future__ import annotations

from struct import pack


def chunk(name: bytes, data: bytes) -> bytes:
    """A RIFF chunk with its padding."""
    return name + pack("<I", len(data)) + data + bytes(len(data) % 2)


def riff(*chunks: bytes, kind: bytes = b"WAVE") -> bytes:
    """A RIFF file."""
    body = kind + b"".join(chunks)
    return b"RIFF" + pack("<I", len(body)) + body


def wav_format(
    rate: int = 22050, channels: int = 1, bits: int = 8, codec: int = 1, extra: bytes = b""
) -> bytes:
    """A "fmt " chunk whose sizes follow from each other."""
    frame = channels * ((bits + 7) // 8)
    return chunk(b"fmt ", pack("<HHIIHH", codec, channels, rate, rate * frame, frame, bits) + extra)


def wav(
    frames: int = 100, rate: int = 22050, channels: int = 1, bits: int = 8, *, extra: bytes = b""
) -> bytes:
    """PCM silence; `extra` chunks stand before the samples."""
    size = frames * channels * ((bits + 7) // 8)
    return riff(wav_format(rate, channels, bits), extra, chunk(b"data", bytes(size)))


def wav_extensible(frames: int = 10, rate: int = 48000, channels: int = 6, bits: int = 24) -> bytes:
    """PCM silence in an extensible format (5.1 channels)."""
    guid = pack("<H", 1) + bytes.fromhex("000000001000800000aa00389b71")
    extra = pack("<HHI", 22, bits, 0x3F) + guid
    size = frames * channels * (bits // 8)
    return riff(wav_format(rate, channels, bits, 0xFFFE, extra), chunk(b"data", bytes(size)))


def ogg_crc(data: bytes) -> int:
    """The CRC of an Ogg page, bit by bit, as RFC 3533 words it."""
    register = 0
    for byte in data:
        register ^= byte << 24
        for _ in range(8):
            register = (register << 1) ^ (0x104C11DB7 if register & 0x80000000 else 0)
    return register


def ogg_page(
    packets: list[bytes], *, flags: int = 0, position: int = 0, serial: int = 7, number: int = 0
) -> bytes:
    """A page that holds whole packets."""
    segments = b"".join(b"\xff" * (len(packet) // 255) + bytes([len(packet) % 255]) for packet in packets)
    head = b"OggS" + pack("<BBqII", 0, flags, position, serial, number)
    tail = bytes([len(segments)]) + segments + b"".join(packets)
    return head + pack("<I", ogg_crc(head + bytes(4) + tail)) + tail


def vorbis_ident(rate: int = 44100, channels: int = 2, blocks: int = 0xB8, framing: int = 1) -> bytes:
    """A Vorbis identification."""
    return b"\x01vorbis" + pack("<IBIiiiBB", 0, channels, rate, 0, 128000, 0, blocks, framing)


def opus_ident(channels: int = 2, skip: int = 312, mapping: int = 0) -> bytes:
    """An Opus identification."""
    table = bytes([channels, 0, *range(channels)]) if mapping else b""
    return b"OpusHead" + pack("<BBHIhB", 1, channels, skip, 44100, 0, mapping) + table


def ogg(ident: bytes, samples: int = 44100, serial: int = 7) -> bytes:
    """A stream: identification, two headers, one page of data."""
    return (
        ogg_page([ident], flags=2, serial=serial)
        + ogg_page([b"\x03vorbis" + bytes(20), b"\x05vorbis" + bytes(600)], serial=serial, number=1)
        + ogg_page([bytes(300)], flags=4, position=samples, serial=serial, number=2)
    )


def flac_block(kind: int, data: bytes, *, last: bool = False) -> bytes:
    """A metadata block."""
    return bytes([kind | (0x80 if last else 0)]) + len(data).to_bytes(3, "big") + data


def flac_streaminfo(rate: int = 44100, channels: int = 2, bits: int = 16, samples: int = 4096) -> bytes:
    """The data of STREAMINFO."""
    packed = rate << 44 | (channels - 1) << 41 | (bits - 1) << 36 | samples
    return pack(">HH", 4096, 4096) + bytes(6) + packed.to_bytes(8, "big") + bytes(16)


def flac(streaminfo: bytes | None = None, *blocks: bytes) -> bytes:
    """A FLAC file: STREAMINFO, other blocks, a padding block, and the start of a frame."""
    head = flac_block(0, flac_streaminfo() if streaminfo is None else streaminfo)
    return b"fLaC" + head + b"".join(blocks) + flac_block(1, bytes(8), last=True) + b"\xff\xf8" + bytes(20)
