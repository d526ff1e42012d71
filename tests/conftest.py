"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

# No test may fail because the machine is busy.
settings.register_profile("lumpyard", deadline=None)
settings.load_profile("lumpyard")
