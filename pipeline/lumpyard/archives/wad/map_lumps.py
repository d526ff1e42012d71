"""The names of a map's lumps, in the order that engines and node builders give them.

Source: docs/formats.md, section Namespaces and maps; the specification has no maps.
"""

from __future__ import annotations

DOOM = (
    *("THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS"),
    *("SSECTORS", "NODES", "SECTORS", "REJECT", "BLOCKMAP"),
)
BINARY = (*DOOM, "BEHAVIOR", "SCRIPTS")  # Hexen's last two too
EDITED = ("THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS")  # what nothing can rebuild
CONSOLES = ("LEAFS", "LIGHTS", "MACROS")  # of the PlayStation and of Doom 64
OWN = frozenset((*BINARY, "DIALOGUE", *CONSOLES))
TEXT = ("TEXTMAP", "ZNODES", "REJECT", "BLOCKMAP", "DIALOGUE", "BEHAVIOR", "SCRIPTS", "LIGHTMAP", "ENDMAP")
GL = ("GL_VERT", "GL_SEGS", "GL_SSECT", "GL_NODES", "GL_PVS")
