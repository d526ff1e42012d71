"""`lumpyard symbols`: names for the keys of a stripped archive, one by one or throughout a log."""

from __future__ import annotations

import re
import sys
from typing import IO, TYPE_CHECKING, Any

from lumpyard.archives.model import type_text
from lumpyard.cli.parser import add_json
from lumpyard.cli.symbol_file import load_symbols
from lumpyard.console.escape import escape_name
from lumpyard.console.suggest import guess_name
from lumpyard.errors import DiskError, NotFoundError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.cli.output import Streams
    from lumpyard.ledger import Ledger, LedgerLump

EXAMPLES = """
lumpyard symbols symbols/base.ewsym 3da699bf4abce552
lumpyard symbols symbols/base.ewsym textures/brick.png     # and the other way round
lumpyard symbols symbols/base.ewsym --filter < crash.log
"""

_KEY = re.compile(r"(?:0[xX])?([0-9A-Fa-f]{16})")
_KEY_IN_TEXT = re.compile(rb"(?<![0-9A-Za-z_])(?:0[xX])?([0-9A-Fa-f]{16})(?![0-9A-Za-z_])")
_CHUNK = 1 << 16
_LONGEST_LINE = (
    1 << 20
)  # bytes held back for the end of a line; a log without line ends must not fill the memory


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `symbols`."""
    parser.add_argument("file", metavar="FILE", help="the .ewsym of a release")
    parser.add_argument(
        "wanted", metavar="KEY", nargs="*", help="keys (16 hex digits) or names; all lumps without any"
    )
    parser.add_argument(
        "--filter", action="store_true", help="copy standard input, with names in place of keys"
    )
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print keys and names."""
    ledger = load_symbols(args.file)
    if args.filter:
        if args.wanted or args.json:
            raise UsageError("--filter reads standard input and takes neither KEY nor --json")
        _filter(ledger.names_by_key(), io)
        return 0
    lumps, complaints = _find(ledger, args.wanted)
    if args.json:
        io.out.json_list(map(_data, lumps))
    else:
        io.out.lines(f"{lump.key:016x}  {lump.name}" for lump in lumps)
    for complaint in complaints:
        io.err.error(f"{args.file}: {complaint}")
    return NotFoundError.exit_status if complaints else 0


def _find(ledger: Ledger, wanted: Sequence[str]) -> tuple[Sequence[LedgerLump], list[str]]:
    """The lumps in the order they are asked for, and a line for each that is not there."""
    if not wanted:
        return ledger.lumps, []
    by_name = {lump.name: lump for lump in ledger.lumps}
    by_key = {lump.key: lump for lump in ledger.lumps}
    found, complaints = [], []
    for word in wanted:
        match = _KEY.fullmatch(word)
        lump = by_name.get(word) or (by_key.get(int(match[1], 16)) if match else None)
        if lump is not None:
            found.append(lump)
        elif match:
            complaints.append(f"no lump has the key {word}")
        else:
            guess = guess_name(word, by_name)
            complaints.append(f"no lump '{word}'" + (f"; {guess}" if guess else ""))
    return found, complaints


def _data(lump: LedgerLump) -> dict[str, Any]:
    return {
        "key": f"{lump.key:016x}",
        "name": lump.name,
        "type": type_text(lump.fourcc) or None,
        "schema": lump.schema,
        "stored_size": lump.stored_size,
        "raw_size": lump.raw_size,
        "content_hash": f"{lump.content_hash:016x}",
        "set": lump.set,
        "sources": lump.source.split("\n") if lump.source else [],
    }


def _filter(names: dict[int, str], io: Streams) -> None:
    def name_of(match: re.Match[bytes]) -> bytes:
        name = names.get(int(match[1], 16))
        return match[0] if name is None else escape_name(name).encode()

    for lines in _iter_lines(_read_input()):
        io.out.data(_KEY_IN_TEXT.sub(name_of, lines))
        io.out.flush()  # a log that is still growing is followed as it grows


def _read_input() -> Callable[[int], bytes]:
    """What reads standard input as it comes."""
    stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise DiskError("standard input: it is closed")
    return getattr(stream, "read1", stream.read)


def _iter_lines(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """What was read, in pieces that end with a line, so that no key is cut in two."""
    rest = b""
    while chunk := read(_CHUNK):
        rest += chunk
        end = rest.rfind(b"\n") + 1
        if not end and len(rest) > _LONGEST_LINE:
            end = len(rest)
        if end:
            yield rest[:end]
            rest = rest[end:]
    if rest:
        yield rest
