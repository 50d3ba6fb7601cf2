"""The probe answers one turn whatever the site forbids. It reports the restrictions on stderr, and
runs its own kernel as machine code if any native bundle could.
"""

import re
import resource
import subprocess
import sys
import time

import pytest

from bots import probe
from bundler.native.machine_code import CPU_FLAGS
from bundler.stages.encoding import ENCODINGS
from referee.sources.bots import bundle
from tests.conftest import PROJECT
from tests.native.conftest import run
from tests.native.test_modes import (
    NO_EXECUTABLE,
    NO_MEMFD,
    OTHER_PROCESSOR,
    OTHER_PYTHON,
)
from tests.support.pythons import python_of

NO_NUMPY = "import sys\nsys.modules['numpy'] = None\n"
NO_FORK = """
import os
def refuse():
    raise BlockingIOError(11, "fork refused")
os.fork = refuse
"""
NO_MMAP = """
import ctypes
real_library = ctypes.CDLL
class Library:
    @property
    def mmap(self):
        def refuse(*arguments):
            ctypes.set_errno(1)
            return 2**64 - 1
        return refuse
ctypes.CDLL = lambda name, **more: Library() if name is None else real_library(name, **more)
"""
FATAL = """
import os, mmap
real = mmap.mmap
def end(descriptor, size, flags=mmap.MAP_SHARED, prot=3, *rest):
    return os._exit(139) if prot & mmap.PROT_EXEC else real(descriptor, size, flags, prot, *rest)
mmap.mmap = end
"""
HANGING = FATAL.replace("os._exit(139)", "time.sleep(60)").replace("os,", "time,")
SECOND_LEVEL_ONLY = OTHER_PROCESSOR.replace("fpu", "fpu sse4_2")
MACHINE_CODE = "machine code for x86-64-v2, "
ENDED = "the process that tried it ended with status"


@pytest.fixture(scope="module")
def written():
    """The path of the probe's bundle."""
    return bundle(PROJECT / "bots" / "probe.py")


def items(said):
    """Returns the lines of stderr by name."""
    return dict(line.split(": ", 1) for line in said.splitlines())


def test_machine_code_runs_and_everything_is_reported(written):
    output, said = run(written, given="3\n1 2 3\n", python=python_of("oldest"))
    assert output == "WAIT\n"
    said = items(said)
    rows = [name for name in said if not name.endswith(" import")]
    assert rows == [*probe.CHECKS, "numpy", "native bundle"]
    assert said["input"] == "8 bytes"
    for kind in ("memfd", "anonymous memory"):
        assert said[kind] == "executable, runs machine code"
    assert re.fullmatch(r"\d+\.\d+\.\d+, imported in \d+ ms", said["numpy"])
    assert said["native bundle"].startswith(MACHINE_CODE)
    assert float(said["native bundle"].removeprefix(MACHINE_CODE).partition("x ")[0]) > 20


def test_packages_are_imported_after_the_answer(written):
    python = python_of("site")
    with subprocess.Popen(
        [python, written],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        lines = process.stdout.read().splitlines()
    answered = lines.index("WAIT")
    before, after = items("\n".join(lines[:answered])), items("\n".join(lines[answered + 1 :]))
    assert [before["scipy"], before["pandas"]] == ["1.9.2", "1.5.1"]
    assert list(after)[-2:] == ["scipy import", "pandas import"]
    assert re.fullmatch(r"1\.9\.2, imported in \d+ ms", after["scipy import"])


def test_it_runs_in_the_memory_of_a_site(written):
    limit = 768 << 20
    done = subprocess.run(
        [python_of("oldest"), written],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        input="",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "WAIT\n"
    assert "address space 768 MB" in items(done.stderr)["memory limit"]
    assert items(done.stderr)["native bundle"].startswith(MACHINE_CODE)


@pytest.mark.falls_back
@pytest.mark.parametrize(
    ("before", "name", "said", "native"),
    [
        (NO_MEMFD, "memfd", "no: PermissionError: [Errno 1] memfd refused", "machine code for"),
        (NO_FORK, "memfd", "executable, runs machine code (tried in this proc", "machine code for"),
        (NO_MMAP, "anonymous memory", "no: mmap: Operation not permitted", "machine code for"),
        (
            NO_EXECUTABLE + NO_MMAP,
            "memfd",
            "",
            "plain Python: [Errno 1] executable memory refused",
        ),
        (FATAL, "memfd", "executable", f"none, {ENDED} 35584: bundle with --mode python"),
        (NO_NUMPY, "numpy", "no: ModuleNotFoundError", "plain Python: ModuleNotFoundError"),
        (SECOND_LEVEL_ONLY, "processor", "x86-64-v2 (, lacks abm", "machine code for x86-64-v2"),
        (OTHER_PROCESSOR, "processor", "no: , lacks sse4_2 of x86-64-v2", "plain Python: the proc"),
        (OTHER_PYTHON, "python", "no: pypy on linux", "plain Python: made for CPython"),
    ],
    ids="memfd fork mmap memory fatal numpy v2 processor python".split(),
)
def test_refused_abilities_are_reported_and_the_turn_is_played(written, before, name, said, native):
    output, stderr = run(written, before=before)
    assert output == "WAIT\n"
    assert items(stderr)[name].startswith(said)
    assert items(stderr)["native bundle"].startswith(native)


def test_it_has_the_first_and_the_last_of_the_ideographs():
    first, base = ENCODINGS["wide"][:2]
    assert (probe.IDEOGRAPH_CODES[0], probe.IDEOGRAPH_CODES[-1]) == (first, first + base - 1)
    assert [ord(letter) for letter in probe.IDEOGRAPHS] == probe.IDEOGRAPH_CODES


@pytest.mark.falls_back
def test_ideographs_that_do_not_arrive_are_not_used(written, tmp_path):
    damaged = tmp_path / "probe.py"
    text = written.read_text(encoding="utf-8")
    damaged.write_text(re.sub("[㐀-龢]", "?", text), encoding="utf-8")
    said = items(run(damaged)[1])
    assert said["ideographs"] == "no: they arrive as '????'"
    assert said["native bundle"].startswith("plain Python: ")
    assert said["native bundle"].endswith('; write encode = "base85" into [site] of onefile.toml')


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


@pytest.mark.slow("waits")
def test_a_check_that_hangs_does_not_delay_the_answer(written):
    start = f"import runpy\n{HANGING}\nrunpy.run_path({str(written)!r}, run_name='__main__')"
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-c", start],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "WAIT\n"
        assert time.monotonic() - began < probe.KERNEL_S  # a busy machine starts it late
        said = items(process.stderr.read())
    assert said["native bundle"] == f"none, {ENDED} 14: bundle with --mode python"


def test_the_lowest_limit_of_the_groups_counts(tmp_path, monkeypatch):
    (tmp_path / "bots" / "one").mkdir(parents=True)
    (tmp_path / "own").write_text("0::/bots/one\n")
    (tmp_path / "bots" / "memory.max").write_text("805306368\n")
    (tmp_path / "bots" / "one" / "memory.max").write_text("max\n")
    monkeypatch.setattr(probe, "CGROUPS", str(tmp_path))
    monkeypatch.setattr(probe, "OWN_GROUPS", str(tmp_path / "own"))
    assert probe.cgroup_limits() == {"cgroup v2": 768 << 20}
    assert probe.memory_limit().endswith("cgroup v2 768 MB")


def test_the_probe_and_the_loader_need_the_same_cpu_flags():
    assert probe.CPU_FLAGS == CPU_FLAGS
