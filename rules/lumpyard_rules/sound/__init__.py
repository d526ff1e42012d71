"""Rule `sound`: sounds whose headers hold, as a game can play them; the bytes stay as they are.

No sample is decoded. What is checked is what breaks in practice: cut-off files, sizes that were never filled
in, an MP3 that is named `.wav`, 96 kHz stereo where the mixer wants 44.1 kHz mono.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from lumpyard.errors import ArchiveError
from lumpyard.rule import Product, Rule, only
from lumpyard_rules.sound import flac, ogg, wav

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lumpyard.rule import Source
    from lumpyard_rules.sound.clip import Clip

Format = Literal["wav", "ogg", "flac"]


class _Kind(NamedTuple):
    """A sound format."""

    format: Format
    suffixes: tuple[str, ...]
    signature: bytes
    check: Callable[[bytes], Clip]


_KINDS = (
    _Kind("wav", (".wav",), wav.SIGNATURE, wav.check_wav),
    _Kind("ogg", (".ogg", ".opus"), ogg.SIGNATURE, ogg.check_ogg),
    _Kind("flac", (".flac",), flac.SIGNATURE, flac.check_flac),
)


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
    kind = _kind_of(source)
    if kind is not None:
        _check(source, kind, options)
    return [Product(source.data)]


def _kind_of(source: Source) -> _Kind | None:
    """The format of a sound; None, and a problem, if suffix and bytes disagree or neither says one."""
    name = source.path.lower()
    by_suffix = next((kind for kind in _KINDS if name.endswith(kind.suffixes)), None)
    by_bytes = next((kind for kind in _KINDS if source.data.startswith(kind.signature)), None)
    if by_suffix is None and by_bytes is None:
        source.problem("the bytes are no WAV, Ogg or FLAC", hint="if it is no sound, say `rule: raw`")
    elif by_suffix is None or by_bytes in (None, by_suffix):
        return by_suffix or by_bytes
    elif by_bytes is not None:
        hint = f"rename it to {by_bytes.suffixes[0]}, or save it as {by_suffix.format.upper()}"
        source.problem(
            f"the name says {by_suffix.format.upper()}, the bytes are {by_bytes.format.upper()}", hint=hint
        )
    return None


def _check(source: Source, kind: _Kind, options: SoundOptions) -> None:
    """Report what is wrong with a sound of a format."""
    name = kind.format.upper()
    if options.formats and kind.format not in options.formats:
        source.problem(f"{name} is not allowed here; the option `formats` says {', '.join(options.formats)}")
    try:
        wav.refuse_relatives(source.data)
        if not source.data.startswith(kind.signature):
            source.problem(
                f"not a {name}: the file starts with {_start(source.data)}, not {_start(kind.signature)}"
            )
            return
        clip = kind.check(source.data)
    except ArchiveError as error:
        source.problem(f"not a usable {name}: {error}")
        return
    for note in clip.notes:
        source.problem(note, warning=True)
    _check_options(source, clip, options)


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


def _start(data: bytes) -> str:
    """The first bytes of a file for people."""
    known = {b"ID3": "an ID3 tag (MP3, or a tag that must go)", b"\xff\xfb": "MP3 data", b"FORM": "AIFF data"}
    named = next((name for start, name in known.items() if data.startswith(start)), "")
    return named or (f"bytes {data[:8].hex(' ')}" if data else "nothing (it is empty)")


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
