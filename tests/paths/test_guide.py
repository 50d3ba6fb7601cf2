"""The examples of both guides run unchanged, and print correct results."""

import os
import subprocess
import sys

import pytest

from tests.conftest import PROJECT
from tests.docs.pages import read_page
from tests.support.guides import examples, said_by

EXAMPLES = {**examples("shared/path/README.md"), **examples("shared/mesh/README.md")}
SAYS = {
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
    assert said_by(EXAMPLES[name]) == SAYS[name]


def test_the_bot_for_a_grid_answers_as_its_page_says(tmp_path):
    """Runs the bot as plain Python; the slow tests run the page's commands, which bundle it."""
    page = "docs/how-to/grid-contest.md"
    writes_bot, feeds_bot, *_ = read_page(page).sections[0].script
    turns = feeds_bot[feeds_bot.index("cat >") : feeds_bot.index("onefile bundle")]
    plays = f"{sys.executable} bots/keep_off_the_grass/nearest.py <turns.txt"
    done = subprocess.run(
        ["bash", "-euc", writes_bot + turns + plays],
        cwd=tmp_path,
        env={**os.environ, "CG_JIT": "0", "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert f"```text\n{done.stdout}```" in (PROJECT / page).read_text()
