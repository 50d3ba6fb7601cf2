"""The Monte Carlo searches give the same answers compiled and as plain Python."""

import os
import subprocess
import sys

from tests.conftest import PROJECT


def trace(**environment):
    command = [sys.executable, "-m", "tests.parity.mcts_trace"]
    result = subprocess.run(
        command, cwd=PROJECT, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    mode, *lines = result.stdout.splitlines()
    return mode, lines


def test_compiled_code_agrees_with_plain_to_the_last_bit_and_reads_within_its_buffers():
    """Compiled with numba's checks of every index, which one compiled without them lacks, and as plain Python."""
    plain_mode, plain = trace(CG_JIT="0")
    compiled_mode, compiled = trace(NUMBA_BOUNDSCHECK="1")
    assert (plain_mode, compiled_mode) == ("plain", "compiled")
    assert plain == compiled and len(plain) == 5
