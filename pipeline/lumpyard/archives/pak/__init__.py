"""PAK, the archive of Quake and Quake 2: 64-byte entries (docs/pak.md)."""
