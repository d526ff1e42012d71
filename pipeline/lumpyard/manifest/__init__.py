"""manifest: see docs/design.md, section 2."""
