"""One source, three ways to run: the same bits from compiled code and from plain Python, in
processes of their own.
"""

import os
import subprocess
import sys

import pytest

from tests.conftest import PROJECT
from tests.parity.digests import CheckedBuffer
from tests.parity.trace import SUBJECTS


def test_compiled_and_plain_give_the_same_bits_and_stay_within_their_buffers():
    """Plain Python refuses any index beyond a buffer, where compiled code checks none: it goes
    the same way there.
    """
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.parity.trace"],
            cwd=PROJECT,
            env={**os.environ, "CG_JIT": jit},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for jit in "10"
    ]
    answers = [run.communicate() for run in runs]
    assert [run.returncode for run in runs] == [0, 0], answers
    (compiled_mode, *compiled), (plain_mode, *plain) = (out.splitlines() for out, _ in answers)
    assert (compiled_mode, plain_mode) == ("compiled", "plain")
    assert compiled == plain and len(plain) >= len(SUBJECTS)


def test_every_contest_is_traced():
    contests = {path.parent.name for path in PROJECT.glob("shared/games/*/contest.py")}
    missing = contests - set(SUBJECTS)
    assert not missing, f"write tests/parity/subjects/CONTEST.py with a trace() for {missing}"


@pytest.mark.parametrize("index", [-1, 3])
def test_a_checked_buffer_refuses_what_is_beyond_it(index):
    buffer = CheckedBuffer([1, 2, 3])
    assert [buffer[0], buffer[2]] == [1, 3]
    with pytest.raises(IndexError, match=f"index {index} of a buffer of 3"):
        buffer[index]
    with pytest.raises(IndexError, match=f"index {index} of a buffer of 3"):
        buffer[index] = 0
