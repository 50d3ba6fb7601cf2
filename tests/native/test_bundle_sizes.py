"""Bundles leave room below the site's limit of 100,000 characters."""

from pathlib import Path

import pytest

from referee.bots import find_bot
from tests.conftest import PROJECT

CONTESTS = ("coders_strike_back", "infexion")
SOURCES = [
    source
    for contest in CONTESTS
    for source in sorted((PROJECT / "bots" / contest).glob("[!_]*.py"))
]


@pytest.mark.parametrize(
    "source", SOURCES, ids=lambda source: f"{source.parent.name}-{source.stem}"
)
def test_a_native_bundle_has_less_than_60000_characters(source):
    bundle = Path(find_bot(str(source)).command[-1])
    assert len(bundle.read_text()) < 60_000
