"""The table: searched, sorted, filtered and walked through, by keyboard and by mouse."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.builders import plain
from tests.explore.conftest import read_part, search, shown

from lumpyard.console.escape import escape_name
from lumpyard.console.sizes import parse_size, size_text
from lumpyard.explore.assembling import assemble

if TYPE_CHECKING:
    from tests.builders.browser import Browser
    from tests.explore.conftest import Explore

PAK = plain.pak(
    [
        (b"maps/first.bsp", b"IBSP" + bytes(900)),
        (b"maps/second.bsp", b"IBSP" + bytes(400)),
        (b"sound/Door.wav", b"RIFF\x24\0\0\0WAVEfmt " + bytes(24)),
        (b"sound/.hidden.wav", b"RIFF\x24\0\0\0WAVEfmt " + bytes(25)),
        (b"readme.txt", b"read me\n"),
        (b"empty", b""),
    ]
)
NAMES = ["maps/first.bsp", "maps/second.bsp", "sound/Door.wav", "sound/.hidden.wav", "readme.txt", "empty"]


def test_lumps_stand_in_the_order_of_the_archive(explore: Explore) -> None:
    page = explore(PAK)
    assert shown(page) == NAMES
    assert page.text("#status").startswith("6 lumps")
    assert page.run("document.querySelector('[role=grid]').getAttribute('aria-rowcount')") == "7"


def test_a_part_of_a_name_in_any_case_is_found(explore: Explore) -> None:
    page = explore(PAK)
    search(page, "DOOR")
    assert shown(page) == ["sound/Door.wav"]
    assert page.text("#status").startswith("1 of 6 lumps")
    page.doing(lambda: page.press("Escape"))
    assert shown(page) == NAMES


def test_a_pattern_is_the_glob_of_all_of_lumpyard(explore: Explore) -> None:
    """ "A part that starts with a dot is matched only by a part that is written with one" """
    page = explore(PAK)
    search(page, "**/*.wav")
    assert shown(page) == ["sound/Door.wav"]


def test_a_pattern_that_means_nothing_says_so_and_is_searched_as_it_stands(explore: Explore) -> None:
    page = explore(PAK)
    search(page, "maps[")
    assert "a `[` without its `]`" in page.text("#status")
    assert shown(page) == []
    assert not page.run("document.querySelector('#nothing').hidden")


def test_a_head_sorts_and_a_second_click_turns_it_round(explore: Explore) -> None:
    page = explore(PAK)
    page.doing(lambda: page.click(".head .raw button"))
    falling = shown(page)
    assert (falling[0], falling[-1]) == ("maps/first.bsp", "empty")
    assert page.run("document.querySelector('.head .raw').ariaSort") == "descending"
    page.doing(lambda: page.click(".head .raw button"))
    assert shown(page) == falling[::-1]
    page.doing(lambda: page.click(".head .name button"))
    assert shown(page) == sorted(NAMES)


def test_kinds_folders_and_sizes_filter(explore: Explore) -> None:
    page = explore(PAK)

    def choose(selector: str, label: str) -> None:
        script = f"""(() => {{
            const select = document.querySelector({selector!r});
            select.value = [...select.options].find((one) => one.text === {label!r}).value;
            select.dispatchEvent(new Event("change"));
        }})()"""
        page.doing(lambda: page.run(script))

    choose("#kind", "sound")
    assert shown(page) == ["sound/Door.wav", "sound/.hidden.wav"]
    choose("#kind", ".txt")
    assert shown(page) == ["readme.txt"]
    choose("#kind", "All kinds")
    choose("#folder", "maps")
    assert shown(page) == ["maps/first.bsp", "maps/second.bsp"]
    page.click("#least")
    page.doing(lambda: page.type("0.5k"))
    assert shown(page) == ["maps/first.bsp"]
    page.doing(lambda: page.click("#clear"))
    assert shown(page) == NAMES


def test_arrows_walk_through_the_rows_and_the_lump_follows(explore: Explore) -> None:
    page = explore(PAK)
    search(page, "maps")
    page.press("Enter")
    page.wait("document.querySelector('.lump-title h2')?.textContent === 'maps/first.bsp'")
    page.press("ArrowDown")
    page.wait("document.querySelector('.lump-title h2')?.textContent === 'maps/second.bsp'")
    chosen = page.run(
        "document.getElementById(document.querySelector('[role=grid]').getAttribute('aria-activedescendant')).textContent"
    )
    assert chosen.startswith("maps/second.bsp")
    page.press("Home")
    page.wait("document.querySelector('.lump-title h2')?.textContent === 'maps/first.bsp'")
    page.press("End")
    page.wait("document.querySelector('.lump-title h2')?.textContent === 'maps/second.bsp'")


def test_after_a_lump_was_closed_arrows_go_on_from_it(explore: Explore) -> None:
    page = explore(PAK)
    page.click(".rows .row:nth-child(3)")
    page.wait("document.querySelector('.lump-title h2')?.textContent === 'sound/Door.wav'")
    page.press("Escape")
    page.wait("!document.querySelector('[role=grid]').hasAttribute('aria-activedescendant')")
    page.press("ArrowDown")
    page.wait("document.querySelector('.lump-title h2')?.textContent === 'sound/.hidden.wav'")


def test_escape_goes_back_a_step_at_a_time(explore: Explore) -> None:
    page = explore(PAK)
    search(page, "maps")
    page.press("Enter")
    page.wait("document.querySelector('.lump-title')")
    page.doing(lambda: page.press("Escape"))  # out of the search
    assert shown(page) == NAMES
    page.press("Escape")  # out of the lump
    page.wait("document.querySelector('.overview')")


def test_a_click_opens_a_lump_and_tabs_are_walked_with_arrows(explore: Explore) -> None:
    page = explore(PAK)
    page.click(".rows .row:nth-child(5)")
    page.wait("document.querySelector('#tab-text')?.ariaSelected === 'true'")
    page.run("document.querySelector('#tab-text').focus()")
    page.press("ArrowRight")
    page.wait("document.querySelector('#tab-facts').ariaSelected === 'true'")
    page.press("End")
    page.wait("document.querySelector('#tab-hex').ariaSelected === 'true'")
    assert page.run("document.activeElement.id") == "tab-hex"


def test_what_has_focus_is_seen_to_have_it(explore: Explore) -> None:
    page = explore(PAK)
    for _ in range(12):
        page.press("Tab")
        outline = page.run("getComputedStyle(document.activeElement).outlineStyle")
        assert outline not in {"none", ""}, page.run("document.activeElement.outerHTML")


def test_the_switch_turns_light_and_dark(explore: Explore) -> None:
    page = explore(PAK, dark=True)
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.run(ground)
    page.click("#theme")
    light = page.run(ground)
    assert light != dark
    page.click("#theme")
    assert page.run(ground) == dark


def test_several_archives_are_one_table(explore: Explore) -> None:
    page = explore(PAK, plain.wad([(b"ONE", b"1"), (b"TWO", b"22")]))
    search(page, "ONE")
    assert shown(page) == ["1.dat: ONE"]


def test_the_treemap_is_walked_from_the_largest_lump_on(explore: Explore) -> None:
    page = explore(PAK)
    page.doing(lambda: page.press("m"))
    page.run("document.querySelector('.areas').focus()")
    page.press("ArrowRight")
    page.wait("document.querySelector('.said').textContent.startsWith('maps/first.bsp')")
    page.press("ArrowRight")
    page.wait("document.querySelector('.said').textContent.startsWith('maps/second.bsp')")
    page.press("Enter")
    page.wait("document.querySelector('.lump-title h2')?.textContent === 'maps/second.bsp'")


def test_a_folder_of_the_treemap_is_gone_into_and_out_of(explore: Explore) -> None:
    page = explore(PAK)
    page.doing(lambda: page.press("m"))
    x, y = page.run("(({x, y}) => [x + 12, y + 8])(document.querySelector('.areas').getBoundingClientRect())")
    page.doing(lambda: page.click_at(x, y))  # the name of the largest folder
    assert page.text("#status").startswith("2 of 6 lumps")
    assert page.text(".trail") == "0.datmaps"
    page.doing(lambda: page.click(".trail button"))
    assert page.text("#status").startswith("6 lumps")


def test_on_a_phone_a_lump_lies_over_the_table_until_one_goes_back(explore: Explore) -> None:
    page = explore(PAK, phone=True, width=390, height=844)
    assert page.run("document.documentElement.scrollWidth") <= 390
    page.click(".rows .row:nth-child(5)")
    page.wait("document.querySelector('#tab-text')")
    assert page.run("document.elementFromPoint(195, 500).closest('#lump') !== null")
    page.click(".back")
    assert page.run("document.elementFromPoint(195, 500).closest('#table') !== null")
    assert page.run("document.querySelector('.rows .row').offsetHeight") >= 40


def test_archives_of_one_name_are_told_apart_by_their_folders(browser: Browser) -> None:
    page = browser.page()
    script = assemble("words", read_part)
    paths = ["a/base.ewad", "b/base.ewad", "b/other.ewad", "c\\d\\base.ewad", "same.wad", "same.wad"]
    found = page.run(f"(() => {{ {script}\n return shortNames({json.dumps(paths)}); }})()")
    assert found == ["a/base.ewad", "b/base.ewad", "other.ewad", "d/base.ewad", "same.wad", "same.wad"]
    page.close()


def test_sizes_and_counts_read_as_on_the_command_line(browser: Browser) -> None:
    page = browser.page()
    script = assemble("words", read_part)
    sizes = [
        0,
        1,
        999,
        1000,
        1499,
        9994,
        9996,
        99_950,
        999_499,
        999_999,
        10**6,
        123_456_789,
        10**9,
        2**40,
        10**13,
    ]
    found = page.run(f"(() => {{ {script}\n return {sizes}.map(sizeText); }})()")
    assert found == [size_text(size) for size in sizes]
    texts = ["6G", "500 MB", "1.5GiB", "4096", "10k", "7 b"]
    found = page.run(f"(() => {{ {script}\n return {json.dumps(texts)}.map(parseSize); }})()")
    assert found == [parse_size(text) for text in texts]
    assert page.run(
        f"(() => {{ {script}\n return ['x', '-1', '1e9', '1 XB'].map(parseSize).every(Number.isNaN); }})()"
    )
    page.close()


def test_names_are_escaped_as_on_the_command_line(browser: Browser) -> None:
    page = browser.page()
    script = assemble("words", read_part)
    texts = [
        "plain",
        "\x1b[0m",
        "\u202e",
        "\u2066\u2069\u061c\u200e\u200f",
        "\udcff\udc80",
        "\x7f\x85\x9b",
        "\u2028",
        "é日",
    ]
    found = page.run(f"(() => {{ {script}\n return {json.dumps(texts)}.map(escapeText); }})()")
    assert found == [escape_name(text) for text in texts]
    page.close()
