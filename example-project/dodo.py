"""doit tasks: `doit` builds the development archives in build/, `doit ship` the release in dist/."""

from lumpyard.doit_plugin import asset_tasks

globals().update(asset_tasks("assets.yaml"))
