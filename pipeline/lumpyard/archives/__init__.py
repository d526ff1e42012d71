"""archives: see docs/design.md, section 2."""
