"""Rule `sound`: sounds whose headers hold, as a game can play them; the bytes stay as they are.

No sample is decoded. What is checked is what breaks in practice: cut-off files, sizes that were never filled
in, an MP3 that is named `.wav`, 96 kHz stereo where the mixer wants 44.1 kHz mono.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from lumpyard.rule import Product, Rule, only
from lumpyard.rule.kinds import FileKind, find_kind, read_kind
from lumpyard_rules.sound import flac, ogg, wav

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.rule import Source
    from lumpyard_rules.sound.clip import Clip

Format = Literal["wav", "ogg", "flac"]


_KINDS = (
    FileKind("wav", (".wav",), wav.SIGNATURE, wav.check_wav),
    FileKind("ogg", (".ogg", ".opus"), ogg.SIGNATURE, ogg.check_ogg),
    FileKind("flac", (".flac",), flac.SIGNATURE, flac.check_flac),
)
_LONG = "is WAV above 4 GiB, which hardly any engine reads; make it shorter"
_OTHERS = {
    b"RIFX": "RIFX is big-endian WAV, which hardly any engine reads; save it as WAV",
    b"RF64": f"RF64 {_LONG}",
    b"BW64": f"BW64 {_LONG}",
    b"ID3": "the file starts with an ID3 tag (MP3, or a tag that must go)",
    b"\xff\xfb": "the file starts with MP3 data",
    b"FORM": "the file starts with AIFF data",
}


@dataclass(frozen=True, slots=True)
class SoundOptions:
    """What a sound must be like."""

    rates: tuple[int, ...] = field(
        default=(),
        metadata={"doc": "the samples a second that are allowed; none is any; Opus always has 48000"},
    )
    channels: tuple[int, ...] = field(
        default=(), metadata={"doc": "the numbers of channels that are allowed; none is any"}
    )
    max_seconds: float = field(default=0.0, metadata={"doc": "how long a sound may be; 0 is any length"})
    formats: tuple[Format, ...] = field(
        default=(), metadata={"doc": "the formats that are allowed; none is all"}
    )

    def check(self) -> str:
        """What is wrong with the values."""
        for name, values in (("rates", self.rates), ("channels", self.channels)):
            if any(value < 1 for value in values):
                return f"{name} holds {min(values)}; each must be 1 or more"
        if not 0 <= self.max_seconds < float("inf"):
            return f"max_seconds is {self.max_seconds}; it must be a number of seconds, or 0"
        return ""


def cook(sources: Sequence[Source], options: SoundOptions) -> Iterable[Product]:
    """The sound, unchanged."""
    source = only(sources)
    kind = find_kind(
        source, _KINDS, "the bytes are no WAV, Ogg or FLAC", "if it is no sound, say `rule: raw`"
    )
    clip = None if kind is None else read_kind(source, kind, options.formats, _OTHERS)
    if clip is not None:
        _check_options(source, clip, options)
    return [Product(source.data)]


def _check_options(source: Source, clip: Clip, options: SoundOptions) -> None:
    """Report what the options do not allow."""
    if options.rates and clip.rate not in options.rates:
        source.problem(f"{clip.rate} samples a second; the option `rates` allows {_list(options.rates)}")
    if options.channels and clip.channels not in options.channels:
        source.problem(f"{clip.channels} channels; the option `channels` allows {_list(options.channels)}")
    if not options.max_seconds:
        return
    if clip.seconds is None:
        message = "the file does not say how long it is, so the option `max_seconds` could not be checked"
        source.problem(message, warning=True)
    elif clip.seconds > options.max_seconds:
        source.problem(f"{clip.seconds:.6g} seconds; the option `max_seconds` allows {options.max_seconds:g}")


def _list(values: tuple[int, ...]) -> str:
    """Numbers for people."""
    return " or ".join(map(str, values))


RULE = Rule(
    kind="sound",
    version=1,
    cook=cook,
    suffixes={suffix for kind in _KINDS for suffix in kind.suffixes},
    fourcc="SOUN",
    schema=1,
    options=SoundOptions,
    summary="WAV, Ogg (Vorbis, Opus) and FLAC, headers checked",
)
