"""The command `onefile` before one of its commands has started."""

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


@pytest.mark.parametrize("command", ["arena", "bundle"])
def test_a_command_can_be_interrupted_during_its_imports(command):
    """SIGINT ends it without a traceback, as at later times."""
    module = "bundler.bundle" if command == "bundle" else "referee.arena.workers"
    words = [sys.executable, "-c", INTERRUPTED, command, module]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_a_name_that_is_no_utf_8_is_refused():
    """Logs and files of results store names as UTF-8."""
    words = [sys.executable, "-m", "referee.onefile", "match", "infexion", b"b\xff.py", "cat"]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: 'b\\udcff.py' is no UTF-8: give it another name\n"
