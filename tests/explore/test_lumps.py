"""What a lump is shown as: pixels, sounds, text, bytes, maps, against what the tests wrote themselves."""

from __future__ import annotations

import struct
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders import doom_maps, images, plain, sounds
from tests.explore.conftest import open_lump, read_part

from lumpyard.explore.assembling import assemble

if TYPE_CHECKING:
    from tests.builders.browser import Browser, Page
    from tests.explore.conftest import Explore

RED, GREEN, BLUE, CLEAR = [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [0, 0, 0, 0]
COLOURS = bytes([255, 0, 0, 0, 255, 0, 0, 0, 255])  # 0 is red, 1 green, 2 blue
PALETTE = COLOURS + bytes(768 - 9)
# Two columns of three pixels: red, green, nothing; nothing, nothing, blue.
PATCH = (
    struct.pack("<HHhhII", 2, 3, -5, 7, 16, 23) + bytes([0, 2, 0, 0, 1, 0, 255]) + bytes([2, 1, 0, 2, 0, 255])
)


def miptex(name: bytes, own: bytes = b"") -> bytes:
    """A texture of 16 by 16 pixels in red, its first pixel blue."""
    sizes = [256, 64, 16, 4]
    starts = [40 + sum(sizes[:level]) for level in range(4)]
    pixels = bytes([2]) + bytes(sum(sizes) - 1)
    return struct.pack("<16sII4I", name, 16, 16, *starts) + pixels + own


def pixels(page: Page) -> list[list[int]]:
    """The pixels of the canvas that is shown."""
    page.wait("document.querySelector('#panel canvas.staged')")
    script = """(() => {
        const canvas = document.querySelector("#panel canvas.staged");
        return [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data];
    })()"""
    flat: list[int] = page.run(script)
    return [flat[at : at + 4] for at in range(0, len(flat), 4)]


def test_a_doom_picture_goes_through_playpal(explore: Explore) -> None:
    page = explore(plain.wad([(b"PLAYPAL", PALETTE), (b"PIC", PATCH)]))
    open_lump(page, "PIC", "picture")
    assert pixels(page) == [RED, CLEAR, GREEN, CLEAR, CLEAR, BLUE]
    assert "2 \u00d7 3" in page.text(".bar")
    assert "offsets -5, 7" in page.text(".bar")


def test_the_palette_of_another_archive_serves_where_there_is_none(explore: Explore) -> None:
    page = explore(plain.wad([(b"PIC", PATCH)]), plain.wad([(b"PLAYPAL", PALETTE)]))
    open_lump(page, "PIC", "picture")
    assert pixels(page)[0] == RED


def test_without_any_palette_it_is_grey_and_says_so(explore: Explore) -> None:
    page = explore(plain.wad([(b"PIC", PATCH)]))
    open_lump(page, "PIC", "picture")
    assert pixels(page)[5] == [2, 2, 2, 255]
    assert "no palette in this page" in page.text(".bar")


def test_a_flat_has_no_header(explore: Explore) -> None:
    flat = bytes([1]) + bytes(4095)
    lumps = [(b"PLAYPAL", PALETTE), (b"F_START", b""), (b"FLOOR", flat), (b"F_END", b"")]
    page = explore(plain.wad(lumps))
    open_lump(page, "flats/FLOOR", "picture")
    found = pixels(page)
    assert (len(found), found[0], found[1]) == (4096, GREEN, RED)


@pytest.mark.parametrize("signature", [b"WAD2", b"WAD3"])
def test_a_texture_has_its_own_palette_in_wad3(explore: Explore, signature: bytes) -> None:
    """WAD3: "256, and a palette of as many colours" behind the smallest picture."""
    own = b"\0\1" + PALETTE + b"\0\0" if signature == b"WAD3" else b""
    kind = 0x43 if signature == b"WAD3" else 0x44
    page = explore(plain.wad2([(b"WALL", miptex(b"WALL", own))], signature, kind))
    open_lump(page, "WALL", "picture")
    found = pixels(page)
    assert (len(found), found[:2]) == (256, [BLUE, RED] if own else [[2, 2, 2, 255], [0, 0, 0, 255]])


def pcx(coded: bytes, *, planes: int, palette: bytes = b"") -> bytes:
    """A PCX of 2 by 2 pixels, of 8 bits a plane, rows of 2 bytes."""
    header = struct.pack("<BBBBHHHHHH48sBBHH58x", 10, 5, 1, 8, 0, 0, 1, 1, 72, 72, b"", 0, planes, 2, 1)
    return header + coded + palette


def tga(kind: int, bits: int, body: bytes, *, from_above: bool = True) -> bytes:
    """A TGA of 2 by 2 pixels, of kind 1 and 9 with three colours."""
    mapped = kind & 7 == 1
    flags = 0x20 * from_above + (8 if bits == 32 else 0)
    head = struct.pack("<BBBHHBHHHHBB", 0, mapped, kind, 0, 3 * mapped, 24 * mapped, 0, 0, 2, 2, bits, flags)
    return head + (bytes([0, 0, 255, 0, 255, 0, 255, 0, 0]) if mapped else b"") + body


R, G, B = b"\0\0\xff", b"\0\xff\0", b"\xff\0\0"  # as TGA has them
FOUR = [RED, GREEN, BLUE, RED]
PICTURES: dict[str, tuple[bytes, Any]] = {
    "indexed.pcx": (pcx(bytes([0, 1, 2, 0]), planes=1, palette=b"\x0c" + PALETTE), FOUR),
    "runs.pcx": (
        pcx(bytes([0xC2, 1, 0xC2, 2]), planes=1, palette=b"\x0c" + PALETTE),
        [GREEN, GREEN, BLUE, BLUE],
    ),
    "planes.pcx": (  # a red row and a green one, each plane after plane
        pcx(bytes([0xC2, 255, 0xC4, 0, 0xC2, 0, 0xC2, 255, 0xC2, 0]), planes=3),
        [RED, RED, GREEN, GREEN],
    ),
    "true.tga": (tga(2, 24, R + G + B + R), FOUR),
    "below.tga": (tga(2, 24, B + R + R + G, from_above=False), FOUR),
    "alpha.tga": (
        tga(2, 32, R + b"\xff" + G + b"\x80" + B + b"\xff" + R + b"\xff"),
        [RED, [0, 255, 0, 128], BLUE, RED],
    ),
    "mapped.tga": (tga(1, 8, bytes([0, 1, 2, 0])), FOUR),
    "grey.tga": (tga(3, 8, bytes([0, 255, 7, 9])), [[grey] * 3 + [255] for grey in (0, 255, 7, 9)]),
    "runs.tga": (tga(10, 24, b"\x81" + R + b"\x01" + G + B), [RED, RED, GREEN, BLUE]),
    "five.tga": (tga(2, 16, struct.pack("<4H", 31 << 10, 31 << 5, 31, 31 << 10)), FOUR),
}


def test_pcx_and_tga_are_decoded(explore: Explore) -> None:
    page = explore(plain.pak([(name.encode(), data) for name, (data, _) in PICTURES.items()]))
    for name, (_, expected) in PICTURES.items():
        open_lump(page, name, "picture")
        page.wait(f"document.querySelector('#panel canvas')?.ariaLabel === {name!r}")
        assert pixels(page) == expected, name


SHAPES = {name: (name.partition(".")[2], data) for name, (data, _) in PICTURES.items()} | {
    "patch": ("patch", PATCH),
    "wall": ("miptex", miptex(b"WALL", b"\0\1" + PALETTE)),
    "qpic": ("qpic", struct.pack("<II", 4, 4) + bytes(16)),
    "palette": ("palette", PALETTE),
    "flat": ("flat", bytes(70)),
    "sound": ("dmx", struct.pack("<HHI", 3, 11025, 40) + bytes(40)),
    "wave": ("wave", sounds.wav()),
}
# Each beginning, and each byte of the first 64 turned round or made large, in the module that the worker is made of.
BREAK = """((task, whole) => {
    const bytes = Uint8Array.fromBase64(whole);
    const palette = new Uint8Array(768);
    const cases = [];
    for (let end = 0; end < bytes.length; end += end < 200 ? 1 : 97) cases.push(bytes.slice(0, end));
    for (let at = 0; at < Math.min(64, bytes.length); at += 1) {
        for (const value of [0, 1, 127, 255, bytes[at] ^ 0x10]) {
            const changed = bytes.slice();
            changed[at] = value;
            cases.push(changed);
        }
    }
    const odd = new Set();
    for (const data of cases) {
        try {
            const result = work(task, data, palette);
            if (!("shape" in result) && result.data.length !== result.width * result.height * 4) odd.add("size");
        } catch (error) {
            if (error.constructor !== Error && error.constructor !== RangeError) odd.add(String(error));
        }
    }
    return [...odd];
})"""


def test_every_truncation_and_changed_byte_gives_a_picture_or_a_message(browser: Browser) -> None:
    script = assemble("worker", read_part)
    page = browser.page()
    for name, (task, data) in SHAPES.items():
        call = f"{BREAK}({task!r}, {b64encode(data).decode()!r})"
        assert page.run(f"(() => {{ {script}\n return {call}; }})()") == [], name
    page.close()


def test_what_browsers_know_is_shown_by_them(explore: Explore) -> None:
    page = explore(
        plain.pak(
            [
                (b"a.png", images.png(5, 3)),
                (b"b.jpg", images.jpeg(16, 8)),
                (b"broken.png", images.png(5, 3)[:40]),
            ]
        )
    )
    open_lump(page, "a.png", "picture")
    page.wait("document.querySelector('#panel img')?.naturalWidth === 5")
    assert "5 \u00d7 3" in page.text(".bar")
    open_lump(page, "b.jpg", "picture")
    page.wait("document.querySelector('#panel img')?.naturalWidth === 16")
    open_lump(page, "broken.png", "picture")
    page.wait("document.querySelector('#panel').textContent.includes('cannot read this PNG')")


def test_doom_sounds_and_waves_can_be_played(explore: Explore) -> None:
    """A Doom sound of 11,025 samples a second: half a second of it, and 16 bytes of padding at each end."""
    samples = bytes([128] * 16 + [0, 255] * 2756 + [128] * 16)
    dmx = struct.pack("<HHI", 3, 11025, len(samples)) + samples
    page = explore(plain.wad([(b"DSDOOR", dmx), (b"WAVE", sounds.wav())]))
    open_lump(page, "DSDOOR", "sound")
    page.wait("document.querySelector('audio')?.duration > 0")
    assert page.run("document.querySelector('audio').duration") == pytest.approx(0.5, abs=0.01)
    assert "11,025 Hz" in page.text(".sound")
    page.run("document.querySelector('audio').play()")
    page.wait("document.querySelector('audio').currentTime > 0")
    open_lump(page, "WAVE", "sound")
    page.wait("document.querySelector('audio')?.duration > 0")


def test_text_has_lines_and_long_ones_go_on(explore: Explore) -> None:
    text = "-- first\n" + "x" * 1000 + "\nlast\té".encode().decode()
    page = explore(
        plain.pak([(b"a.lua", text.encode()), (b"old.txt", "caf\xe9 one\r\ntwo\r\n".encode("latin-1"))])
    )
    open_lump(page, "a.lua", "text")
    page.wait("document.querySelector('.text .list-row')")
    page.wait("document.querySelector('.text').textContent.includes('last')")
    rows = page.run(
        """[...document.querySelectorAll(".text .list-row:not([hidden])")]
            .map((row) => [...row.children].map((cell) => cell.textContent))"""
    )
    assert rows[0] == ["1", "-- first"]
    assert "".join(line for _, line in rows[1:-1]) == "x" * 1000
    assert rows[-1] == ["3", "last    é"]
    open_lump(page, "old.txt", "text")
    page.wait("document.querySelector('.text')?.textContent.includes('café one')")
    assert "Windows-1252" in page.text(".bar")


def test_hex_shows_the_bytes_at_both_ends_of_a_large_lump(explore: Explore) -> None:
    data = b"HEAD" + bytes(8_000_000) + b"TAIL"  # more rows than a browser has pixels to scroll by
    page = explore(plain.pak([(b"large.dat", data)]))
    open_lump(page, "large.dat", "hex")
    page.wait("document.querySelector('.hex')?.textContent.includes('48 45 41 44')")
    page.run("document.querySelector('.hex').focus()")
    page.press("End")
    page.wait("document.querySelector('.hex').textContent.includes('TAIL')")
    page.press("Home")
    page.wait("document.querySelector('.hex').textContent.includes('HEAD')")
    page.wheel(".hex", 100)  # five rows, however coarse the scroll bar is
    first = """Math.min(...[...document.querySelectorAll(".hex .list-row:not([hidden]) .at")]
        .map((at) => parseInt(at.textContent, 16)))"""
    page.wait(f"{first} === 5 * 8")


def test_a_map_is_drawn_and_its_lumps_say_what_they_are(explore: Explore) -> None:
    level = doom_maps.square()
    page = explore(doom_maps.wad_of("MAP01", doom_maps.lump_bytes(level)))
    open_lump(page, "MAP01/LINEDEFS", "map")
    page.wait("document.querySelector('#panel img')?.naturalWidth > 100")
    page.click("#tab-facts")
    page.wait("document.querySelector('#panel').textContent.includes('its lines')")


def test_a_map_that_is_not_drawn_says_so_and_so_does_the_page(explore: Explore) -> None:
    page = explore(doom_maps.wad_of_many(2), most_drawn=1)
    said = "1 of 2 maps is drawn in this page. --maps all and a larger --embed draw more"
    assert said in page.run("document.querySelector('#lump').textContent")
    open_lump(page, "MAP01/LINEDEFS", "map")
    page.wait("document.querySelector('#panel img')?.naturalWidth > 100")
    open_lump(page, "MAP02/LINEDEFS", "map")
    page.wait(f"document.querySelector('#panel').textContent.includes('{said}')")
    open_lump(page, "MAP02/THINGS", "hex")


def test_gl_lumps_and_the_text_of_udmf_are_named(explore: Explore) -> None:
    gl = [b"GL_MAP01", b"GL_VERT", b"GL_SEGS", b"GL_SSECT", b"GL_NODES"]
    lumps = list(doom_maps.lump_bytes(doom_maps.square()).items())
    entries = [
        (b"MAP01", b""),
        *((name.encode(), data) for name, data in lumps),
        *((name, b"gNd2" * (name != gl[0])) for name in gl),
    ]
    entries += [
        (b"MAP02", b""),
        (b"TEXTMAP", b'namespace = "zdoom";\n'),
        (b"ZNODES", b"XGLN"),
        (b"ENDMAP", b""),
    ]
    page = explore(plain.wad(entries))
    for name, text in (
        ("GL_SEGS", "pieces of lines of its GL nodes"),
        ("ZNODES", "the tree of nodes of a map as text"),
    ):
        open_lump(page, name, "facts")
        page.wait(f"document.querySelector('#panel').textContent.includes({text!r})")
    open_lump(page, "TEXTMAP", "text")
    page.wait("document.querySelector('.text')?.textContent.includes('zdoom')")


def test_what_has_no_room_in_the_page_says_so(explore: Explore) -> None:
    page = explore(plain.pak([(b"small.txt", b"small"), (b"large.dat", bytes(range(256)) * 400)]), budget=0)
    open_lump(page, "large.dat")
    page.wait("document.querySelector('#lump .trouble').textContent.includes('--embed')")
    assert page.text("#lump [role=tablist]") == "Facts"
    page.press("Escape")


def test_a_lump_is_saved_under_a_harmless_name(explore: Explore) -> None:
    page = explore(plain.pak([(b'a/.. x"|name.txt', b"text")]))
    page.click(".rows .row")
    page.wait("document.querySelector('.lump-head button:last-child')?.hidden === false")
    page.run("HTMLAnchorElement.prototype.click = function () { window.saved = this.download; }")
    page.click(".lump-head button:last-child")
    page.wait("window.saved")
    assert page.run("window.saved") == "__x__name.txt"
