"""What several tests share."""

from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
DATA = PROJECT / "tests" / "data"


@pytest.fixture(scope="session")
def truth():
    """The folder of recorded games that may lie beside the project; tests that need it are skipped without it."""
    folder = PROJECT.parent / "shared" / "truth"
    if not folder.is_dir():
        pytest.skip(f"no recorded games beside the project ({folder.name} folder of ../shared)")
    return folder
