"""Files that tests put into archives."""

from __future__ import annotations

import random

from tests.builders.mpq import COMPRESS, CRC, ENCRYPTED, FIX_KEY, SINGLE, Written, attributes, listfile

TEXT = b"".join(b"Line %d of a text that packs well.\r\n" % number for number in range(300))
NOISE = random.Random(1).randbytes(5000)

EVERY_KIND = [
    Written(b"text.txt", TEXT, COMPRESS),
    Written(b"units\\noise.bin", NOISE, COMPRESS),
    Written(b"units\\human\\text.slk", TEXT, COMPRESS | ENCRYPTED),
    Written(b"units/human/fixed.slk", TEXT, COMPRESS | ENCRYPTED | FIX_KEY),
    Written(b"sound\\checked.wav", TEXT, COMPRESS | CRC),
    Written(b"sound\\checked2.wav", TEXT + NOISE, COMPRESS | CRC | ENCRYPTED | FIX_KEY),
    Written(b"stored.bin", NOISE),
    Written(b"sub\\stored.bin", NOISE, ENCRYPTED),
    Written(b"sub\\fixed.bin", NOISE, ENCRYPTED | FIX_KEY),
    Written(b"unit.txt", TEXT, COMPRESS | SINGLE),
    Written(b"unit.enc", TEXT, COMPRESS | SINGLE | ENCRYPTED | FIX_KEY),
    Written(b"unit.raw", NOISE[:700], SINGLE),
    Written(b"empty.txt"),
    Written(b"empty.z", b"", COMPRESS),
    Written(b"one.bin", b"1", COMPRESS),
    Written(b"exact.bin", TEXT[:4096], COMPRESS),
    Written(b"exact1.bin", TEXT[:4097], COMPRESS),
]

NAMED = [*EVERY_KIND, listfile(EVERY_KIND)]
COMPLETE = [*NAMED, attributes(NAMED)]

SMALL = [
    Written(b"a\\text.txt", TEXT[:1300], COMPRESS | ENCRYPTED | FIX_KEY | CRC),
    Written(b"unit", TEXT[:600], COMPRESS | SINGLE),
    Written(b"raw", NOISE[:60], ENCRYPTED),
]
SMALL += [listfile(SMALL)]
SMALL += [attributes(SMALL)]
