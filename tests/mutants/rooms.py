"""The modules that are changed, by room, and the tests that should notice.

The first pattern that fits a module counts. Its tests run in this order until the first failure:
those next to the module come first. A test that is gone is an error, and so is a module of a room's
folders that no pattern fits.
"""

from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import NamedTuple

from tests.conftest import PROJECT

# Kernels run as plain Python: a changed module need not be compiled, and a wrong index is an error.
PLAIN = ("rules", "search")
# Most tests of searches are slow, as they compile; here they do not.
WHOLE = ("search",)
FOLDERS = {
    "rules": "shared/games/*/sim.py shared/games/*/state.py",
    "statistics": "referee/arena/statistics/*.py",
    "process": "referee/process/*.py referee/play/lateness.py",
    "bundler": "bundler/flattening/*.py bundler/stages/strip.py bundler/p[ru]*[gy].py",
    # Those that back up values
    "search": "shared/search/[amprst]*.py shared/search/turns/*.py",
}
# Words of rooms.txt for tests that stand there often
WORDS = {
    # Replays the slice of a contest's recorded games.
    "SLICE": "golden/test_truth.py::test_the_slice_in_the_project",
    # Repeats the first turns of a contest's golden game, by bots that play by a search.
    "TURNS": "golden/test_games.py::test_the_first_turns_are_the_recorded_ones",
    # Compares hashes of all numbers of a kind of searches with recorded ones.
    "TRACE": "parity/test_modes.py::test_the_numbers_are_the_recorded_ones",
    # Requirements of searches on every game of alternating moves
    "ALTERNATING": "conformance/test_alternating_games.py",
    # Plays a few turns of a bot.
    "BOT": "conformance/test_expectations.py::test_it_tells_what_it_expects",
}
# Pattern of modules: their tests, in which {} is the module's name, a line each
_LINES = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
TESTS = dict(zip(_LINES[::2], _LINES[1::2]))


class Row(NamedTuple):
    """A module, by its path in the project, and its tests."""

    room: str
    path: str
    tests: tuple[str, ...]


def rows(room: str) -> list[Row]:
    """Returns the modules of a room; raises LookupError where tests are missing."""
    paths = sorted(path for pattern in FOLDERS[room].split() for path in PROJECT.glob(pattern))
    names = [str(path.relative_to(PROJECT)) for path in paths if path.stat().st_size > 200]
    return [Row(room, name, killers_of(name)) for name in names]


def killers_of(module: str) -> tuple[str, ...]:
    """Returns the tests that should kill the mutants of a module."""
    named = next((tests for pattern, tests in TESTS.items() if fnmatchcase(module, pattern)), "")
    name = PurePath(module).stem
    words = [word.partition("[") for word in named.format(name).split()]
    tests = tuple(f"tests/{WORDS.get(first, first)}{mark}{case}" for first, mark, case in words)
    missing = [test for test in tests if not (PROJECT / test.partition("::")[0]).exists()]
    if missing or not tests:
        raise LookupError(f"{module}: {' and '.join(missing) or 'no test'} missing, see {__file__}")
    return tests
