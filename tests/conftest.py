"""What holds for all tests."""

from __future__ import annotations

import signal

from hypothesis import settings

# No test may fail because the machine is busy.
settings.register_profile("lumpyard", deadline=None)
settings.load_profile("lumpyard")

# A shell that starts a run in the background has it ignore Ctrl-C, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
