"""The examples of the libraries' guides run unchanged, in plain Python as any reader might, and
print correct results.
"""

import os
import re
import subprocess
import sys

import pytest

from tests.conftest import PROJECT
from tests.docs.pages import read_page


def examples(guide):
    """Returns {heading: program} of the examples of a guide, one a section."""
    text = (PROJECT / guide).read_text()
    return dict(re.findall(r"^## (.*?)\n.*?```python\n(.*?)```", text, re.MULTILINE | re.DOTALL))


EXAMPLES = {
    name: program
    for room in ("search", "path", "mesh")
    for name, program in examples(f"shared/{room}/README.md").items()
}
# The output, or its beginning where that is no whole line
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
    "Steps to all cells": "4 [(1, 0, 0), (1, 1, 1), (2, 1, 2), (1, 2, 2)]\n-1\n",
    "A path by A*": "5.0 [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (3, 2)]\n",
    "Many paths by jump point search": "straight and diagonal steps: (10, 19)\nwalled in: True\n",
    "One goal for many units": "4.0\n4.82842712474619\n",
    "A walker that finds walls on its way": "6.0\n4.82842712474619\n(3, 2)\n",
    "Agents that change places": "sum of costs: 11\n",
    "Hills, large units and straight legs": "9.236 [(0, 0), (1, 2), (6, 2), (6, 0)]\n10.0\n",
    "Graphs": "8 [0, 2, 1, 3]\n5 [(0, 1), (0, 2)]\n",
    "Discs": "2 stopped, at [1.5, 2.5, 3.0]\n",
    "A path of a disc": "True 98.296\n14 inner points\n",
    "Obstacles that come and go": "89.443\n[(50, 60)]\nTrue\n80.0\n",
    "Inconclusive searches": "True 8029\nFalse 7625\n",
}


def test_every_example_is_tried():
    assert EXAMPLES.keys() == SAYS.keys()


@pytest.mark.parametrize("name", SAYS)
def test_an_example_says_what_is_right(name):
    said, told = run_plain([sys.executable, "-c", EXAMPLES[name]], PROJECT), SAYS[name]
    assert said == told if told.endswith("\n") else said.startswith(told)


def run_plain(command, folder):
    """Returns the output of a command, whose kernels run as plain Python."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "CG_JIT": "0", "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_bot_for_a_grid_answers_as_its_page_says(tmp_path):
    """Runs the bot as plain Python; the slow tests run the page's commands, which bundle it."""
    page = "docs/how-to/grid-contest.md"
    writes_bot, feeds_bot, *_ = read_page(page).sections[0].script
    turns = feeds_bot[feeds_bot.index("cat >") : feeds_bot.index("onefile bundle")]
    plays = f"{sys.executable} bots/keep_off_the_grass/nearest.py <turns.txt"
    said = run_plain(["bash", "-euc", writes_bot + turns + plays], tmp_path)
    assert f"```text\n{said}```" in (PROJECT / page).read_text()
