"""Bundles leave room below the site's limit of 100,000 characters, and stay as small as they were."""

from pathlib import Path

import pytest

from bundler.flatten import flatten
from bundler.report import utf16_units
from referee.bots import find_bot
from tests.conftest import BOTS, PROJECT

MOST_NATIVE = 60_000
MOST_NATIVE_OF = {"ants": 70_000, "code_of_kutulu": 70_000, "wayfinder": 80_000}
# With a triangulation and a funnel for discs in it: below the site's limit, and below 80,000 with `--strip`
MOST_NATIVE_OF["wayfinder/tra_star"] = 95_000
MOST_WITH_WEIGHTS = 100_000  # the site's limit
# Characters in python mode: of the bundles of version 0.1, of infexion/mcts since its search knows
# PUCT, of those that search trees by UCB1 since they look up its logarithms, of
# coders_strike_back/smitsimax since all its numbers stand in it, of infexion and
# ultimate_tic_tac_toe since their keys have 62 bits and actions are listed in stages, of ants since
# hills are defended, and of later bots as they came
PYTHON = {
    "ants/greedy": 36_832,
    "ants/patient": 58_385,
    "ants/sampler": 58_377,
    "code_of_kutulu/greedy": 37_843,
    "code_of_kutulu/paranoid": 60_642,
    "code_of_kutulu/random_player": 38_296,
    "code_of_kutulu/smitsimax": 60_896,
    "code_of_kutulu/uct": 63_052,
    "coders_strike_back/mutation": 45_154,
    "coders_strike_back/racer": 25_109,
    "coders_strike_back/smitsimax": 51_942,
    "infexion/greedy": 14_869,
    "infexion/mcts": 49_256,
    "infexion/minimax": 48_294,
    "infexion/random_player": 10_368,
    "infexion/report_mcts": 20_319,
    "infexion/report_minimax": 43_238,
    "ultimate_tic_tac_toe/network": 83_597,
    "ultimate_tic_tac_toe/rollouts": 48_938,
    "wayfinder/midpoints": 55_260,
    "wayfinder/polyanya": 62_977,
    "wayfinder/tangents": 35_713,
    "wayfinder/tra_star": 77_089,
    "xmas_rush/greedy": 24_269,
    "xmas_rush/matrix": 48_004,
    "xmas_rush/smitsimax": 50_863,
    "xmas_rush/uct": 53_421,
}


@pytest.mark.parametrize("bot", PYTHON)
def test_a_bundle_is_small(bot):
    """Flattened altogether in every mode, and with its machine code."""
    source = PROJECT / f"bots/{bot}.py"
    for mode in ("python", "numba", "native"):
        assert not flatten(source, mode=mode).carried
    assert utf16_units(flatten(source, mode="python").text) <= 1.01 * PYTHON[bot]
    native = Path(find_bot(str(source)).command[-1])
    text = native.read_text(encoding="utf-8")
    most = MOST_NATIVE_OF.get(bot, MOST_NATIVE_OF.get(source.parent.name, MOST_NATIVE))
    assert utf16_units(text) < (MOST_WITH_WEIGHTS if "weights(" in text else most)


def test_every_bot_is_measured():
    """None was forgotten above."""
    assert {f"{path.parent.name}/{path.stem}" for path in BOTS} == set(PYTHON)
