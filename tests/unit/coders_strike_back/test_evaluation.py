"""The evaluation of Coders Strike Back: blockers that cover a runner's way."""

import pytest

from bots.coders_strike_back.game import cover, make_evaluate
from bots.coders_strike_back.smitsimax import WEIGHTS
from shared.core.jit import float_buffer
from shared.games.coders_strike_back.state import ROLES, RUNNER, new_setup
from tests.support.csb_pods import CHECKPOINTS, state_of

RUNNER_POD, BLOCKER_POD = 0, 3  # player 0's runner on its way to (9000, 1000), player 1's blocker


@pytest.mark.parametrize(
    ("blocker", "share"),
    [
        ((5000, 1000), 1.0),
        ((9000, 1000), 1.0),
        ((5000, 1700), 0.5),
        ((5000, 300), 0.5),
        ((5000, 2500), 0.0),
        ((1500, 1000), 0.0),
        ((9500, 1000), 0.0),
    ],
    ids=["between", "in-the-gate", "beside", "other-side", "apart", "behind", "beyond-the-gate"],
)
def test_a_blocker_covers_a_runners_way(blocker, share):
    setup = new_setup(CHECKPOINTS, laps=1)
    state = state_of((2000, 1000, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (*blocker, 0, 0))
    assert cover(setup, state, RUNNER_POD, BLOCKER_POD) == pytest.approx(share, abs=0.001)


def test_a_covered_runner_is_worth_less_and_its_cover_more():
    setup = new_setup(CHECKPOINTS, laps=1)
    setup[ROLES] = setup[ROLES + 2] = RUNNER
    evaluate = make_evaluate(WEIGHTS._replace(distance=0.0, facing=0.0))
    scores = []
    for y in (1000, 4000):
        state = state_of((2000, 1000, 0, 0), (0, 0, 0, 0), (0, 9000, 0, 0), (5000, y, 0, 0))
        scores.append(float_buffer(4))
        evaluate(setup, state, scores[-1])
    covered, free = scores
    assert free[0] - covered[0] == pytest.approx(WEIGHTS.screen)
    assert covered[3] - free[3] == pytest.approx(WEIGHTS.block * WEIGHTS.screen)
    assert free[1] - covered[1] == pytest.approx(WEIGHTS.help * WEIGHTS.screen)
