"""Fixtures shared by several tests."""

import gc
import importlib
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bundler.modules.workspace import CACHE
from bundler.native import shortcuts
from referee.sources.workspace import home
from shared.core import jit

# A shell starts background jobs with SIGINT ignored, and processes started by tests would inherit
# that: a Ctrl-C sent by a test would never arrive.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hundreds of processes start Python: they share compiled modules, also if no file may be written
# beside the sources.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(CACHE / "bytecode"))

# Not for the processes that tests start
SKIPS = os.environ.pop("ONEFILE_SKIPS", None)

# Garbage collection takes a tenth of the compile time, as most objects stay alive.
gc.set_threshold(100_000, 50, 50)


if jit.COMPILED:
    # A test in `native/` holds that they change no byte of machine code.
    shortcuts.install()


class Kernel:
    """A kernel that is compiled at its first call, or at an access by any code but pytest, which
    inspects all members of a module for its marks.
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
    """The `kernel` of modules imported during collection. Each process collects all tests and runs
    a part of them: compiling at import would be repeated in each.
    """
    if not collecting:
        return at_once(signature)
    if callable(signature):
        return Kernel(lambda: at_once(signature))
    return lambda function: Kernel(lambda: at_once(signature)(function))


TESTS = Path(__file__).parent
collecting = True
jit.kernel = kernel_of_modules


# Folders whose tests compile kernels within pytest's process. Of these, WHOLE names folders whose
# tests share kernels: folders with the same value go to one worker, which compiles them once.
COMPILING = ("paths", "golden", "parity", "conformance", "property", "unit")
WHOLE = {"paths": "paths", "golden": "games", "parity": "games", "conformance": "games"}

# Files of the longest tests, which would run alone as the last ones: slow tests begin with FIRST;
# LONGEST waits for time limits.
FIRST = ("test_shown_commands.py", "test_wheel.py", "test_read_only.py")
LONGEST = "test_limits.py"


def pytest_configure(config):
    """Declare the markers here, as workspaces take this file without the project's settings."""
    for name, runs in (("slow", "`make test-slow`"), ("exhaustive", "`make test-exhaustive`")):
        meaning = f"left to {runs}, but for the first cases"
        config.addinivalue_line("markers", f"{name}(reason, keep=0): {meaning}")
    # Not in a workspace, whose machine may lack machine code.
    if HOME == PROJECT:
        config.pluginmanager.register(importlib.import_module("tests.support.fallback"))


def pytest_terminal_summary(terminalreporter):
    """Append the number of skipped tests to the file that ONEFILE_SKIPS names, a line a reason."""
    if not SKIPS:
        return
    # Every process of pytest-xdist reports a file that is skipped as a whole.
    skipped = {(one.nodeid, one.longrepr[2]) for one in terminalreporter.stats.get("skipped", ())}
    reasons = Counter(reason.removeprefix("Skipped: ") for _, reason in skipped)
    with open(SKIPS, "a", encoding="utf-8") as file:
        file.writelines(f"{n} {' '.join(reason.split())}\n" for reason, n in reasons.items())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Put FIRST first, then tests that compile in the process, then LONGEST, as a worker that ends
    early takes what is left. The order within a folder stays. Of a test marked `slow("reason",
    keep=N)` the first N cases are not slow, and likewise for `exhaustive`. The file that
    ONEFILE_LEFT names gets the number of exhaustive tests.
    """
    n_cases = Counter()

    def place(item):
        folder = item.path.relative_to(TESTS).parts[0] if item.path.is_relative_to(TESTS) else ""
        if item.path.name in FIRST:
            return -1
        if folder in COMPILING:
            return COMPILING.index(folder)
        return len(COMPILING) + (item.path.name != LONGEST)

    for item in items:
        for mark in [*item.iter_markers("slow"), *item.iter_markers("exhaustive")]:
            if "keep" in mark.kwargs:
                n_cases[item.function, mark.name] += 1
                if n_cases[item.function, mark.name] <= mark.kwargs["keep"]:
                    item.own_markers.remove(mark)
    if file := os.environ.pop("ONEFILE_LEFT", ""):
        n_left = sum(item.get_closest_marker("exhaustive") is not None for item in items)
        Path(file).write_text(f"{n_left}\n")
    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With `--dist loadfile` a worker takes a file at once, or a folder of WHOLE."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByKernels(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return WHOLE.get(Path(file).parent.name, file)

    return ByKernels(config, log)


def pytest_collection_finish():
    global collecting
    collecting = False


PROJECT = Path(__file__).resolve().parents[1]
# Its contests and bots are tested: the project's own, or those of a workspace, whose tests are
# these as well.
HOME = home()
DATA = PROJECT / "tests" / "data"
# The bots' entry files, which are run; shared modules are beside them.
BOTS = sorted(path for path in HOME.glob("bots/*/*.py") if "__main__" in path.read_text())
# Bots whose native bundles `make test` compiles: the first player of each contest's golden game, or
# another one if its search would be compiled for two contests; of the slow ones none.
OTHER_SEARCHES = {"infexion": "minimax"}
SLOW_TO_COMPILE = (
    "ants",
    "cellularena",
    "code_of_kutulu",
    "samegame",
    "ultimate_tic_tac_toe",
    "wayfinder",
    "xmas_rush",
)


def compiled_bot(golden):
    """Returns the file of this bot, for the file of a golden game."""
    first, *others = json.loads(golden.read_text())["bots"]
    other = OTHER_SEARCHES.get(golden.parent.name)
    return golden.with_name(f"{other if other in others else first}.py")


GOLDEN_BOTS = [compiled_bot(path) for path in sorted(HOME.glob("bots/*/golden.json"))]
COMPILED_BOTS = [bot for bot in GOLDEN_BOTS if bot.parent.name not in SLOW_TO_COMPILE]
slow_bundle = pytest.mark.slow("compiles more bundles than one of each kind of search")
further_bundle = pytest.mark.exhaustive("compiles more bundles than one of each contest")


def bundle_marks(bot):
    """Returns the marks of a test that needs the native bundle of this bot."""
    if bot in COMPILED_BOTS:
        return []
    return [slow_bundle if bot in GOLDEN_BOTS else further_bundle]


# Every bot, as parameters of a test that needs its native bundle.
NATIVE_BUNDLES = [
    pytest.param(bot, id=f"{bot.parent.name}-{bot.stem}", marks=bundle_marks(bot)) for bot in BOTS
]


# `python -m` with the modules of a workspace before the project's
RUN_MODULE = """\
import runpy, sys
from pathlib import Path
home, project, sys.argv[:] = sys.argv[1], sys.argv[2], sys.argv[3:]
sys.path[:0] = [project, home]
from bundler.modules.workspace import join
join(Path(home))
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def module_command(*arguments):
    """The command that runs a module, to be started in HOME."""
    joined = ["-c", RUN_MODULE, str(HOME), str(PROJECT)]
    return [sys.executable, *(["-m"] if HOME == PROJECT else joined), *arguments]


def run_plain(*arguments):
    """Returns the output of a module run as plain Python."""
    done = subprocess.run(
        module_command(*arguments),
        cwd=HOME,
        env={**os.environ, "CG_JIT": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def truth():
    """The folder of recorded games beside the project; skips the test where it is absent."""
    folder = PROJECT.parent / "shared" / "truth"
    if not folder.is_dir():
        pytest.skip(f"no recorded games beside the project ({folder.name} folder of ../shared)")
    return folder
