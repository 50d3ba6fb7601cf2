"""Waits for processes, on a busy machine too."""

import time

WAIT_S = 180.0


def wait_for(condition, process=None):
    """Wait until a condition holds, and return its value; process: has to run meanwhile."""
    end = time.monotonic() + WAIT_S
    while not (value := condition()):
        assert time.monotonic() < end, "it did not happen"
        assert process is None or process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    return value
