"""Evolution of the plans of a single team."""

import pytest

from shared.core.jit import kernel
from shared.search import evolution
from tests.support import lander

PLAIN = evolution.Options(depth=25, population=10)
CROSSED = PLAIN._replace(crossover=0.5)


def evolved(options, n, cut, seed=1):
    population = evolution.new_population(lander.GAME, options, seed)
    search = kernel(evolution.make_search(lander.GAME, options))
    for start in range(0, n, cut):
        search(lander.new_setup(), lander.new_state(), population, min(cut, n - start))
    return population


@pytest.mark.slow("lands a craft by hundreds of evolved plans")
@pytest.mark.exhaustive("compiles the search without crossover", keep=1)
@pytest.mark.parametrize("options", [CROSSED, PLAIN], ids=["crossover", "mutation"])
def test_one_team_alone_lands(options):
    """The start is over 60 above the flat and 60 to its side, behind a hill; a landing scores 100
    points.
    """
    landed = [evolution.summary(evolved(options, 8000, 8000, seed)).scores[0] for seed in (1, 2, 3)]
    assert min(landed) > 80.0


@pytest.mark.exhaustive("compiles a search more")
def test_the_result_does_not_depend_on_the_division_into_calls():
    plans = [list(evolved(CROSSED, 700, cut).plans) for cut in (1, 33, 700)]
    assert plans[0] == plans[1] == plans[2]
