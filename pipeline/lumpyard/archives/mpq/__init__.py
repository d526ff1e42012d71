"""MPQ, format versions 1 to 4, read-only (docs/mpq.md).

Source: there is no official specification. The tables in the modules' docstrings are what StormLib 9 writes and reads,
checked member by member.
"""
