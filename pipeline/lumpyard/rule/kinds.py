"""Files of several formats, told apart by suffix and first bytes: for rules that check headers and pass the bytes on.

kind = find_kind(source, KINDS, "the bytes are no WAV, Ogg or FLAC")
clip = kind and read_kind(source, kind, options.formats)
"""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003 - FileKind is a NamedTuple that others may look into
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.rule import Source


class Headers(Protocol):
    """What the headers of a file say."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What is odd, but no error."""
        ...


H = TypeVar("H", bound=Headers)


class FileKind(NamedTuple, Generic[H]):
    """A format of files."""

    format: str  # lower case, as an option `formats` has it
    suffixes: tuple[str, ...]  # lower case; the first is the usual one
    signature: bytes  # what every file starts with; b"" where there is no such thing
    read: Callable[[bytes], H]  # raises ArchiveError (`need`, `unsupported`) where headers don't hold


def find_kind(
    source: Source, kinds: Sequence[FileKind[H]], nothing: str, hint: str = ""
) -> FileKind[H] | None:
    """The format of a file; None, and a problem, if suffix and bytes disagree or neither says one (`nothing`)."""
    name = source.path.lower()
    by_suffix = next((kind for kind in kinds if name.endswith(kind.suffixes)), None)
    by_bytes = next(
        (kind for kind in kinds if kind.signature and source.data.startswith(kind.signature)), None
    )
    if by_suffix is not None and by_bytes not in {None, by_suffix}:
        assert by_bytes is not None
        says, are = by_suffix.format.upper(), by_bytes.format.upper()
        hint = f"rename it to {by_bytes.suffixes[0]}, or save it as {says}"
        source.problem(f"the name says {says}, the bytes are {are}", hint=hint)
        return None
    if by_suffix is None and by_bytes is None:
        source.problem(nothing, hint=hint)
    return by_suffix or by_bytes


def read_kind(
    source: Source, kind: FileKind[H], allowed: Sequence[str] = (), others: Mapping[bytes, str] | None = None
) -> H | None:
    """What the headers of a file say, its notes told as warnings; None, and a problem, where they don't hold.

    `allowed` is the option `formats`, where none is all. `others` says what files are, by their first bytes, that are
    mistaken for such ones: "RIFX is big-endian WAV".
    """
    name, data = kind.format.upper(), source.data
    if allowed and kind.format not in allowed:
        source.problem(f"{name} is not allowed here; the option `formats` says {', '.join(allowed)}")
    if not data.startswith(kind.signature):
        usual = f"the file starts with {_start(data)}, not {_start(kind.signature)}"
        what = next((what for start, what in (others or {}).items() if data.startswith(start)), usual)
        source.problem(f"not a {name}: {what}")
        return None
    try:
        found = kind.read(data)
    except ArchiveError as error:
        source.problem(f"not a usable {name}: {error}")
        return None
    for note in found.notes:
        source.problem(note, warning=True)
    return found


def need(holds: bool, message: str) -> None:
    """Raise MalformedError if something does not hold."""
    if not holds:
        raise MalformedError(message, "headers")


def unsupported(message: str) -> UnsupportedError:
    """The refusal of a file that may be legal."""
    return UnsupportedError(message, "headers")


def _start(data: bytes) -> str:
    """The first bytes of a file for people."""
    return f"bytes {data[:8].hex(' ')}" if data else "nothing (it is empty)"
