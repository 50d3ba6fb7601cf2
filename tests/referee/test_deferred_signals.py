"""Signals that come in a step that cannot be divided, or where exceptions are swallowed."""

import subprocess
import sys

import pytest

from referee.project import PROJECT

# Its parts are ended by SIGTERM while Python ignores exceptions.
ENDED = """\
import os, signal, time, weakref
from referee.deferred_signals import defer_signals, repeat_swallowed_interrupts
signal.signal(signal.SIGTERM, signal.default_int_handler)
repeat_swallowed_interrupts()
def end(*_):
    os.kill(os.getpid(), signal.SIGTERM)
    for _ in range(10):
        pass
class Late:
    def __del__(self):
        end()
class Seen:
    pass
try:
    {step}
    time.sleep(30)
except KeyboardInterrupt:
    print("ended")
"""


def output_of(step):
    """(stdout, stderr) of a process with this step."""
    done = subprocess.run(
        [sys.executable, "-c", ENDED.format(step=step)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=20,
    )
    return done.stdout, done.stderr


@pytest.mark.parametrize(
    "step",
    [
        "Late()",
        "seen = Seen(); weak = weakref.ref(seen, end); del seen",
        "os.register_at_fork(after_in_parent=end); os.fork() or os._exit(0)",
    ],
    ids=["__del__", "weak reference", "fork"],
)
def test_an_interrupt_whose_exception_is_swallowed_comes_again(step):
    assert output_of(step) == ("ended\n", "")


def test_it_is_deferred_as_the_first_one_is():
    step = (
        "with defer_signals():\n"
        "        Late()\n"
        "        time.sleep(0.1)\n"
        "        print('whole')"
    )
    assert output_of(step) == ("whole\nended\n", "")
