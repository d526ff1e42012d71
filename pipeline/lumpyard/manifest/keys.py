"""Every key that a manifest may have, where it may stand, and a line on it for editors and people."""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    """One key."""

    doc: str
    required: bool = False


SETTINGS = {
    "type": Key("Type of the lumps: exactly four printable ASCII characters, or 0 for none."),
    "schema": Key("Schema version of the lumps' content, 0 to 65535."),
    "kind": Key("Type byte of the lumps in WAD2 and WAD3, 0 to 255. Default: that of the source, else 0."),
    "rule": Key("Rule that cooks the files. Default: the one rule that has their suffix, else raw."),
    "compress": Key(
        "How the lumps are compressed: none, lz4, lz4hc, auto, or a map of codec, level and min_saving."
    ),
    "alignment": Key("Alignment of the lumps in bytes: a power of two, and a multiple of the archive's."),
    "name": Key(
        "Template of the lump name: {path}, {dir}, {stem}, {suffix}, {lump}, or {STEM} in capitals. Default: {path}."
    ),
    "options": Key("Options of the rule, which checks them."),
}

_SHARED = {
    "root": Key("Folder that patterns and {path} are relative to. Default: the manifest's folder."),
    "optional": Key("Whether patterns may match nothing."),
    "after": Key("doit tasks that make some of the files; they run before the files are listed."),
}

DEFAULTS = SETTINGS | _SHARED

SET = {
    "files": Key("Patterns of the files to take, relative to root; a pattern that starts with ! takes away."),
    "extends": Key("Another set, whose keys this one starts with."),
    "gather": Key("Whether files whose names expand alike make one lump together."),
    "overrides": Key("Other settings for some of the files; in order, later ones win, key by key."),
} | DEFAULTS

OVERRIDE = {
    "match": Key("Pattern of the files that it is for, relative to root.", required=True),
} | SETTINGS

ARCHIVE = {
    "sets": Key("Lump sets that the archive holds.", required=True),
    "only": Key("Patterns of lump names; others are left out."),
    "exclude": Key("Patterns of lump names to leave out."),
    "path": Key(
        "Path of the file under build/ and dist/. Default: the archive's name with the format's suffix."
    ),
    "alignment": Key("Alignment of all lumps in bytes: a power of two, 1 to 2^30. Default: 16."),
    "dedupe": Key("Whether lumps with equal stored bytes share one range of the file. Default: false."),
    "format": Key("Format of the archive. Default: EWAD."),
    "strip": Key("Whether ship builds leave out the names. Default: true for EWAD."),
}

BUDGET = {
    "archive": Key("Archives that the budget is for, each by itself. Default: all."),
    "set": Key("Sets whose lumps count. Default: the whole file, or all lumps that type and lumps take."),
    "type": Key("Types of the lumps that count."),
    "lumps": Key("Patterns of the names of the lumps that count."),
    "size": Key("Most bytes in the file: a number, or one with a unit, such as 12 MB or 8 MiB."),
    "growth": Key(
        "Most that may be added since archives.lock: a percentage or a size, such as +5% or +2 MB."
    ),
    "level": Key("What comes of more: error or warning. Default: error."),
}

MOUNT = {
    "path": Key("Archive or folder to draw sources from; it may lie outside of the project.", required=True),
    "at": Key("Prefix that its files are seen under. Default: the top."),
    "format": Key("Format of an archive; auto goes by its signature. Default: auto."),
    "lenient": Key("Whether an archive may break rules that real ones break. Default: false."),
}

TOOL = {
    "program": Key("Name of a program on PATH, or path of one, relative to the manifest.", required=True),
    "version": Key("Arguments that make it print its version."),
    "identity": Key(
        "What tells one version from another: program (its file), version (what it prints), or files."
    ),
    "expect": Key("Text that must be in what the version command prints."),
}

IDENTITY = {
    "files": Key(
        "Patterns of the files that the program is made of, relative to the manifest.", required=True
    ),
}

COMPRESS = {
    "codec": Key("none, lz4 or lz4hc.", required=True),
    "level": Key("Level of lz4hc, 3 to 12. Default: 9."),
    "min_saving": Key("Percentage that compression must save at least, such as 5%. Default: 0%."),
}

SHIP = {
    "compress": Key("Codec and level that ship builds use where a set says auto."),
}

SHIP_COMPRESS = {name: COMPRESS[name] for name in ("codec", "level")}

MANIFEST = {
    "version": Key("Version of the manifest's rules: 1. Included manifests may leave it out.", required=True),
    "include": Key("More manifests with the same keys; their paths are relative to their own folders."),
    "seed": Key("Where the key seeds of archives start, 0 to 2^64-1. Default: 0."),
    "ignore": Key('Patterns of file names that are never taken. Default: ".*", "Thumbs.db" and "*~".'),
    "claim": Key("Patterns of files that must each be in some set, or ignored; lint."),
    "rules": Key("Python files of the project with a RULE each."),
    "mounts": Key("Archives and folders beside the project's own, later ones above earlier ones."),
    "tools": Key("Outside programs that command rules run, by name."),
    "defaults": Key("Settings for every set of this manifest and of those it includes."),
    "sets": Key("Lump sets by name."),
    "archives": Key("Archives by name."),
    "ship": Key("What is different in ship builds."),
    "budgets": Key("How large archives, sets, types and lumps may be, and how much they may grow."),
}
