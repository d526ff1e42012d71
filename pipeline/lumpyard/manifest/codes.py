"""Codes of the problems that reading a manifest finds; they are stable, people filter by them.

E stops the build, W does not. `MEANINGS` holds one line for each code, which docs/manifest.md repeats.
"""

from __future__ import annotations

MEANINGS: dict[str, str] = {}


def _code(code: str, meaning: str) -> str:
    MEANINGS[code] = meaning
    return code


# The file and its YAML. Those marked alone are reported without any others, which may follow from them.
UNREADABLE = _code("E0101", "The manifest isn't there or can't be read. (alone)")
NOT_TEXT = _code(
    "E0102", "The file isn't UTF-8, starts with a byte order mark, or holds a control character. (alone)"
)
TOO_BIG = _code("E0103", "The file is over 1 MiB, or nests deeper than 32 levels. (alone)")
SYNTAX = _code("E0104", "The text breaks the rules of YAML. (alone)")
DOCUMENTS = _code("E0105", "The file holds no YAML document, or several. (alone)")
VERSION = _code("E0106", "`version` isn't one that this Lumpyard reads. (alone)")
ALIAS = _code("E0107", "An anchor or alias: a text that starts with `&` or `*` needs quotes.")
TAG = _code("E0108", "A tag: a text that starts with `!` needs quotes.")
MERGE = _code("E0109", "A merge key `<<`.")
REPEATED_KEY = _code("E0110", "A key stands twice in one map.")
ODD_KEY = _code("E0111", "A key is a list or a map.")

# Keys and the types of their values.
UNKNOWN_KEY = _code("E0120", "A key that isn't known here.")
MISSING_KEY = _code("E0121", "A key that must be there is missing.")
WRONG_TYPE = _code("E0122", "A value of the wrong type, such as a list for a number.")
OUT_OF_RANGE = _code("E0123", "A number that is too small or too big.")
NOT_A_CHOICE = _code("E0124", "A word that isn't one of those that may stand here.")
BAD_ID = _code("E0125", "The name of a set, archive or tool has a character that such names can't have.")
EMPTY = _code("E0126", "A text or list is empty where something must stand.")

# What values mean.
BAD_GLOB = _code("E0130", "A pattern that means nothing in the glob dialect.")
BAD_PATH = _code("E0131", "A path that is absolute, leaves the project, or has a backslash.")
WRITTEN_FOLDER = _code(
    "E0132", "A source lies in a folder that Lumpyard writes or never enters, such as `build`."
)
BAD_TEMPLATE = _code("E0133", "A `name` template with an unknown field or a brace without its partner.")
BAD_TYPE = _code("E0134", "`type` isn't four printable ASCII characters, or 0.")
BAD_COMPRESS = _code("E0135", "`compress` has a level or saving that its codec can't have.")
BAD_ALIGNMENT = _code(
    "E0136", "An alignment isn't a power of two, or a set's is no multiple of its archive's."
)
TAKES_NOTHING = _code("E0137", "All patterns of `files` take away, and none takes.")
TOOL_VERSION = _code("E0138", "A tool's `identity` or `expect` needs arguments in `version`.")
OPTIONS = _code("E0139", "Options that don't go together, in the words of their rule.")

# What refers to something else.
UNKNOWN_SET = _code("E0140", "A set that `extends` or `sets` names doesn't exist.")
EXTENDS_CYCLE = _code("E0141", "Sets extend each other in a circle.")
INCLUDE_CYCLE = _code("E0142", "Manifests include each other in a circle.")
NO_INCLUDE = _code("E0143", "A manifest that `include` names isn't there or can't be read.")
SAID_TWICE = _code(
    "E0144", "Two manifests define the same set, archive or tool, or both say `seed`, `ignore` or `ship`."
)
LISTED_TWICE = _code("E0145", "An archive lists one set twice.")

# Archives.
ONE_OUTPUT = _code("E0150", "Two archives write the same file, or one's file is the other's folder.")
BAD_OUTPUT = _code(
    "E0151", "An archive's `path` leaves `build/`, is taken by Lumpyard, or no file system could hold it."
)
FORMAT_HOLDS = _code(
    "E0152",
    "The format can't hold what `strip`, `seed`, `alignment`, `dedupe`, `compress`, `type`, `schema` or `kind` asks.",
)
BAD_BUDGET = _code(
    "E0160", "A budget's `size` is no number of bytes, or its `growth` neither that nor a percentage."
)
UNKNOWN_ARCHIVE = _code("E0161", "A budget names an archive that doesn't exist.")

UNUSED_SET = _code("W0101", "A set that no archive uses and no set extends.")
IDLE_BUDGET = _code("W0102", "A budget names a set that none of its archives holds.")
