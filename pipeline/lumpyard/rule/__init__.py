"""What a rule is: a frozen value with a `cook` function (docs/rules.md).

A rule turns sources into lumps. It is a pure function of the sources' bytes, its options, and whatever it
asks its `Source` for; every answer, also a "no", is recorded and decides whether the rule must run again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

_KIND = re.compile(r"[a-z][a-z0-9-]*")
_ARCHIVE_OPTIONS = {"only", "exclude", "format", "lenient", "names", "rule"}  # what the plan goes by


class Product(NamedTuple):
    """One lump that a rule made."""

    data: bytes
    name: str | None = None  # None: the one that was announced
    fourcc: str | None = None  # None: the rule's
    schema: int | None = None  # None: the rule's


class Source(Protocol):
    """One source file, and the rule's only window on the world.

    Paths are seen from the project folder, with forward slashes. Whatever a method answers is recorded, so a
    later build runs the rule again exactly when an answer would differ.
    """

    @property
    def path(self) -> str:
        """Path of the file."""
        ...

    @property
    def name(self) -> str:
        """Name that the manifest gives the lump (the name of the first lump where a rule makes several)."""
        ...

    @property
    def data(self) -> bytes:
        """The file's bytes."""
        ...

    def read(self, path: str) -> bytes:
        """Bytes of another file; a missing one is a CookError at this source."""
        ...

    def exists(self, path: str) -> bool:
        """Whether another file is there."""
        ...

    def glob(self, pattern: str) -> Sequence[str]:
        """Paths of the files that a pattern matches now, sorted by bytes."""
        ...

    def run(
        self,
        tool: str,
        args: Sequence[str],
        *,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        depfile: str = "",
        env: Sequence[str] = (),
        timeout: float = 120.0,
        files: Mapping[str, bytes] | None = None,
    ) -> Mapping[str, bytes]:
        """Bytes of each of `outputs` after a run of one of the manifest's tools in a scratch folder.

        The folder mirrors the project and is the tool's current folder: `outputs` and `depfile` are paths seen from
        there. It holds all sources of the lump and what the globs `inputs` match (`!` ahead takes away). A depfile
        that ends in `.json` is JSON, else make's; with one, only the inputs that it names count. `env` names the
        variables that the tool sees, `timeout` is in seconds. `files` are laid there too, at their paths: what the rule
        itself makes of its source for the tool. Whatever goes wrong is a CookError.
        """
        ...

    def problem(
        self, message: str, *, line: int = 0, column: int = 0, hint: str = "", warning: bool = False
    ) -> None:
        """Report a problem at a place in this source; an error fails the cook once `cook` has returned."""
        ...


@dataclass(frozen=True, slots=True)
class NoOptions:
    """Options of a rule that has none."""


def own_name(name: str, options: object) -> Sequence[str] | None:  # noqa: ARG001 - the signature of `products`
    """The default announcement: one lump, under the name that the manifest gives it."""
    return (name,)


def no_tools(options: object) -> Iterable[str]:  # noqa: ARG001 - the signature of `tools`
    """What a rule says that runs no tool, or knows only while it cooks which; a missing one is told then."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A kind of cooking, as the plan and the build see it.

    `options` is a frozen dataclass whose fields (bool, int, float, str, Literal, tuples of these, or `|
    None`) are the keys that the manifest may set; a `check(self) -> str` method may return what is wrong with
    a combination. A field's `metadata={"doc": "..."}` is its line in `lumpyard rules`.
    """

    kind: str
    version: int  # raised whenever output changes
    cook: Callable[[Sequence[Source], Any], Iterable[Product]]
    suffixes: AbstractSet[str] = field(default=frozenset())  # lower case, with the dot; matched without case
    fourcc: str = ""  # four printable ASCII characters; "" is the number 0
    schema: int = 0
    options: type = NoOptions
    products: Callable[[str, Any], Sequence[str] | None] = own_name  # None: known after cooking
    tools: Callable[[Any], Iterable[str]] = no_tools  # those of the manifest that it runs with these options
    costly: bool = False  # results are kept, durable at once, in the store
    verbatim: bool = False  # the lump is its one source, unchanged: `cook` is never called
    expands: bool = False  # sources are archives, and the plan takes their lumps (plan/expansion.py)
    libraries: tuple[str, ...] = ()  # distributions whose versions decide the output
    summary: str = ""  # one line for `lumpyard rules`

    def __post_init__(self) -> None:
        """Refuse, by name, a rule that could not work (a bad plugin fails when it is registered)."""
        for holds, message in (
            (bool(_KIND.fullmatch(self.kind)), "kind must be lower-case letters, digits and '-'"),
            (isinstance(self.version, int) and self.version >= 1, "version must be 1 or more"),
            (callable(self.cook), "cook must be callable"),
            (callable(self.products), "products must be callable"),
            (callable(self.tools), "tools must be callable"),
            (
                all(map(_is_suffix, self.suffixes)),
                "suffixes are lower case, start with a dot and are not it alone",
            ),
            (self.fourcc == "" or is_fourcc(self.fourcc), "fourcc must be four printable ASCII characters"),
            (isinstance(self.schema, int) and 0 <= self.schema <= 0xFFFF, "schema must be 0 to 65535"),
            (not isinstance(self.libraries, str), "libraries must be a tuple of names"),
            (_is_frozen(self.options), "options must be a frozen dataclass"),
            (
                not self.expands or {item.name for item in fields(self.options)} >= _ARCHIVE_OPTIONS,
                f"options of one that expands have the fields {', '.join(sorted(_ARCHIVE_OPTIONS))}",
            ),
        ):
            if not holds:
                raise TypeError(f"rule {self.kind!r}: {message}")
        object.__setattr__(
            self, "suffixes", frozenset(self.suffixes)
        )  # `{".txt"}` may be given, and is not hashable
        object.__setattr__(self, "libraries", tuple(self.libraries))


def _is_suffix(text: str) -> bool:
    """Whether a file name can end so, and a lookup without case finds it."""
    return len(text) > 1 and text.startswith(".") and text == text.lower() and "/" not in text


def _is_frozen(options: type) -> bool:
    """Whether a class is a frozen dataclass."""
    return is_dataclass(options) and bool(options.__dataclass_params__.frozen)  # type: ignore[attr-defined]


def only(sources: Sequence[Source]) -> Source:
    """The first source, for a rule that makes one lump of one file; others are reported as too many."""
    for other in sources[1:]:
        message = f"this rule takes one file, but {sources[0].path} was gathered into the same lump"
        other.problem(
            message, hint="give the set a `name` that tells its files apart, or a rule that joins files"
        )
    return sources[0]


def read_text(source: Source) -> str | None:
    """A source as text with its byte order mark; None, and a problem, at the first byte that is not UTF-8."""
    data = source.data
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = place_of(data, error.start)
        message = f"byte 0x{data[error.start]:02x} is not UTF-8 here ({error.reason})"
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            message = "the file starts with a byte order mark of UTF-16, not UTF-8"
        source.problem(message, line=line, column=column, hint="save the file as UTF-8")
        return None


def place_of(data: bytes, offset: int) -> tuple[int, int]:
    """Line and column of an offset into a text file, both from 1, for `Source.problem`.

    Lines end with LF, CR LF or CR. Columns count characters, as editors do: a byte order mark is none, a byte
    that is not UTF-8 is one.
    """
    if data[offset - 1 : offset + 1] == b"\r\n" and offset:
        offset -= 1
    head = data[:offset]
    line = head.count(b"\n") + head.count(b"\r") - head.count(b"\r\n") + 1
    start = max(head.rfind(b"\n"), head.rfind(b"\r")) + 1
    if start == 0 and head.startswith(b"\xef\xbb\xbf"):
        start = 3
    return line, len(head[start:].decode("utf-8", "surrogateescape")) + 1


def is_fourcc(text: str) -> bool:
    """Whether a text is exactly four printable ASCII characters."""
    return len(text) == 4 and all(" " <= char <= "~" for char in text)


def fourcc_number(text: str) -> int:
    """The u32 that a fourcc stands for in an archive, its first character lowest; 0 for the empty text."""
    return int.from_bytes(text.encode("ascii"), "little")
