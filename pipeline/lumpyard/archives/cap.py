"""How much larger than its file an archive's lumps may be, which bounds the work of reading all of them."""

from __future__ import annotations

from lumpyard.archives.model import Finding
from lumpyard.errors import MalformedError

MAX_FOLD = 16  # all stored sizes together, at most so many times the file's


def cap_finding(stored_size: int, file_size: int) -> Finding | None:
    """What is wrong (code `cap`) where all stored sizes, added up, are more than 16 times the file's."""
    if stored_size <= MAX_FOLD * file_size:
        return None
    found = f"{stored_size} bytes, more than {MAX_FOLD} times the file's {file_size}"
    return Finding("cap", f"the lumps together have {found}")


def check_cap(stored_size: int, file_size: int) -> None:
    """MalformedError (code `cap`) in that case."""
    found = cap_finding(stored_size, file_size)
    if found is not None:
        raise MalformedError(found.message, found.code)
