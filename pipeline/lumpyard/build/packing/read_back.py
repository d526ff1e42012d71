"""Reading back what was written: a new archive before it takes its final name.

The lumps are read while their directory is still being made, by other processes where that pays.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from lumpyard.archives.opening import open_archive
from lumpyard.build.packing.checking import damage_in
from lumpyard.build.packing.pack import WORTH_A_CREW
from lumpyard.build.workers.parallel import Beside, choose_crew
from lumpyard.errors import ArchiveError
from lumpyard.manifest.formats import FORMATS

if TYPE_CHECKING:
    from typing import Self

    from lumpyard.archives.model import Archive
    from lumpyard.build.earlier.record import Rows
    from lumpyard.build.packing.layouts import Finished
    from lumpyard.build.packing.packed import Packed
    from lumpyard.disk import NewFile

_WORTH_SHARING = 256 << 20  # bytes of an archive from which several processes read it back


class ReadBack:
    """A new archive's lumps, read while it is finished; a context manager, which ends who still reads.

    `whole` reads the bytes of every lump, and that the padding between them is zero; else those of the lumps that were
    made anew. `wish` is LUMPYARD_WORKERS.
    """

    def __init__(self, file: NewFile, packed: Packed, *, whole: bool, wish: str) -> None:
        crew = choose_crew(packed.end, WORTH_A_CREW, wish=wish)
        parts = crew.workers if crew.kind == "fork" and packed.end >= _WORTH_SHARING else 1
        self._file = file
        self._packed = packed
        self._found = ""
        self._readers: list[Beside] = []
        try:
            for part in range(parts):
                check = partial(check_part, file, packed, whole=whole, share=(part, parts))
                self._readers.append(Beside(check, crew))
        except BaseException:
            self._end()
            raise

    def check_metadata(self, finished: Finished, format_name: str) -> None:
        """Check what was written since, too."""
        self._found = check_metadata(self._file, self._packed.rows, finished, format_name)

    def damage(self) -> str:
        """What is wrong with the archive under its temporary name, or ""."""
        return self._found or next(filter(None, [reader.result() for reader in self._readers]), "")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        for reader in self._readers:
            reader.cancel()


def check_part(file: NewFile, packed: Packed, *, whole: bool, share: tuple[int, int] = (0, 1)) -> str:
    """What is wrong with the lumps of a new archive, or ""; several may share it.

    `share` is the number of a part and how many parts there are.
    """
    part, parts = share
    rows, start = packed.rows, packed.start
    # Quick: only dedupe leaves the order of the directory.
    lumps = sorted(range(len(rows)) if whole else packed.made, key=rows.column("offset").__getitem__)
    if parts > 1:
        lumps, start = _part(rows, lumps, start, part, parts)
    return damage_in(file.read_at, rows, lumps, start if whole else None)


def _part(rows: Rows, lumps: list[int], start: int, part: int, parts: int) -> tuple[list[int], int]:
    """One of several parts of about the same size, and where what lies before it ends."""
    offsets, sizes = rows.column("offset"), rows.column("stored_size")
    before = list(accumulate(map(sizes.__getitem__, lumps), initial=0))
    first, stop = (bisect_left(before, before[-1] * number // parts) for number in (part, part + 1))
    end = max([start, *(offsets[index] + sizes[index] for index in lumps[:first])])
    return lumps[first : len(lumps) if part == parts - 1 else stop], end


def check_metadata(file: NewFile, rows: Rows, finished: Finished, format_name: str) -> str:
    """What is wrong with the metadata of a new archive, or ""."""
    with file.map() as mapping:
        try:
            archive = open_archive(mapping.data, format_name)
        except ArchiveError as error:
            return f"what was written does not read back: {error}"
        if not _is_as_meant(archive, rows, finished):
            return "what was written does not read back as it was meant"
    return ""


def _is_as_meant(archive: Archive, rows: Rows, finished: Finished) -> bool:
    """Whether the metadata of a new archive says what was written."""
    if archive.size != finished.size:
        return False
    if FORMATS[archive.format].holds_all:
        return archive.archive_hash == finished.archive_hash
    names = [name.encode("utf-8", "surrogateescape") for name in rows.names]
    meant = zip(names, *map(rows.column, ("offset", "stored_size", "raw_size")), strict=True)
    return [lump[:4] for lump in archive.lumps] == list(meant)
