"""What is said of an archive that was read all the same: leniencies, and what is odd but legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.console.sizes import count_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.archives.model import Finding
    from lumpyard.cli.archive_file import ArchiveFile
    from lumpyard.cli.output import Output

_MOST_SHOWN = 20  # of one archive; a tool that does one thing wrong does it in thousands of entries


def print_warnings(file: ArchiveFile, err: Output, entry: int | None = None) -> None:
    """Write the warnings of an archive; with an entry, those that are about it or about the whole."""
    found = file.archive.warnings
    if entry is not None:
        found = [warning for warning in found if warning.entry in {None, entry}]
    print_findings(file.path, found, err)


def print_findings(path: str, findings: Iterable[Finding], err: Output) -> None:
    """Write findings as warnings, the first of many."""
    found = list(findings)
    for warning in found[:_MOST_SHOWN]:
        err.warning(f"{path}: {warning.message}")
    more = len(found) - _MOST_SHOWN
    if more > 0:
        err.warning(
            f"{path}: and {count_text(more, 'warning')} more; `lumpyard verify --json` lists them all"
        )
