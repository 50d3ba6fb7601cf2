"""Every bot that searches tells its expectations on stderr: value, depth, iterations, a line."""

import math
import re

import pytest

from referee.process.output_buffer import expected_line
from tests.support.plain_logs import PROJECT, plain_log

# The number of players, nodes and turns of a short game; of a bot where it needs others.
GAMES = {
    "ants": (2, 300, 3),
    "cellularena": (2, 400, 3),
    "code_of_kutulu": (4, 12, 3),
    "code_of_kutulu/paranoid": (4, 400, 3),
    "coders_strike_back": (2, 20, 3),
    "infexion": (2, 300, 4),
    "samegame": (1, 60, 3),
    "ultimate_tic_tac_toe": (2, 40, 4),
    "xmas_rush": (2, 30, 3),
}
# A bot searches if it makes a search of `shared/search`, or has a clock for one of its own.
SEARCHES = re.compile(r"^from shared\.(search|core\.clock)\b", re.MULTILINE)
# Games of paths, in which a bot plans its whole way without a value, and those of Kaggle's package.
WITHOUT_VALUES = ("wayfinder", "connectx")


def bots_that_search():
    """Yields CONTEST/BOT."""
    for source in sorted((PROJECT / "bots").glob("*/*.py")):
        text = source.read_text(encoding="utf-8")
        searches = "def new_player" in text and SEARCHES.search(text)
        if searches and source.parent.name not in WITHOUT_VALUES:
            yield f"{source.parent.name}/{source.stem}"


@pytest.mark.slow("plays a game a bot, all alike", keep=1)
@pytest.mark.exhaustive("plays a game a bot, all alike", keep=5)
@pytest.mark.parametrize("bot", list(bots_that_search()))
def test_it_tells_what_it_expects(bot, tmp_path):
    contest, name = bot.split("/")
    n_players, nodes, n_turns = GAMES.get(bot) or GAMES[contest]
    log = plain_log(tmp_path / "log.jsonl", contest, [name] * n_players, nodes, n_turns)
    # Some answer the first turn before the game begins, as in Ants.
    told = [part for turn in log.turns[1:] for part in turn.players.values()]
    assert len(told) >= 2
    for part in told:
        assert len(re.findall(r"^#expect", part.stderr, re.MULTILINE)) == 1, part.stderr
        assert part.values["depth"] >= 0 and part.values["iterations"] >= 1
        assert math.isfinite(part.values.get("expected", 0.0))
        line = expected_line(part.stderr)
        assert line and all(line)


@pytest.mark.slow("plays a game a bot, all alike", keep=1)
@pytest.mark.exhaustive("plays a game a bot, all alike", keep=5)
@pytest.mark.parametrize("bot", list(bots_that_search()))
def test_one_node_is_enough_for_an_answer(bot, tmp_path):
    """A bot on a slow or busy machine has no time for more."""
    contest, name = bot.split("/")
    n_players, _, n_turns = GAMES.get(bot) or GAMES[contest]
    log = plain_log(tmp_path / "log.jsonl", contest, [name] * n_players, 1, n_turns)
    assert all(part.output for turn in log.turns for part in turn.players.values())
