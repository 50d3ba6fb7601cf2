"""What several tests share."""

import gc
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shared.core import jit

# A shell starts jobs in the background with SIGINT ignored, and what the tests start would inherit
# that: a Ctrl-C that a test sends would never arrive.
signal.signal(signal.SIGINT, signal.default_int_handler)

# To look for garbage takes a tenth of the time of compiling, with so much that stays.
gc.set_threshold(100_000, 50, 50)


class Kernel:
    """A kernel that is compiled when it is first called, or looked at by anybody but pytest, which
    asks all that a module has for its marks.
    """

    def __init__(self, compiled):
        self._compiled, self._kernel = compiled, None

    def _now(self):
        if self._kernel is None:
            self._kernel = self._compiled()
        return self._kernel

    def __getattr__(self, name):
        if collecting and name != "_numba_type_":
            raise AttributeError(name)
        return getattr(self._now(), name)

    def __call__(self, *arguments):
        return self._now()(*arguments)


def kernel_of_modules(signature, at_once=jit.kernel):
    """The `kernel` of what is imported while tests are collected. Each process collects all of them
    and runs a part: what modules compile at once would be compiled in each.
    """
    if not collecting:
        return at_once(signature)
    if callable(signature):
        return Kernel(lambda: at_once(signature))
    return lambda function: Kernel(lambda: at_once(signature)(function))


collecting = True
jit.kernel = kernel_of_modules


def pytest_collection_finish():
    global collecting
    collecting = False


PROJECT = Path(__file__).resolve().parents[1]
DATA = PROJECT / "tests" / "data"
# The bots' entry files, which are what runs; beside them stand modules that they share.
BOTS = sorted(path for path in PROJECT.glob("bots/*/*.py") if "__main__" in path.read_text())
# Those whose native bundles `make test` compiles: the players of golden games.
GOLDEN_BOTS = [
    path.with_name(f"{name}.py")
    for path in sorted(PROJECT.glob("bots/*/golden.json"))
    for name in json.loads(path.read_text())["bots"]
]
slow_bundle = pytest.mark.slow("compiles a bundle that no golden game plays")
# Every bot, as parameters of a test that needs its native bundle.
NATIVE_BUNDLES = [
    pytest.param(
        bot,
        id=f"{bot.parent.name}-{bot.stem}",
        marks=[] if bot in GOLDEN_BOTS else [slow_bundle],
    )
    for bot in BOTS
]


def run_plain(*arguments):
    """The output of a module run as plain Python."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def truth():
    """The folder of recorded games that may lie beside the project; tests that need it are
    skipped without it.
    """
    folder = PROJECT.parent / "shared" / "truth"
    if not folder.is_dir():
        pytest.skip(f"no recorded games beside the project ({folder.name} folder of ../shared)")
    return folder
