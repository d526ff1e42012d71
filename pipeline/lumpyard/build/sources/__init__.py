"""The sources of a build: folders, scanned once, with what their manifest mounts and what archives among them hold."""
