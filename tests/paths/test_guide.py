"""The examples of shared/path/README.md run as they stand, and say what is right."""

import pytest

from tests.support.guides import examples, said_by

EXAMPLES = examples("shared/path/README.md")
SAYS = {
    "A path by A*": "5.0 [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (3, 2)]\n",
    "Many paths by jump point search": "straight and diagonal steps: (10, 19)\nwalled in: True\n",
    "One goal for many units": "4.0\n4.82842712474619\n",
    "A walker that finds walls on its way": "6.0\n4.82842712474619\n(3, 2)\n",
    "Agents that change places": "sum of costs: 11\n",
    "Discs": "2 stopped, at [1.5, 2.5, 3.0]\n",
}


def test_every_example_is_tried():
    assert EXAMPLES.keys() == SAYS.keys()


@pytest.mark.parametrize("name", SAYS)
def test_an_example_says_what_is_right(name):
    assert said_by(EXAMPLES[name]) == SAYS[name]
