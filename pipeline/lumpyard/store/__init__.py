"""store: see docs/design.md, section 2."""
