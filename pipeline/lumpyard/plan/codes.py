"""Codes of the problems that planning finds; they are stable, people filter by them.

E stops the build, W does not. `MEANINGS` holds one line for each code, which docs/manifest.md repeats.
"""

from __future__ import annotations

MEANINGS: dict[str, str] = {}


def _code(code: str, meaning: str) -> str:
    MEANINGS[code] = meaning
    return code


NO_ROOT = _code("E0201", "The folder that a set's `root` names isn't there, or is not a folder.")
NO_MOUNT = _code(
    "E0202",
    "What `mounts` names isn't there, can't be listed, or is a file that can't be read as an archive.",
)
NO_FILE = _code("E0203", "A pattern of `files` matches no file, and the set isn't `optional`.")
NO_OVERRIDE = _code(
    "E0204", "An override's `match` matches no file of its set, and the set isn't `optional`."
)
IS_FOLDER = _code("E0205", "A pattern of `files` names a folder where a file is expected.")
IS_ODD = _code(
    "E0206", "A pattern of `files` matches something that isn't a file: a FIFO, a link to nowhere."
)
UNKNOWN_RULE = _code("E0210", "No rule has the kind that `rule` names.")
TWO_RULES = _code("E0211", "Two rules have a file's suffix, and the set doesn't say which one it wants.")
BAD_PRODUCTS = _code(
    "E0212", "A rule failed, or gave no list of names, when it was asked which lumps it will make."
)
ONE_TYPE = _code("E0213", "`type` or `schema` stands where the rule makes several lumps from one source.")
MIXED_GATHER = _code("E0215", "Files that are gathered into one lump have different settings.")
LONE_FILE_RULE = _code("E0216", "Files are gathered into one lump for a rule that takes one file as it is.")
BAD_CHECK = _code("E0217", "A rule failed when it checked its options.")
UNKNOWN_TOOL = _code("E0218", "A rule runs a tool that the manifest doesn't have.")
LONG_NAME = _code("E0221", "A lump name is empty or longer than 255 bytes.")
BAD_NAME = _code(
    "E0222", "A lump name isn't a clean path: a leading or doubled slash, `.` or `..`, a NUL, `\\`."
)
TWO_SOURCES = _code("E0223", "Two sources have one lump name in one archive.")
NO_FIT = _code("E0225", "The archive's format can't hold a lump's name, or so many lumps.")
NO_ARCHIVE = _code("E0230", "A source of rule `archive` can't be read as an archive.")
BAD_CHOICE = _code(
    "E0231", "An option of rule `archive` means nothing: a bad pattern, or a rule that cooks no lumps."
)
TAKEN_TWICE = _code("E0224", "Two sets of one archive take the same file under the same lump name.")

TAKES_NOTHING = _code("W0201", "A pattern with `!` takes nothing away.")
SELECTS_NOTHING = _code("W0202", "A pattern of `only` or `exclude` matches no lump name.")
CASE_TWINS = _code(
    "W0203", "Lump names differ only in case or Unicode form; some file systems can't hold both."
)
FILE_AND_FOLDER = _code("W0204", "A lump name is also the folder of another; no file system can hold both.")
NOT_FOLLOWED = _code(
    "W0205", "A link out of the project stands where a pattern looks for folders; it is not followed."
)
LEFT_OUT = _code(
    "W0206",
    "A source archive has entries that can't be seen as files, or broken rules that a lenient reading lets pass.",
)
ODD_FIT = _code("W0207", "The archive's format holds a lump's name, but not all that read it take it.")
UNCLAIMED = _code("W0210", "A file that `claim` matches is in no set, and nothing ignores it.")
CLAIMS_NOTHING = _code("W0211", "A pattern of `claim` matches no file.")
