"""doit_plugin: see docs/design.md, section 2."""
