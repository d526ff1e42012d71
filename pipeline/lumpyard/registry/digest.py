"""What enters a rule's digest, and nothing else: kind, version, library versions, and code of local rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lumpyard.rule import Rule


def rule_digest(rule: Rule, libraries: Mapping[str, str], code: Mapping[str, bytes]) -> str:
    """Hex BLAKE3 of what decides a rule's output besides its sources and options.

    `libraries` holds the version of each of `rule.libraries`; `code` the bytes of each project file that the
    rule is made of, by path from the project folder. Code of installed packages is not in it: they raise
    `version`.
    """
    return _digest(_fields(rule, libraries, code))


def code_digest(root: str, code: Mapping[str, bytes]) -> str:
    """Hex BLAKE3 that tells one version of a project's rule code from all others."""
    return _digest([b"lumpyard rule code 1", _path_bytes(root), *_code_fields(code)])


def _digest(fields: Iterable[bytes]) -> str:
    """Hex BLAKE3 of fields, each with its length, so that no two lists run together alike."""
    from lumpyard.hashing import digest_parts  # noqa: PLC0415 - a no-op build computes no digest

    return digest_parts(len(field).to_bytes(8, "little") + field for field in fields).hex()


def _fields(rule: Rule, libraries: Mapping[str, str], code: Mapping[str, bytes]) -> Iterator[bytes]:
    """The one list of what a rule's digest covers."""
    yield b"lumpyard rule 1"
    yield rule.kind.encode()
    yield str(rule.version).encode()
    for name in sorted(rule.libraries):
        yield b"library"
        yield f"{name} {libraries[name]}".encode()
    yield from _code_fields(code)


def _code_fields(code: Mapping[str, bytes]) -> Iterator[bytes]:
    """Paths and bytes of code, sorted by bytes of the path."""
    for path in sorted(code, key=_path_bytes):
        yield b"file"
        yield _path_bytes(path)
        yield code[path]


def _path_bytes(path: str) -> bytes:
    """A path as the bytes it stands for."""
    return path.encode("utf-8", "surrogateescape")
