r"""A file that says for which maps a WAD's nodes, BLOCKMAP and REJECT were made: `castle.fingerprints` of `castle.wad`.

A WAD does not say whether its maps were changed after they had been built. This file does, when it was written beside a
WAD that is right:

    lumpyard fingerprints 1
    # comment
    FINGERPRINT TABLE NAME

FINGERPRINT is the map's (`maps.fingerprint`), which stays when a builder numbers all anew. TABLE is a digest of REJECT
and of the sectors in the order of their numbers, since REJECT is about numbers and nothing in the map says whose. Both
are 64 hexadecimal digits. What is not ASCII in a name, or a blank, is written `\xNN`. A map that a
WAD has twice has two lines.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import MalformedError
from lumpyard.hashing import digest_parts
from lumpyard.maps.fingerprint import fingerprint, sector_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from typing_extensions import Buffer

    from lumpyard.maps.model import DoomMap

SUFFIX = ".fingerprints"
HEAD = "lumpyard fingerprints 1"
NOT_RECORDED, CHANGED, RENUMBERED, SAME = "not-recorded", "changed", "renumbered", "same"
_VERSION = "1"  # of TABLE
_LINE = re.compile(r"([0-9a-f]{64}) ([0-9a-f]{64}) ([!-~]+)")
_MOST = 16 * 1024 * 1024  # bytes of a file; a line has 140


class Recorded(NamedTuple):
    """What is known of a map whose lumps are right."""

    fingerprint: str
    table: str


Records = dict[str, list[Recorded]]  # by the map's name, as the file writes it


def record(level: DoomMap) -> Recorded:
    """The record of a map as it is."""
    sectors = "\n".join([_VERSION, *sector_names(level), ""])  # none has a line's end in it
    table = digest_parts([sectors.encode("ascii"), level.lumps.get("REJECT", b"")])
    return Recorded(fingerprint(level), table.hex())


def beside(path: str) -> str:
    """The path of the file for a WAD's path."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.rpartition('.')[0] or name}{SUFFIX}"


def name_of(level: DoomMap) -> str:
    """A map's name as the file writes it."""
    raw = level.name.upper().encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if 0x21 <= byte <= 0x7E and byte != 0x5C else f"\\x{byte:02x}" for byte in raw)


def judge(level: DoomMap, records: Mapping[str, Sequence[Recorded]]) -> str:
    """SAME, RENUMBERED where REJECT or the sectors' numbers are others, CHANGED, or NOT_RECORDED."""
    known = records.get(name_of(level), ())
    if not known:
        return NOT_RECORDED
    now = record(level)
    if now in known:
        return SAME
    return RENUMBERED if any(each.fingerprint == now.fingerprint for each in known) else CHANGED


def is_record(data: Buffer) -> bool:
    """Whether a file is one of fingerprints, by its first line."""
    return bytes(memoryview(data)[: len(HEAD)]) == HEAD.encode()


def parse(data: bytes) -> Records:
    """The records of a file. MalformedError (`fingerprints`) with the line that is none."""
    if len(data) > _MOST:
        raise MalformedError(f"the file has {len(data)} bytes, more than the {_MOST} of any", "fingerprints")
    lines = data.decode("utf-8", "replace").removeprefix("\ufeff").splitlines() or [""]
    if lines[0].rstrip() != HEAD:
        raise MalformedError(f"line 1 is {lines[0][:40]!r}, not {HEAD!r}", "fingerprints")
    records: Records = {}
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or line.startswith("#"):
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise MalformedError(
                f"line {number} is {line[:40]!r}, not two digests of 64 digits and a map's name",
                "fingerprints",
            )
        records.setdefault(found[3], []).append(Recorded(found[1], found[2]))
    return records


def render(records: Mapping[str, Iterable[Recorded]]) -> str:
    """A file's text, sorted by name."""
    lines = [
        f"{each.fingerprint} {each.table} {name}"
        for name in sorted(records)
        for each in sorted(set(records[name]))
    ]
    note = "# Maps whose nodes, BLOCKMAP and REJECT are right; written by: lumpyard map FILE --record"
    return "\n".join([HEAD, note, *lines, ""])
