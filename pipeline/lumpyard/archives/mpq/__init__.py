"""MPQ, format versions 1 to 4, read-only (docs/mpq.md)."""
