"""The method alone, without games: its gains, its memory, and numbers at their bounds."""

from random import Random

import pytest

from referee.errors import UsageError
from referee.tuning.space import Parameter, Space
from referee.tuning.spsa import Gains, Spsa

WIDTH, DEPTH = Parameter("width", 0.4, 0.1, 1.2), Parameter("depth", 3, 1, 9)
EVEN = Parameter("even", 4, 0, 9, 2)
SPACE = Space((WIDTH, DEPTH))


def test_gains_are_spalls():
    gains = Gains(100, move=0.02, perturbation=0.1)
    rate, c = gains.at(99)
    assert c == pytest.approx(0.1)
    assert gains.at(0)[0] * gains.at(0)[1] == pytest.approx(0.02)
    assert rate * c == pytest.approx(0.02 * (11 / 110) ** 0.602)
    assert gains.at(0)[1] == pytest.approx(0.1 * 100**0.101)


def test_a_lead_moves_the_point_to_the_better_side():
    method = Spsa((0.5, 0.5), Gains(10), seed=3)
    plus, minus = method.ask()
    assert method.ask() == (plus, minus)
    method.tell(1.0)
    for x, better, worse in zip(method.point, plus, minus):
        assert abs(x - better) < abs(x - worse)


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_the_top_of_a_noisy_hill(seed):
    top, rng = (0.8, 0.3), Random(seed)
    method = Spsa((0.2, 0.7), Gains(400), seed)

    def height(point):
        return -sum(2.0 * (x - y) ** 2 for x, y in zip(point, top))

    while method.k < method.n_iterations:
        plus, minus = method.ask()
        method.tell(min(max(height(plus) - height(minus) + rng.gauss(0, 0.3), -1), 1))
    assert all(abs(x - y) < 0.15 for x, y in zip(method.best(), top))


@pytest.mark.parametrize(
    ("parameter", "coordinate", "value"),
    [
        (WIDTH, 0.5, 0.65),
        (WIDTH, -1.0, 0.1),
        (WIDTH, 2.0, 1.2),
        (DEPTH, 0.5, 5),
        (DEPTH, 0.55, 5),
        (EVEN, 1.0, 8),
        (EVEN, 0.3, 2),
    ],
)
def test_a_value_is_the_nearest_that_is_allowed(parameter, coordinate, value):
    found = parameter.at(coordinate)
    assert found == pytest.approx(value) and type(found) is type(parameter.value)


def test_a_value_is_rounded_to_the_digits_that_mean_anything():
    assert Parameter("x", 0.5, 0.0, 1.0).rounded(0.123456) == 0.123
    assert Parameter("x", 500.0, 0.0, 3000.0).rounded(0.123456) == 370.0
    assert Parameter("x", 0.5, 0.013, 1.0).rounded(0.0) == 0.013


def test_numbers_that_a_bot_has_not_are_named():
    with pytest.raises(UsageError, match="no tunable number 'z': there are width"):
        Space.of({"width": {"name": "width", "value": 1, "low": 0, "high": 2}}, ["z"])
    with pytest.raises(UsageError, match="declares no tunable number"):
        Space.of({}, [])
