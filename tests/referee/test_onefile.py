"""The command `onefile` before a command of it has begun."""

import signal
import subprocess
import sys

import pytest

from tests.conftest import PROJECT

# Ctrl-C while a module is imported
INTERRUPTED = """\
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[-1]:
            os.kill(os.getpid(), signal.SIGINT)

import referee.onefile
sys.meta_path.insert(0, Interrupt())
referee.onefile.main()
"""


@pytest.mark.parametrize("command", ["arena", "tune", "bundle"])
def test_it_can_be_interrupted_in_the_midst_of_its_imports(command):
    """Without a traceback, as later."""
    module = "bundler.flatten" if command == "bundle" else "referee.arena.crew"
    words = [sys.executable, "-c", INTERRUPTED, command, module]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")
