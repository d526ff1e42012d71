"""Codes of the problems that a build finds, all in one table; those of one module stand there."""

from __future__ import annotations

from lumpyard.build.cooking import cook
from lumpyard.build.sources import source_errors
from lumpyard.build.tools import resolving

CODES = {
    **source_errors.CODES,
    "W0501": "an archive isn't as `archives.lock` has it, and `LUMPYARD_LOCK` is `report`",
    "W0502": "another process builds in this project; this one waits until it is done",
    "W0504": "a file in `dist/` is of an archive that the manifest has no more, or has elsewhere",
    "W0505": "`archives.lock` has an archive that the manifest has no more",
    **cook.CODES,
    **resolving.CODES,
    "W0603": "a lump is stored raw though its set asks for LZ4, since it is larger than any LZ4 block can be",
    "W0701": "the store can't be read or written, so what it holds is made again",
    "E0801": "more bytes than a budget's `size`",
    "E0802": "more bytes than the release in `archives.lock` had and a budget's `growth` adds",
    "W0801": "the same as E0801, of a budget that only warns",
    "W0802": "the same as E0802, of a budget that only warns",
    "W0803": "the growth of what a budget counts can't be known: the `.ewsym` of the release isn't in `symbols/`",
    "W0804": "a budget counts no lump of any of its archives",
}
