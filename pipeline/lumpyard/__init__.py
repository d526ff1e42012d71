"""Lumpyard: an asset pipeline for game repositories (docs/design.md)."""

__version__ = "0.1.0"
