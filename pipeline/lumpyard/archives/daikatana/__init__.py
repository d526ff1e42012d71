"""DAIKATANA, the PAK of that game: 72-byte entries, some lumps compressed (docs/pak.md)."""
