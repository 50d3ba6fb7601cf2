"""Bundles leave room below the site's limit of 100,000 characters."""

from pathlib import Path

import pytest

from referee.bots import find_bot
from tests.conftest import PROJECT

SOURCES = sorted(PROJECT.glob("bots/*/[!_]*.py"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_native_bundle_has_less_than_60000_characters(source):
    bundle = Path(find_bot(str(source)).command[-1])
    assert len(bundle.read_text()) < 60_000
