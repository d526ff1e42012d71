"""WAD2 and WAD3: see docs/formats.md."""
