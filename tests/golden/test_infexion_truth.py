"""Infexion's searches find the recorded values, by few nodes."""

import pytest

from bots.infexion import report_minimax
from bots.infexion.report import REPORT_GAME, UNIT, new_report_setup
from shared.games.infexion.truth import load, position
from shared.search.alphabeta import new_tree, summary
from tests.conftest import DATA

SLICE = DATA / "infexion.json.gz"


def searched(search, tree, case):
    """Search a recorded position to the end; returns the summary."""
    setup = new_report_setup(case["after"] % 2)
    state = position(case["board"], case["after"])
    search(setup, state, tree, 1 << 40)
    return summary(tree)


@pytest.mark.slow("compiles a search more")
def test_the_reports_three_plies_have_its_values():
    """To the last bit of its floating-point numbers."""
    for case in load(SLICE)["searches"]:
        tree = new_tree(REPORT_GAME, report_minimax.OPTIONS, 1, report_minimax.PLIES)
        assert searched(report_minimax.search, tree, case).value / UNIT == case["value"]
