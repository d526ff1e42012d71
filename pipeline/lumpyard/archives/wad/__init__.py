"""IWAD, PWAD and PACK in the classic layout: see docs/formats.md."""
