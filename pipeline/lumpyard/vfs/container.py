"""An open archive with the file that its bytes are in, which must not have changed since it was mounted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import DiskError, naming

if TYPE_CHECKING:
    from lumpyard.archives.model import Archive
    from lumpyard.disk.mapped import MappedFile


class Container(NamedTuple):
    """An open archive."""

    label: str  # its path as given, `ARCHIVE!LUMP` for a nested one
    archive: Archive
    file: MappedFile | None  # that its bytes are in, or came from; None for an archive in memory

    def read(self, index: int) -> memoryview | bytes:
        """The bytes of a lump; errors name the archive and the entry."""
        self.check()
        with naming(self.label):
            return self.archive.read(index)

    def check(self) -> None:
        """DiskError where the archive's file has changed."""
        if self.file is not None and self.file.has_changed():
            message = f"cannot read {self.file.path}: it has changed since it was mounted; mount it again"
            raise DiskError(message)

    def close(self) -> None:
        """Let go of the file."""
        if self.file is not None:
            self.file.close()
