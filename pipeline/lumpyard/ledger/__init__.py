r"""The ledger: `symbols/NAME.ewsym`, every lump of one shipped archive by name (design.md, section 9).

UTF-8 text with LF line ends:

    EWSYM 1
    archive: base                         key: value, any number of them
    archive-hash: 8f1b...
                                          an empty line
    key  name  fourcc  schema  ...        column names, with tabs between
    0123456789abcdef  maps/e1.map  ...    a line for each lump, in the order of the directory

`key` and `content_hash` are 16 hex digits, the digests 64; fourccs are text where that is printable, else 0x
and eight hex digits, or 0; all other numbers are decimal. In values, names and sources a tab, line feed,
carriage return or backslash is `\t`, `\n`, `\r`, `\\`, and `\xNN` is a byte: one that is not UTF-8, or of a
character that could mislead whoever reads the file (controls, direction marks, other line ends). Several
sources of one lump have line feeds between them. Readers ignore columns and keys that they don't know.
"""

from lumpyard.ledger.columns import LedgerLump
from lumpyard.ledger.document import (
    Ledger,
    parse_ledger,
    render_header,
    render_ledger,
    render_lines,
)

__all__ = [
    "Ledger",
    "LedgerLump",
    "parse_ledger",
    "render_header",
    "render_ledger",
    "render_lines",
]
