"""The page's modules as one script.

The modules in `page/` are plain JavaScript modules, and could be served as they are. A page of one file has no place
to import from, so they are put one after the other, what is imported before what imports it, without their `import`
lines and the word `export`. For that they keep three rules, which are checked here: an import is
`import { a, b } from "./x.js";` and stands at the start of a line, an export is a declaration, and no two modules
declare the same name at their top.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z_]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class)\b)", re.MULTILINE)
_DECLARED = re.compile(r"^(?:async )?(?:function\*?|const|let|class) ([A-Za-z_$][\w$]*)", re.MULTILINE)
_LEFT = re.compile(r"^\s*(?:import|export)\b", re.MULTILINE)


def assemble(entry: str, read: Callable[[str], str]) -> str:
    """The script that a module and all that it imports make; `read` gives the text of a file of the page."""
    parts: dict[str, str] = {}
    _add(entry, read, parts, ())
    declared: dict[str, str] = {}
    for name, text in parts.items():
        for word in _DECLARED.findall(text):
            if word in declared:
                raise ValueError(f"{name}.js and {declared[word]}.js both declare {word}")
            declared[word] = name
    return '"use strict";\n' + "\n".join(parts.values())


def _add(name: str, read: Callable[[str], str], parts: dict[str, str], above: tuple[str, ...]) -> None:
    if name in above:
        raise ValueError(f"{name}.js imports itself, through {', '.join(above[above.index(name) :])}")
    if name in parts:
        return
    text = read(f"{name}.js")
    for needed in _IMPORT.findall(text):
        _add(needed, read, parts, (*above, name))
    body = _EXPORT.sub("", _IMPORT.sub("", text))
    if left := _LEFT.search(body):
        raise ValueError(f"{name}.js has {left[0].strip()!r} in a form that cannot be put together")
    parts[name] = body
