"""Law: whatever file can change an answer is looked for or listed, and nothing is read."""

from __future__ import annotations

import json

from tests.builders.world import MemoryWorld

from lumpyard.build.cooking.watching import asked, look_for
from lumpyard.store import Ask

ASKS = [
    Ask("read", "a.h", "absent"),
    Ask("exists", "b.h", "no"),
    Ask("glob", "c/*.h", ""),
    Ask("files", json.dumps(["d/*.h", "!d/x.h"]), ""),
    Ask("namesakes", json.dumps([["e/**", "f/*"], ["x.h"]]), ""),
    Ask("path", "0", "g.txt"),
    Ask("name", "", "g"),
    Ask("tool", "dxc", "version 12"),
    Ask("env", "SDK", "34"),
    Ask("weather", "here", "fine"),
]


def test_each_file_and_folder_that_answers_hang_on_is_looked_at_once_and_none_is_read() -> None:
    world = MemoryWorld({"a.h": b""})
    look_for([*ASKS, *ASKS], world)
    assert sorted(world.log) == [
        ("exists", "a.h"),
        ("exists", "b.h"),
        ("glob", "c/*.h"),
        ("glob", "d/*.h"),
        ("glob", "e/**"),
        ("glob", "f/*"),
    ]


def test_what_is_no_file_is_told_by_its_kind() -> None:
    assert asked(ASKS, "tool") == {"dxc": "version 12"}
    assert asked(ASKS, "env") == {"SDK": "34"}
