"""Runs a bundle as the site does: `python -I isolated.py BUNDLE.py`, with one core, little memory
and no numba.

A file of its own, run in a process of its own: it must import nothing that a bundle may not.
"""

import os
import resource
import runpy
import sys

MEMORY_BYTES = 768 * 2**20  # the site's limit

resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
sys.modules["numba"] = None  # importing it raises ImportError
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
