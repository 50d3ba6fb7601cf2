"""The probe answers one turn whatever the site forbids, and reports the restrictions on stderr."""

import subprocess
import sys

import pytest

from bots import probe
from bundler.encoding import ENCODINGS
from bundler.native.machine_code import CPU_FLAGS
from tests.conftest import PROJECT
from tests.native.conftest import run
from tests.native.test_modes import NO_LZMA, NO_MEMFD, OTHER_MACHINE, OTHER_PROCESSOR, OTHER_PYTHON

NO_NUMPY = "import sys\nsys.modules['numpy'] = None\n"
NO_CTYPES = "import sys\nsys.modules['ctypes'] = None\n"
NO_FORK = """
import os
def refuse():
    raise BlockingIOError(11, "fork refused")
os.fork = refuse
"""
NO_MMAP = """
import ctypes
real = ctypes.CDLL
class Library:
    def __init__(self, name):
        self._name = name
    @property
    def mmap(self):
        def refuse(*arguments):
            ctypes.set_errno(1)
            return 2**64 - 1
        return refuse
ctypes.CDLL = lambda name, **options: Library(name)
"""
FATAL = """
import os, ctypes
def load(name, **options):
    return os._exit(139) if name is None else type("Library", (), {"_name": name})
ctypes.CDLL = load
"""
HANGING = """
import os, time, ctypes
def load(name, **options):
    return time.sleep(60) if name is None else type("Library", (), {"_name": name})
ctypes.CDLL = load
"""


@pytest.fixture
def written():
    return PROJECT / "bots" / "probe.py"


def items(said):
    """Returns the lines of stderr by name."""
    return dict(line.split(": ", 1) for line in said.splitlines())


def test_everything_is_reported(written):
    output, said = run(written, given="3\n1 2 3\n")
    assert output == "WAIT\n"
    assert list(items(said)) == [*probe.CHECKS, "native bundle"]
    assert items(said)["input"] == "8 bytes"
    assert items(said)["native bundle"].startswith("yes, with --cpu x86-64-v")


@pytest.mark.parametrize(
    ("before", "name", "said", "native"),
    [
        (NO_MEMFD, "memfd", "no: PermissionError: [Errno 1] memfd refused", "yes"),
        (NO_FORK, "memfd", "runs machine code (tried in this process: ", "yes"),
        (NO_MMAP, "anonymous memory", "no: mmap: Operation not permitted", "executable memory"),
        (FATAL, "memfd", "no: the process that tried it ended with status", "executable memory"),
        (HANGING, "memfd", "no: the process that tried it ended with status", "executable memory"),
        (NO_LZMA, "lzma", "no: ModuleNotFoundError", "no, for want of: lzma"),
        (NO_NUMPY, "numpy", "no: ModuleNotFoundError", "no, for want of: numpy"),
        (NO_CTYPES, "C library", "no: ModuleNotFoundError", "no, for want of: C library"),
        (OTHER_PROCESSOR, "processor", "no: , lacks sse4_2 of x86-64-v2", "no, for want of: proc"),
        (OTHER_MACHINE, "python", "no: cpython on linux aarch64", "no, for want of: python"),
        (OTHER_PYTHON, "python", "no: pypy on linux", "no, for want of: python"),
    ],
    ids="memfd fork mmap fatal hanging lzma numpy ctypes processor machine python".split(),
)
def test_refused_abilities_are_reported_and_the_turn_is_played(written, before, name, said, native):
    output, stderr = run(written, before=before)
    assert output == "WAIT\n"
    assert items(stderr)[name].startswith(said)
    assert native in items(stderr)["native bundle"]


def test_it_has_the_first_and_the_last_of_the_ideographs():
    first, base = ENCODINGS["wide"][:2]
    assert (probe.IDEOGRAPH_CODES[0], probe.IDEOGRAPH_CODES[-1]) == (first, first + base - 1)
    assert [ord(letter) for letter in probe.IDEOGRAPHS] == probe.IDEOGRAPH_CODES


def test_ideographs_that_do_not_arrive_are_not_used(written, tmp_path):
    damaged = tmp_path / "probe.py"
    damaged.write_text(written.read_text(encoding="utf-8").replace("欢", "?"))
    said = items(run(damaged)[1])
    assert said["ideographs"] == r"no: they arrive as '\u3400\u4dc0?\u9fa2'"
    assert said["native bundle"].endswith(" --encode base85")


def test_input_that_stays_open_does_not_hold_it_up(written):
    """A site keeps the pipe open and sends no more input before an answer."""
    with subprocess.Popen(
        [sys.executable, "-I", written],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        process.stdin.write("4\n3\n")
        process.stdin.flush()
        assert process.stdout.readline() == "WAIT\n"


def test_without_any_input_it_answers(written):
    closed = "import os\nos.close(0)\n"
    output, said = run(written, before=closed)
    assert output == "WAIT\n"
    assert items(said)["input"].startswith("no: OSError")


def test_the_probe_and_the_loader_need_the_same_cpu_flags():
    assert probe.CPU_FLAGS == CPU_FLAGS
