"""The examples of shared/search/README.md run unchanged and find the best actions."""

import pytest

from tests.support.guides import examples, said_by

EXAMPLES = examples("shared/search/README.md")
SAYS = {
    "A game of your own: taking stones": "alpha-beta takes 2\nUCT takes 2",
    "Alpha-beta: tic-tac-toe": "cross wins by 2",
    "UCT: connect four": "column 3",
    "Proof-number search: tic-tac-toe": "cross wins: True by 3",
    "Expectimax: a race with a die": "roll for -0.3333",
    "Information-set MCTS: a bet": "fold with the worst card",
    "Max^n: nim for three": "take 3",
    "Beam search: a knapsack": "worth 24.0 by [",
    "Smitsimax: two players choose a number": "played most often: ",
}


def test_every_example_is_tried():
    assert EXAMPLES.keys() == SAYS.keys()


@pytest.mark.parametrize("name", SAYS)
def test_an_example_says_what_is_right(name):
    assert said_by(EXAMPLES[name]).startswith(SAYS[name])
