"""From any archive, or a folder, to an archive of any format that is written (docs/convert.md)."""

from lumpyard.convert.archives import archive_source, original_source
from lumpyard.convert.folder import SIDECAR, folder_source, sidecar
from lumpyard.convert.model import LOOSE, ORIGIN_NAME, Options, Plan, Source
from lumpyard.convert.planning import plan_conversion
from lumpyard.convert.run import Result, carry_out
from lumpyard.convert.writers import TARGETS

__all__ = [
    "LOOSE",
    "ORIGIN_NAME",
    "SIDECAR",
    "TARGETS",
    "Options",
    "Plan",
    "Result",
    "Source",
    "archive_source",
    "carry_out",
    "folder_source",
    "original_source",
    "plan_conversion",
    "sidecar",
]
