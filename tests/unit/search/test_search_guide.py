"""The examples of shared/search/README.md run unchanged and find the best actions."""

import pytest

from shared.search import max_n, smitsimax
from tests.support.guides import examples, said_by
from tests.support.toy_games import CORRIDOR

EXAMPLES = examples("shared/search/README.md")
SAYS = {
    "Alpha-beta: tic-tac-toe": "cross wins by 2",
    "UCT: connect four": "column 3",
    "Proof-number search: tic-tac-toe": "cross wins: True by 3",
    "Max^n: nim for three": "take 3",
    "Beam search: a knapsack": "worth 24.0 by [",
    "Smitsimax: two players choose a number": "played most often: ",
}


def test_every_example_is_tried():
    assert EXAMPLES.keys() == SAYS.keys()


@pytest.mark.parametrize("name", SAYS)
def test_an_example_says_what_is_right(name):
    assert said_by(EXAMPLES[name]).startswith(SAYS[name])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: smitsimax.make_search(CORRIDOR, smitsimax.Options(holds=())), "not ()"),
        (lambda: smitsimax.make_search(CORRIDOR, smitsimax.Options(holds=(1, 0))), "holds is"),
        (lambda: max_n.make_search(max_n.SequentialGame(*[2] * 8), max_n.Options(0)), "depth is"),
    ],
)
def test_options_that_cannot_work_say_so(make, said):
    with pytest.raises(ValueError) as error:
        make()
    assert said in str(error.value)
