"""A name that is not there is answered with the one that was meant."""

import pytest

from lumpyard.console.suggest import guess_name

NAMES = ["gfx/ui/logo.png", "gfx/ui/logo_small.png", "sounds/logo.wav", "maps/e1m1"]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("sounds/LOGO.wav", "sounds/logo.wav"),
        ("textures/logo.png", "gfx/ui/logo.png"),
        ("e1m1", "maps/e1m1"),
        ("sounds\\logo.wav", "sounds/logo.wav"),
        ("sounds/logo.wv", "sounds/logo.wav"),
    ],
)
def test_the_likeliest_name_is_named(asked: str, meant: str) -> None:
    assert guess_name(asked, NAMES) == f"did you mean '{meant}'?"


def test_nothing_is_said_where_nothing_is_near() -> None:
    assert guess_name("zzzz", NAMES) == ""
    assert guess_name("zzzz", []) == ""
