"""What good manifests mean: each key's value, what beats what, and paths seen from the project folder."""

from __future__ import annotations

import pytest
from tests.builders.documents import files_of, load, told_of

from lumpyard.errors import Place
from lumpyard.manifest.model import AUTO, Compression, Mount, Tool

WHOLE = """\
version: 1
seed: 0x10
ignore: [".*", "*~"]
claim: ["assets/**"]
rules: [tools/level_rule.py]
mounts:
  - ../shared-art
  - {path: vendor/base, at: base}
tools:
  toktx: {program: toktx, version: ["--version"], identity: version, expect: "v4.3"}
  cooker: {program: bin/cooker, identity: {files: ["tools/cooker/**/*.cpp"]}}
defaults: {compress: auto}
sets:
  textures:
    root: assets
    files: ["textures/**/*.png", "!**/wip/*"]
    type: TEXR
    schema: 3
    rule: raw
    compress: {codec: lz4hc, level: 12, min_saving: 5%}
    alignment: 256
    name: "{dir}{stem}"
    options: {fast: true}
    optional: false
    overrides:
      - {match: "textures/ui/**", compress: none, schema: 4}
  atlases: {files: "atlas/*/*.png", name: "{dir}atlas.bin", gather: true, rule: atlas}
  dlc_textures: {extends: textures, root: dlc1}
  tables: {files: gen/*.bin, after: [gen_tables]}
archives:
  base:
    sets: [textures, atlases]
    only: "**/*.png"
    exclude: ["**/*.wip.*"]
    path: pak/base.dat
    alignment: 64
    dedupe: true
    format: EWAD
    strip: false
  dlc: {sets: [dlc_textures, tables]}
ship:
  compress: {codec: lz4hc, level: 9}
budgets:
  - {size: 700 MB, growth: +5%}
  - {archive: base, set: textures, type: [TEXR, 0], lumps: "**/*.png", size: 1.5MiB, level: warning}
"""


def test_every_key_of_a_whole_manifest_is_taken() -> None:
    manifest = load(WHOLE)
    assert (manifest.seed, manifest.ignore) == (16, (".*", "*~"))
    assert [pattern.text for pattern in manifest.claim] == ["assets/**"]
    assert [rule.text for rule in manifest.rules] == ["tools/level_rule.py"]
    assert manifest.mounts == (
        Mount("../shared-art", "", Place("assets.yaml", 7, 5)),
        Mount("vendor/base", "base", Place("assets.yaml", 8, 12)),
    )
    toktx, cooker = manifest.tools["toktx"], manifest.tools["cooker"]
    assert toktx == Tool("toktx", Place("assets.yaml", 10, 3), "toktx", ("--version",), "version", (), "v4.3")
    assert (cooker.program, cooker.identity, cooker.files[0].text) == (
        "bin/cooker",
        "files",
        "tools/cooker/**/*.cpp",
    )
    assert manifest.ship_compress == Compression("lz4hc", 9)
    assert manifest.warnings == ()
    textures = manifest.sets["textures"]
    assert (textures.root, textures.optional, textures.gather) == ("assets", False, False)
    assert [(pattern.text, pattern.takes_away) for pattern in textures.files] == [
        ("textures/**/*.png", False),
        ("**/wip/*", True),
    ]
    settings = textures.settings
    assert (settings.fourcc, settings.schema, settings.rule, settings.alignment) == ("TEXR", 3, "raw", 256)
    assert (settings.name, settings.compress) == ("{dir}{stem}", Compression("lz4hc", 12, 5))
    (override,) = textures.overrides
    assert (override.match.text, override.settings.compress, override.settings.schema) == (
        "textures/ui/**",
        Compression("none"),
        4,
    )
    assert manifest.sets["atlases"].gather
    assert [name.text for name in manifest.sets["tables"].after] == ["gen_tables"]
    base, dlc = manifest.archives["base"], manifest.archives["dlc"]
    assert [name.text for name in base.sets] == ["textures", "atlases"]
    assert [pattern.text for pattern in (*base.only, *base.exclude)] == ["**/*.png", "**/*.wip.*"]
    assert (base.path, base.alignment, base.dedupe, base.format, base.strip) == (
        "pak/base.dat",
        64,
        True,
        "EWAD",
        False,
    )
    assert (dlc.path, dlc.alignment, dlc.dedupe, dlc.format, dlc.strip) == (
        "dlc.ewad",
        16,
        False,
        "EWAD",
        True,
    )


def test_places_are_those_of_values_and_for_options_of_the_key() -> None:
    manifest = load(WHOLE)
    places = manifest.sets["textures"].settings.places
    assert places["type"] == Place("assets.yaml", 17, 11)
    assert places["root"] == Place("assets.yaml", 15, 11)
    assert places["options"] == Place("assets.yaml", 23, 5)
    assert manifest.archives["base"].path_place == Place("assets.yaml", 35, 11)


def test_the_least_manifest_has_defaults_for_all() -> None:
    manifest = load("version: 1")
    assert (manifest.sets, manifest.archives, manifest.seed) == ({}, {}, 0)
    assert manifest.ignore == (".*", "Thumbs.db", "*~")
    assert (manifest.files, manifest.ship_compress) == (("assets.yaml",), None)


# Scalars are read by the type that the key calls for, from the text as written.
@pytest.mark.parametrize(
    "text",
    [
        "no",
        "on",
        "1e3",
        "012",
        "1.10",
        "12:30",
        "~",
        "=",
        ".inf",
        "null",
        "true",
        "2001-99-99",
        "0x1F",
        "'7'",
        "é",
    ],
)
def test_a_text_is_what_is_written_whatever_yaml_makes_of_it(text: str) -> None:
    manifest = load(f"version: 1\nsets: {{a: {{files: {text}, name: {text}, rule: {text}}}}}")
    lump_set = manifest.sets["a"]
    written = text.strip("'")
    assert (lump_set.files[0].text, lump_set.settings.name, lump_set.settings.rule) == (written,) * 3


@pytest.mark.parametrize(
    ("text", "fourcc"), [("NO__", "NO__"), ("0", ""), ("1234", "1234"), ("'AB  '", "AB  "), ("null", "null")]
)
def test_a_type_is_four_characters_or_zero(text: str, fourcc: str) -> None:
    manifest = load(f"version: 1\nsets: {{a: {{files: b, type: {text}}}}}")
    assert manifest.sets["a"].settings.fourcc == fourcc


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("65535", 65535), ("0xfF", 255)])
def test_numbers_are_decimal_or_0x(text: str, number: int) -> None:
    assert load(f"version: 1\nsets: {{a: {{files: b, schema: {text}}}}}").sets["a"].settings.schema == number


@pytest.mark.parametrize(
    ("text", "compression"),
    [
        ("none", Compression("none")),
        ("lz4", Compression("lz4")),
        ("lz4hc", Compression("lz4hc", 9)),
        ("auto", AUTO),
        ("{codec: none}", Compression("none")),
        ("{codec: lz4}", Compression("lz4")),
        ("{codec: lz4, min_saving: 99%}", Compression("lz4", 0, 99)),
        ("{codec: lz4hc}", Compression("lz4hc", 9)),
        ("{codec: lz4hc, level: 3, min_saving: 0%}", Compression("lz4hc", 3)),
        ("{codec: lz4hc, level: 12, min_saving: '10%'}", Compression("lz4hc", 12, 10)),
    ],
)
def test_compress_has_all_its_forms(text: str, compression: Compression) -> None:
    assert (
        load(f"version: 1\nsets: {{a: {{files: b, compress: {text}}}}}").sets["a"].settings.compress
        == compression
    )


def test_auto_is_fast_lz4_that_saves_5_percent_of_at_most_64_mib() -> None:
    assert Compression("lz4", 0, 5, 64 << 20, auto=True) == AUTO


@pytest.mark.parametrize(
    ("text", "codec"), [("none", "none"), ("auto", "lz4"), ("lz4hc", "lz4hc"), ("{codec: lz4}", "lz4")]
)
def test_ship_may_say_any_codec(text: str, codec: str) -> None:
    compression = load(f"version: 1\nship: {{compress: {text}}}").ship_compress
    assert compression is not None
    assert compression.codec == codec


def test_what_a_set_says_beats_its_parent_which_beats_defaults() -> None:
    manifest = load(
        """\
version: 1
defaults: {schema: 1, type: AAAA, rule: raw, root: d, optional: true, after: x}
sets:
  parent: {files: p, schema: 2, type: BBBB, overrides: [{match: p, schema: 9}]}
  child: {extends: parent, schema: 3, optional: false}
  grandchild: {extends: child, files: g, overrides: [], root: r}
  other: {files: o}
"""
    )
    sets = manifest.sets
    assert [sets[name].settings.schema for name in ("parent", "child", "grandchild", "other")] == [2, 3, 3, 1]
    assert [sets[name].settings.fourcc for name in ("parent", "child", "grandchild", "other")] == [
        "BBBB"
    ] * 3 + ["AAAA"]
    assert {lump_set.settings.rule for lump_set in sets.values()} == {"raw"}
    assert [sets[name].files[0].text for name in ("child", "grandchild")] == ["p", "g"]
    assert [len(sets[name].overrides) for name in ("parent", "child", "grandchild")] == [1, 1, 0]
    assert [sets[name].root for name in ("parent", "grandchild")] == ["d", "r"]
    assert [sets[name].optional for name in ("parent", "child", "grandchild")] == [True, False, False]
    assert [name.text for name in sets["child"].after] == ["x"]


def test_a_set_may_extend_one_that_comes_later() -> None:
    assert (
        load("version: 1\nsets: {a: {extends: b, type: 0}, b: {files: c, type: TEXT}}")
        .sets["a"]
        .settings.fourcc
        == ""
    )


def test_a_set_that_nothing_comes_of_is_a_warning() -> None:
    manifest = load(
        "version: 1\nsets: {a: {files: x}, b: {files: y}, c: {extends: b}}\narchives: {z: {sets: c}}"
    )
    assert [str(warning) for warning in manifest.warnings] == [
        "assets.yaml:2:8: warning[W0101]: set 'a' is in no archive"
    ]


def test_alignments_of_sets_and_archives_may_differ_where_the_sets_is_the_larger() -> None:
    manifest = load(
        "version: 1\nsets: {a: {files: x, alignment: 256, overrides: [{match: x, alignment: 64}]}}\n"
        "archives: {z: {sets: a, alignment: 64}, y: {sets: a, alignment: 1}, x: {sets: a}}"
    )
    assert [archive.alignment for archive in manifest.archives.values()] == [64, 1, 16]


def test_archives_may_share_stems_in_folders_of_their_own() -> None:
    files = files_of(
        "version: 1\narchives: {a: {sets: [], path: x/a.ewad}, b: {sets: [], path: y/a.ewad}, c: {sets: []}}"
    )
    assert told_of(files) == []


def test_an_archive_may_hold_nothing() -> None:
    assert load("version: 1\narchives: {a: {sets: []}}").archives["a"].sets == ()


def test_a_mount_may_say_how_an_archive_is_read() -> None:
    document = """\
version: 1
mounts: [a.wad, {path: b.pak, at: x/y, format: DAIKATANA, lenient: true}, {path: c.mpq, format: MPQ}]
"""
    a, b, c = load(document).mounts
    assert (a.path, a.at, a.format, a.lenient) == ("a.wad", "", "auto", False)
    assert (b.path, b.at, b.format, b.lenient) == ("b.pak", "x/y", "DAIKATANA", True)
    assert (c.format, c.lenient) == ("MPQ", False)


@pytest.mark.parametrize(("text", "kind"), [("0", 0), ("0x44", 0x44), ("255", 255)])
def test_a_kind_is_a_byte_of_a_set_an_override_or_the_defaults(text: str, kind: int) -> None:
    document = f"version: 1\ndefaults: {{kind: {text}}}\nsets: {{a: {{files: b}}, c: {{files: b, kind: 1}}}}"
    sets = load(document).sets
    assert (sets["a"].settings.kind, sets["c"].settings.kind) == (kind, 1)


@pytest.mark.parametrize(
    ("form", "suffix"),
    [("EWAD", "ewad"), ("IWAD", "wad"), ("PWAD", "wad"), ("PACK", "pak"), ("WAD2", "wad"), ("WAD3", "wad"),
     ("PAK", "pak"), ("DAIKATANA", "pak")],
)  # fmt: skip
def test_an_archive_of_any_format_has_its_suffix(form: str, suffix: str) -> None:
    spec = load(f"version: 1\narchives: {{x: {{sets: [], format: {form}}}}}").archives["x"]
    assert (spec.format, spec.path) == (form, f"x.{suffix}")
    assert (spec.alignment, spec.strip) == ((16, True) if form == "EWAD" else (1, False))
