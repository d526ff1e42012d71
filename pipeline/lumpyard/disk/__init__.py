"""The one door to files: everything else is handed bytes, or calls this.

Paths are text with forward slashes; what is not UTF-8 in them is surrogate escapes. Whatever the system
refuses leaves as errors.DiskError with one line: "cannot write dist/base.ewad: No space left on device".

Not loaded here, since every no-op would pay for it: files that grow (`disk.appending`), copying from file to file
(`disk.copying`), writing below a folder that may hold planted links (`disk.below`), files that stay mapped
(`disk.mapped`), programs and their scratch folders (`disk.processes`, `disk.scratch`).
"""

from lumpyard.disk.clock import file_clock
from lumpyard.disk.folders import find_program, make_folder, remove_file, remove_folder_tree
from lumpyard.disk.locking import lock_holder, project_lock
from lumpyard.disk.paths import from_system, native, parent, real_path
from lumpyard.disk.reading import (
    FileMap,
    Mapping,
    OpenFile,
    open_map,
    read_file,
    read_if_steady,
    read_if_there,
    read_with_stat,
)
from lumpyard.disk.scan import STAT, FolderScan, iter_files, scan_folder
from lumpyard.disk.seeking import IOV_MAX, PIECE
from lumpyard.disk.stats import Stat, is_there, stat_file, what_is
from lumpyard.disk.temporaries import sweep_temporaries
from lumpyard.disk.writing import NewFile, write_file, write_if_changed

__all__ = [
    "IOV_MAX",
    "PIECE",
    "STAT",
    "FileMap",
    "FolderScan",
    "Mapping",
    "NewFile",
    "OpenFile",
    "Stat",
    "file_clock",
    "find_program",
    "from_system",
    "is_there",
    "iter_files",
    "lock_holder",
    "make_folder",
    "native",
    "open_map",
    "parent",
    "project_lock",
    "read_file",
    "read_if_steady",
    "read_if_there",
    "read_with_stat",
    "real_path",
    "remove_file",
    "remove_folder_tree",
    "scan_folder",
    "stat_file",
    "sweep_temporaries",
    "what_is",
    "write_file",
    "write_if_changed",
]
