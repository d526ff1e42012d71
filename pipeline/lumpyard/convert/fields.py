"""A JSON document that is asked for fields of one type each; every answer is what was asked for, or an error."""

from __future__ import annotations

from typing import Any

from lumpyard.errors import MalformedError


class Fields:
    """A JSON object that is asked for fields of one type each."""

    def __init__(self, value: Any, what: str, where: str) -> None:
        self._what = what
        self.where = where
        if not isinstance(value, dict):
            raise unusable(what, f"{where} is not an object")
        self._value: dict[str, Any] = value

    def is_given(self, key: str) -> bool:
        """Whether a field is there, and not null."""
        return self._value.get(key) is not None

    def text(self, key: str) -> str:
        """A text."""
        value = self._value.get(key)
        if not isinstance(value, str):
            raise self.wrong(key, "a text")
        return value

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """One of some words."""
        value = self.text(key)
        if value not in choices:
            raise self.wrong(key, f"one of {', '.join(choices)}")
        return value

    def name(self, key: str) -> bytes:
        """The bytes of a name."""
        try:
            return self.text(key).encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raise self.wrong(key, "a name") from None

    def hex(self, key: str) -> bytes:
        """Bytes."""
        try:
            return bytes.fromhex(self.text(key))
        except ValueError:
            raise self.wrong(key, "hex digits") from None

    def hash(self, key: str) -> int:
        """16 hex digits."""
        data = self.hex(key)
        if len(data) != 8:
            raise self.wrong(key, "16 hex digits")
        return int.from_bytes(data, "big")

    def four_bytes(self, key: str) -> bytes:
        """Four bytes, each a character up to U+00FF."""
        try:
            data = self.text(key).encode("latin-1")
        except UnicodeEncodeError:
            data = b""
        if len(data) != 4:
            raise self.wrong(key, "four bytes")
        return data

    def number(self, key: str, most: int) -> int:
        """A number from 0 on."""
        value = self._value.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
            raise self.wrong(key, f"a number from 0 to {most}")
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self._value.get(key)
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def fields(self, key: str) -> Fields:
        """An object."""
        return Fields(self._value.get(key), self._what, f"`{key}`")

    def items(self, key: str) -> list[Any]:
        """A list."""
        value = self._value.get(key)
        if not isinstance(value, list):
            raise self.wrong(key, "a list")
        return value

    def wrong(self, key: str, right: str) -> MalformedError:
        """The error for a field that is not what it must be."""
        return unusable(self._what, f"`{key}` of {self.where} is not {right}")


def unusable(what: str, why: str) -> MalformedError:
    """The error for a document that says what cannot be."""
    return MalformedError(f"{what} cannot be used: {why}", "origin")
