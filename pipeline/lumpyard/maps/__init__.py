"""Doom and Hexen maps: read, checked, built, drawn, compared; pure values in, values out (docs/maps.md)."""
