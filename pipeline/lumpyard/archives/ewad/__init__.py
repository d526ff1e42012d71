"""EWAD, format version 2: 64-bit, sorted by key, aligned, hashed (docs/ewad.md)."""
