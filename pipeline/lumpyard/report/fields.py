"""Names as fields of JSON."""

from __future__ import annotations


def name_data(name: str, field: str = "name") -> dict[str, str]:
    """A name as a field; one that isn't UTF-8 also as `name_hex`, for programs that take no lone surrogates."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return {field: name, f"{field}_hex": name.encode("utf-8", "surrogateescape").hex()}
    return {field: name}
