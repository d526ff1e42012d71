"""Tiles of 16 by 16, drawn as text or grown from a small hash, for the meadow and for its winter."""

from pixels import Picture, over, parse

_TURF = parse("""
    lmlllmllllmlllml
    mlllmllmllllmlll
    llelllelleelllle
    eleeleeleebeelee
    bbebbebbbbbbebbe
""")

_SNOW = parse("""
    wwwwwwwwwwwwwwww
    wwwwwwawwwwwwwww
    wwawwwwwwwawwwaw
    awwagwwaagwagwaa
    bagbbagbbbabbagb
""")

_ICICLES = parse("""
    kgkkggkkkgkkkggk
    .k.kak...k.kaak.
    ....k.......kak.
    .............k..
""")

CRATE = parse("""
    kkkkkkkkkkkkkkkk
    kttttttttttttttk
    ktooooooooooootk
    ktokkkkkkkkkkotk
    ktoktbbbbbbtkotk
    ktokbtbbbbtbkotk
    ktokbbtbbtbbkotk
    ktokbbbttbbbkotk
    ktokbbbttbbbkotk
    ktokbbtbbtbbkotk
    ktokbtbbbbtbkotk
    ktoktbbbbbbtkotk
    ktokkkkkkkkkkotk
    ktooooooooooootk
    kbbbbbbbbbbbbbbk
    kkkkkkkkkkkkkkkk
""")

LADDER = parse("""
    .ktk........ktk.
    .ktkkkkkkkkkktk.
    .kttttttttttttk.
    .kobbbbbbbbbbbk.
    .ktkkkkkkkkkktk.
    .ktk........ktk.
    .ktk........ktk.
    .ktk........ktk.
    .ktk........ktk.
    .ktkkkkkkkkkktk.
    .kttttttttttttk.
    .kobbbbbbbbbbbk.
    .ktkkkkkkkkkktk.
    .ktk........ktk.
    .ktk........ktk.
    .ktk........ktk.
""")

SPIKES = parse("""
    ................
    ................
    ................
    ................
    ...k.......k....
    ...k.......k....
    ..kwk.....kwk...
    ..kwk.....kwk...
    ..kwgk....kwgk..
    .kwgsk...kwgsk..
    .kwgsk.k.kwgsk.k
    .kwggskkkkwggskk
    kwggsskkwwggsskk
    kwgggskwkwgggskw
    kwggssskwwggsssk
    kkkkkkkkkkkkkkkk
""")

DOOR = parse("""
    ...kkkkkkkkkk...
    .kkssssssssggkk.
    ksskkkkkkkkkksgk
    kskktttttttbkksk
    kskttbtttbttbksk
    ksktobtotbotbksk
    ksktobtotbotbksk
    kskttbtttbttbksk
    kskttbtttbttbksk
    kskttbtttbttbksk
    kskttbttkyktbksk
    kskttbttkkktbksk
    ksktobtotbotbksk
    ksktobtotbotbksk
    kskttbtttbttbksk
    kkkkkkkkkkkkkkkk
""")

PINE = parse("""
    .......kk.......
    ......kwwk......
    .....kwwwek.....
    .....kweeek.....
    ....kwwleeek....
    ...kwwelleeek...
    ....kkleeekk....
    ...kwwlleeeek...
    ..kwwelllleeek..
    .kwwllllleeeeek.
    ..kkwleleleekk..
    .kwwwlleleeeeek.
    kwwlllllleleeeek
    .kkkkkkbtkkkkkk.
    ......kbtk......
    ......kbtk......
""")

SIGN = parse("""
    ................
    .kkkkkkkkkkkkkk.
    kttttttttttttttk
    ktoooooooooottbk
    ktokkkokkokotybk
    ktoooooooooottbk
    ktokokkkokkotybk
    ktoooooooooottbk
    kttttttttttttbbk
    .kkkkkktbkkkkkk.
    ......ktbk......
    ......ktbk......
    ......ktbk......
    .l.l..ktbk..l...
    .lml.lktbkl.ll.l
    elmlelktbklelmle
""")


def _noise(x: int, y: int, salt: int) -> int:
    """0 to 255, always the same for the same place."""
    mixed = (x * 0x9E3779B1 ^ y * 0x85EBCA77 ^ salt * 0xC2B2AE3D) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    return mixed >> 13 & 0xFF


def _speckled(base: str, salt: int, specks: str) -> Picture:
    """A plain tile with a few pixels of each of the other colors."""

    def at(x: int, y: int) -> str:
        value = _noise(x, y, salt)
        return specks[value % len(specks)] if value < 26 else base

    return ["".join(at(x, y) for x in range(16)) for y in range(16)]


def _capped(below: Picture, cap: Picture) -> Picture:
    """A tile with something growing or lying on it."""
    return over(below, cap + ["." * 16] * (16 - len(cap)))


def _bricks() -> Picture:
    def at(x: int, y: int) -> str:
        row, column = y // 4, (x + 4 * (y // 4 % 2)) % 8
        if y % 4 == 3 or column == 7:
            return "k"
        if y % 4 == 0 or column == 0:
            return "g"
        return "d" if _noise((x + 4 * (row % 2)) // 8, row, 5) < 70 else "s"

    return ["".join(at(x, y) for x in range(16)) for y in range(16)]


def _water(frame: int) -> Picture:
    def at(x: int, y: int) -> str:
        wave = (0, 1, 2, 2, 1, 0, 0, 0)[(x + 4 * frame) % 8]
        if y < 2 + (wave < 1):
            return "."
        if y < 4 + (wave < 1):
            return "w" if wave == 2 else "a"
        return "a" if _noise(x // 3 + frame, y, 9) < 18 else "u"

    return ["".join(at(x, y) for x in range(16)) for y in range(16)]


def pictures() -> dict[str, Picture]:
    """The meadow's tiles by their path below assets/textures/."""
    dirt = _speckled("b", 1, "td")
    return {
        "tiles/grass": _capped(dirt, _TURF),
        "tiles/dirt": dirt,
        "tiles/stone": _bricks(),
        "tiles/water_0": _water(0),
        "tiles/water_1": _water(1),
        "tiles/crate": CRATE,
        "tiles/ladder": LADDER,
        "tiles/spikes": SPIKES,
        "tiles/door": DOOR,
        "tiles/sign": SIGN,
    }


def winter_pictures() -> dict[str, Picture]:
    """The winter's tiles by their path below winter/textures/."""
    ice = _speckled("a", 3, "wg")
    return {
        "tiles/winter/snow": _capped(_speckled("b", 1, "td"), _SNOW),
        "tiles/winter/ice": _capped(ice, parse("wwwwwwwwwwwwwwww")),
        "tiles/winter/icicles": _ICICLES + ["." * 16] * 12,
        "tiles/winter/pine": PINE,
    }
