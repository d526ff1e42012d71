"""A whole report as a person reads it."""

from __future__ import annotations

import pytest
from tests.builders.documents import Files

from lumpyard.console.problems import render_problems
from lumpyard.errors import ProblemsError
from lumpyard.manifest import load_manifest

DOCUMENTS = {
    "assets.yaml": """\
version: 1
include: [levels.yaml, gone.yaml]
sets:
  textures:
    fils: "*.png"
    type: TEX
    compress: {codec: lz4hc, level: 2}
  Bäume: {files: "*"}
archives:
  base: {sets: [texture], path: ../base.ewad}
""",
    "levels.yaml": "sets:\n  maps: {files: !maps/*, name: {stem}}\n",
}

GOLDEN = """\
assets.yaml:2:24: error[E0143]: there is no manifest 'gone.yaml'
  2 | include: [levels.yaml, gone.yaml]
    |                        ^

assets.yaml:4:3: error[E0121]: set 'textures' needs the key 'files'
  4 |   textures:
    |   ^

assets.yaml:5:5: error[E0120]: unknown key 'fils' in set 'textures'
  5 |     fils: "*.png"
    |     ^
  hint: did you mean 'files'?

assets.yaml:6:11: error[E0134]: 'TEX' is no type
  6 |     type: TEX
    |           ^
  hint: pad it with spaces, in quotes: "TEX "

assets.yaml:7:37: error[E0135]: level 2 of lz4hc can't be used
  7 |     compress: {codec: lz4hc, level: 2}
    |                                     ^
  hint: its output changed between LZ4 versions, so builds would differ; 3 is the next

assets.yaml:8:3: error[E0125]: 'Bäume' is not a valid set name
  8 |   Bäume: {files: "*"}
    |   ^
  hint: names are ASCII letters, digits, `_`, `-` and `.`; `-` and `.` can't be first

assets.yaml:10:17: error[E0140]: there is no set 'texture'
  10 |   base: {sets: [texture], path: ../base.ewad}
     |                 ^
  hint: did you mean 'textures'?

assets.yaml:10:33: error[E0151]: '../base.ewad' leaves build/
  10 |   base: {sets: [texture], path: ../base.ewad}
     |                                 ^
  hint: the path is relative to build/ and dist/

levels.yaml:2:17: error[E0108]: tags can't be used
  2 |   maps: {files: !maps/*, name: {stem}}
    |                 ^
  hint: if it is a text, put it in quotes: "!maps/*"

levels.yaml:2:32: error[E0122]: expected a text such as {path}, found a map
  2 |   maps: {files: !maps/*, name: {stem}}
    |                                ^
  hint: a text that starts with '{' needs quotes: "{stem}"

10 errors
"""


def test_a_report_tells_all_mistakes_of_all_files_at_once() -> None:
    with pytest.raises(ProblemsError) as caught:
        load_manifest("assets.yaml", Files(dict(DOCUMENTS)).read)
    assert render_problems(caught.value.problems, DOCUMENTS.__getitem__, color=False) == GOLDEN
