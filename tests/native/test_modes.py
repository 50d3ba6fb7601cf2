"""Machine code, numba and plain Python give the same bits; code that cannot run as machine code
runs as plain Python.
"""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bundler.bundle import make_bundle
from referee.sources.contests import find_contest
from tests.conftest import PROJECT
from tests.native.conftest import ZOO, native_bundle, run

FALLBACK = "kernels run as plain Python, 100 to 1,000 times slower"
# The lines before and after the machine code
START, END = 'MACHINE_CODE = r"""\n', '"""\n'


def first_turns(contest, n_turns):
    """The input of the first player's first turns in a game of random players."""
    match, rng, lines = find_contest(contest).new_match(1), Random(1), []
    player = match.players_to_move()[0]
    lines += match.initial_input(player)
    while n_turns and match.outcome() is None:
        asked = match.players_to_move()
        if player in asked:
            lines += match.turn_input(player)
            n_turns -= 1
        match.play({one: match.parse(one, match.random_lines(one, rng)) for one in asked})
    return "\n".join(lines) + "\n"


@pytest.mark.slow("compiles the zoo by numba; other tests run its machine code")
def test_the_zoo_gives_the_same_bits_in_all_modes(zoo, plain, tmp_path):
    output, said = run(zoo)
    assert said == "kernels run as machine code for x86-64-v2\n"
    assert output == plain and len(output.splitlines()) > 70
    compiled = tmp_path / "zoo_by_numba.py"
    compiled.write_text(make_bundle(ZOO, root=PROJECT, mode="numba").text)
    assert run(compiled)[0] == plain


@pytest.mark.slow("compiles a bot's kernels")
def test_wide_machine_code_is_half_as_long_and_runs(zoo, plain, tmp_path):
    bundle = tmp_path / "wide.py"
    bundle.write_text(native_bundle(ZOO, PROJECT, cache=zoo.parent), encoding="utf-8")
    assert run(bundle) == (plain, "kernels run as machine code for x86-64-v2\n")
    saved = len(zoo.read_text()) - len(bundle.read_text(encoding="utf-8"))
    assert saved > 0.4 * len(zoo.read_text().partition(START)[2].partition(END)[0])


KERNEL = """
from shared.core.jit import kernel


@kernel
def twice(n: int) -> int:
    return 2 * n


print(twice(21))
"""


@pytest.mark.falls_back
@pytest.mark.slow("compiles for two processors")
def test_the_best_code_that_the_processor_can_run_is_chosen(tmp_path):
    bundle, plain = tmp_path / "both.py", "42\n"
    (tmp_path / "bot.py").write_text(KERNEL)
    (tmp_path / "shared").symlink_to(PROJECT / "shared")
    text = native_bundle(tmp_path / "bot.py", tmp_path, cpu="both", cache=tmp_path / "cache")
    bundle.write_text(text, encoding="utf-8")
    has_third = " avx2 " in Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    best = "x86-64-v3" if has_third else "x86-64-v2"
    assert run(bundle) == (plain, f"kernels run as machine code for {best}\n")
    second = run(bundle, before=SECOND_PROCESSOR)
    assert second == (plain, "kernels run as machine code for x86-64-v2\n")
    output, said = run(bundle, before=OTHER_PROCESSOR)
    assert output == plain and said.startswith(f"{FALLBACK}: the processor lacks")


NO_MEMFD = """
import os
def refuse(*arguments):
    raise PermissionError(1, "memfd refused")
os.memfd_create = refuse
"""

NO_EXECUTABLE = """
import mmap
real = mmap.mmap
def refuse(descriptor, size, flags=mmap.MAP_SHARED, prot=3, *rest):
    if prot & mmap.PROT_EXEC and descriptor >= -1:
        raise PermissionError(1, "executable memory refused")
    return real(descriptor, size, flags, prot, *rest)
mmap.mmap = refuse
"""
NO_EXECUTABLE_MEMFD = NO_EXECUTABLE.replace(">= -1", "> -1")

NO_NUMBA = "import sys\nsys.modules['numba'] = None\n"

OTHER_PROCESSOR = """
import builtins, io
real = builtins.open
def other_open(path, *arguments, **options):
    if path == "/proc/cpuinfo":
        return io.StringIO("processor : 0\\nflags : fpu sse4_1 pni ssse3 cx16 lahf_lm popcnt\\n")
    return real(path, *arguments, **options)
builtins.open = other_open
"""

SECOND_PROCESSOR = OTHER_PROCESSOR.replace("fpu", "fpu sse4_2")
NO_LZMA = "import sys\nsys.modules['lzma'] = None\n"
OTHER_NUMPY = "import numpy\nnumpy.__version__ = '3.0.0'\n"
OTHER_MACHINE = "import platform\nplatform.machine = lambda: 'aarch64'\n"
OTHER_PYTHON = "import sys\nsys.implementation.name = 'pypy'\n"

OTHER_LIBRARY = """
import ctypes
real = ctypes.CDLL
class Library:
    def __getattr__(self, name):
        raise AttributeError(f"no function here called {name}")
ctypes.CDLL = lambda name, *rest: Library() if name == "libm.so.6" else real(name, *rest)
"""


def test_machine_code_runs_without_what_it_can_do_without(zoo, plain):
    """The oldest Python does so without a memory file."""
    assert run(zoo, before=NO_NUMBA) == (plain, "kernels run as machine code for x86-64-v2\n")


@pytest.mark.falls_back
@pytest.mark.parametrize(
    "damage",
    [
        lambda code: "".join(code.splitlines(keepends=True)[:-3]),
        lambda code: code[:500] + ("a" if code[500] != "a" else "b") + code[501:],
    ],
    ids="cut-short one-letter-else".split(),
)
def test_damaged_machine_code_does_not_run(zoo, plain, tmp_path, damage):
    above, start, below = zoo.read_text().partition(START)
    code, end, below = below.partition(END)
    (bundle := tmp_path / "damaged.py").write_text(above + start + damage(code) + end + below)
    output, said = run(bundle)
    assert said.startswith(f"{FALLBACK}: ")
    assert len(said.splitlines()) == 1
    assert output == plain


@pytest.mark.falls_back
def test_without_numba_the_sources_fall_back_alike():
    source = "from shared.core.jit import COMPILED; print(COMPILED)"
    said = subprocess.run(
        [sys.executable, "-c", NO_NUMBA + source],
        cwd=PROJECT,
        env={name: value for name, value in os.environ.items() if name != "CG_JIT"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "False\n" and said.stderr.startswith(f"{FALLBACK}: ")
