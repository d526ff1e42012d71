"""The virtual file system: archives and folders mounted over each other, seen as one tree (docs/vfs.md)."""

from lumpyard.vfs.explaining import Candidate, Explanation
from lumpyard.vfs.handle import View
from lumpyard.vfs.layer import Found, Hidden, Layer, Listing
from lumpyard.vfs.namerules import NAME_RULES, NameRule
from lumpyard.vfs.opening import Reading, find_archives, open_layer
from lumpyard.vfs.state import Mounted, Order
from lumpyard.vfs.system import CACHE_SIZE, FileStat, Vfs

__all__ = [
    "CACHE_SIZE",
    "NAME_RULES",
    "Candidate",
    "Explanation",
    "FileStat",
    "Found",
    "Hidden",
    "Layer",
    "Listing",
    "Mounted",
    "NameRule",
    "Order",
    "Reading",
    "Vfs",
    "View",
    "find_archives",
    "open_layer",
]
