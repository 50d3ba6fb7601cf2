"""One source, three ways to run: the same bits from compiled code and from plain Python, in processes of their own."""

import os
import subprocess
import sys

from tests.conftest import PROJECT


def trace(**environment):
    result = subprocess.run(
        [sys.executable, "-m", "tests.parity.trace"],
        cwd=PROJECT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    mode, *lines = result.stdout.splitlines()
    return mode, lines


def test_compiled_and_plain_give_the_same_bits():
    plain_mode, plain = trace(CG_JIT="0")
    compiled_mode, compiled = trace(CG_JIT="1")
    assert (plain_mode, compiled_mode) == ("plain", "compiled")
    assert plain == compiled and len(plain) >= 8


def test_no_kernel_reads_beyond_its_buffers():
    """Compiled code checks no index; with numba's checks on, the same run must come to the same end."""
    assert trace(NUMBA_BOUNDSCHECK="1")[1] == trace(CG_JIT="0")[1]
