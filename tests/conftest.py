"""What several tests share."""

import gc
import signal
from pathlib import Path

import pytest

# A shell starts jobs in the background with SIGINT ignored, and what the tests start would inherit
# that: a Ctrl-C that a test sends would never arrive.
signal.signal(signal.SIGINT, signal.default_int_handler)

# To look for garbage takes a tenth of the time of compiling, with so much that stays.
gc.set_threshold(100_000, 50, 50)

PROJECT = Path(__file__).resolve().parents[1]
DATA = PROJECT / "tests" / "data"
# The bots' entry files, which are what runs; beside them stand modules that they share.
BOTS = sorted(path for path in PROJECT.glob("bots/*/*.py") if "__main__" in path.read_text())


@pytest.fixture(scope="session")
def truth():
    """The folder of recorded games that may lie beside the project; tests that need it are
    skipped without it.
    """
    folder = PROJECT.parent / "shared" / "truth"
    if not folder.is_dir():
        pytest.skip(f"no recorded games beside the project ({folder.name} folder of ../shared)")
    return folder
