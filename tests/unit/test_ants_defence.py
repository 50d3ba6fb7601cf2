"""Hill defence in Ants: by the ants nearest to an intruder, and no others."""

import pytest

from bots.ants.combat import N_MOVES
from bots.ants.survey import Weights
from tests.support.ants_fields import field_of

pytestmark = pytest.mark.slow("compiles the whole sampler of Ants")

ROWS, COLS, ROW = 12, 60, 6
HILL, OWN = 6, (14, 16, 18, 24)  # columns


def drawn(weights, enemy):
    """Returns the own ants with some step whose value changes when hills are defended."""
    own = [ROW * COLS + column for column in OWN]
    worths = [
        list(
            field_of(
                ROWS, COLS, own, [ROW * COLS + enemy], hills=[ROW * COLS + HILL], weights=w
            ).worth
        )
        for w in (weights, weights._replace(defence=(0.0, 0.85)))
    ]
    return [
        ant
        for ant in range(len(own))
        if any(worths[0][i] != worths[1][i] for i in range(ant * N_MOVES, (ant + 1) * N_MOVES))
    ]


@pytest.mark.parametrize("defenders", [1, 2, 3, 4, 100])
def test_so_many_ants_as_are_wanted_defend(defenders):
    weights = Weights(defence=(3.0, 0.85), defenders=defenders)
    assert drawn(weights, enemy=10) == list(range(min(defenders, len(OWN))))


def test_nobody_defends_against_an_enemy_far_from_the_hill():
    assert drawn(Weights(defence=(3.0, 0.85), guarded=3), enemy=10) == []
