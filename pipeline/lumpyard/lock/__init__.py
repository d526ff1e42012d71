"""`archives.lock`: the few lines per archive that are kept in git (design.md, section 9).

JSON with sorted keys, two-space indent and LF, so that it merges block by block:

    {
      "archives": {
        "base": {
          "alignment": 16,
          "archive_hash": "16 hex digits",
          "content_id": "64 hex digits",
          "format": "EWAD",
          "inputs": {"codec": "...", "manifest": digest, "rules": {KIND: digest}, "tools": {TOOL: digest}},
          "ledger": "BLAKE3 of the .ewsym, 64 hex digits",
          "lumps": 3, "raw_size": 10, "seed": 0,
          "sets": {SET: content id of its lumps},
          "size": 300, "stored_size": 10
        }
      },
      "version": 1
    }
"""

from lumpyard.lock.compare import Difference, causes_of, compare_block, explain_differences, fails_check
from lumpyard.lock.model import Block, Inputs, Lock, drop_blocks, merge_block
from lumpyard.lock.text import parse_lock, render_lock

__all__ = [
    "Block",
    "Difference",
    "Inputs",
    "Lock",
    "causes_of",
    "compare_block",
    "drop_blocks",
    "explain_differences",
    "fails_check",
    "merge_block",
    "parse_lock",
    "render_lock",
]
