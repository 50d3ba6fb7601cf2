"""`check_game` tells each mistake of a game in a line, and nothing of a sound game."""

import re

import pytest

from shared.core.checks.games import check_game
from tests.conftest import DATA, run_plain
from tests.support.games import countdown


def test_each_mistake_is_told_in_a_line():
    """`python -m tests.support.broken_games`, as plain Python, with the folders left out."""
    said = re.sub(r"\(/\S+/", "(", run_plain("tests.support.broken_games"))
    assert said == (DATA / "broken_games.txt").read_text()


def test_compiled_games_are_not_checked():
    with pytest.raises(RuntimeError, match="set CG_JIT=0 before Python starts"):
        check_game(countdown.SOLO, [0], [6, 0, 0, 0])
