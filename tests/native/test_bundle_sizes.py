"""Bundles leave room below the site's limit of 100,000 characters."""

from pathlib import Path

import pytest

from referee.bots import find_bot
from tests.conftest import PROJECT

SOURCES = sorted(PROJECT.glob("bots/*/[!_]*.py"))
# Smitsimax with a tree for two on top of it
LONGER = {"xmas_rush-uct": 63_000}


def name(source):
    return f"{source.parent.name}-{source.stem}"


@pytest.mark.parametrize("source", SOURCES, ids=name)
def test_a_native_bundle_has_less_than_60000_characters(source):
    bundle = Path(find_bot(str(source)).command[-1])
    assert len(bundle.read_text()) < LONGER.get(name(source), 60_000)
