"""Requirements on every contest by the referee, and on every game by searches."""

import copy
import importlib
import json
import os
import random
import re
import subprocess
from functools import cache

import pytest

from referee.sources.bots import find_source
from shared.core.checks.truth import TruthError
from shared.core.clock import Limits
from shared.core.contest import Outcome
from shared.core.drawing.shapes import MAX_PLAYERS
from tests.conftest import BOTS, HOME

GAMES = HOME / "shared" / "games"
NAMES = sorted(path.parent.name for path in GAMES.glob("*/contest.py"))


def contest_of(name):
    return importlib.import_module(f"shared.games.{name}.contest").CONTEST


@pytest.fixture(params=NAMES)
def contest(request):
    return contest_of(request.param)


between = pytest.mark.exhaustive("plays games of more numbers of players")


def numbers_of_players():
    """Yields (contest name, a permitted number of players) for all contests."""
    for name in NAMES:
        low, high = contest_of(name).players
        for n_players in range(low, high + 1):
            marks = [] if n_players in (low, high) else [between]
            yield pytest.param((name, n_players), id=f"{name}-{n_players}", marks=marks)


TABLES = list(numbers_of_players())


def has_maps(table):
    [(name, _)] = table.values
    return contest_of(name).map_of is not None


@pytest.fixture(params=TABLES)
def table(request):
    """(a contest, a number of players)."""
    name, n_players = request.param
    return contest_of(name), n_players


def play(contest, n_players, seed, max_turns=10000):
    """Returns a game of random legal lines: every input, snapshot, and the number of turns."""
    rng = random.Random(seed)
    match = contest.new_match(seed, n_players)
    assert match.n_players == n_players
    history, n_turns = [match.setup(), match.snapshot()], 0
    lines_sent = [match.initial_input(player) for player in range(match.n_players)]
    while match.outcome() is None and n_turns < max_turns:
        actions = {}
        for player in match.players_to_move():
            lines_sent.append(match.turn_input(player))
            lines = match.random_lines(player, rng)
            expected = match.lines_expected(player)
            assert lines[-1] == expected if isinstance(expected, str) else len(lines) == expected
            actions[player] = match.parse(player, lines)
        match.play(actions)
        history.append(match.snapshot())
        n_turns += 1
    return match, history, lines_sent, n_turns


@cache
def game_of(name, n_players):
    return play(contest_of(name), n_players, 3)


def whole_game(contest, n_players):
    """The game of seed 3 to its end, as `play` returns it."""
    return game_of(contest.name, n_players)


def test_every_game_with_rules_is_a_contest():
    assert {path.parent.name for path in GAMES.glob("*/RULES.md")} == set(NAMES)


def test_it_is_named_after_its_folder_and_declares_its_facts(contest):
    assert contest.name in NAMES and contest.title
    assert isinstance(contest.limits, Limits)
    low, high = contest.players
    assert 1 <= low <= high <= MAX_PLAYERS
    assert len(set(contest.colours[:high])) == high
    assert set(contest.colours) <= set(range(MAX_PLAYERS))
    assert (GAMES / contest.name / "RULES.md").is_file()


def test_equal_seeds_give_equal_games_and_other_seeds_others(table):
    _, history, lines_sent, _ = whole_game(*table)
    _, same, lines_again, n_turns = play(*table, 3, 10)
    _, other, _, _ = play(*table, 4, 3)
    assert same == history[: n_turns + 2] and lines_again == lines_sent[: len(lines_again)]
    assert other != history[:5]


@pytest.mark.parametrize("table", [one for one in TABLES if has_maps(one)], indirect=True)
def test_equal_seeds_are_on_the_same_map(table):
    """A map has a name, and a property that other maps share."""
    contest, n_players = table
    names = [contest.map_of(seed, n_players) for seed in range(20)]
    assert names == [contest.map_of(seed, n_players) for seed in range(20)]
    assert all(one.name and one.group for one in names)
    assert len({one.group for one in names}) < len({one.name for one in names})


def test_the_reason_counts_turns_from_0_as_log_page_and_replay_do(table):
    """A turn that it names as the end is the last of the game; "in 112 turns" is their number."""
    match, _, _, n_turns = whole_game(*table)
    reason = match.outcome().reason
    assert all(int(turn) == n_turns - 1 for turn in re.findall(r"\bturn (\d+)", reason)), reason


def test_everything_logged_is_json_and_lines_are_single_lines(table):
    _, history, lines_sent, _ = whole_game(*table)
    assert json.dumps(history, allow_nan=False)
    for lines in lines_sent:
        for line in lines:
            assert line == line.strip() and "\n" not in line and line


def test_a_copy_goes_its_own_way(table):
    match, *_ = play(*table, 3, 5)
    before = match.snapshot()
    twin = copy.deepcopy(match)
    rng = random.Random(1)
    twin.play(
        {
            player: twin.parse(player, twin.random_lines(player, rng))
            for player in twin.players_to_move()
        }
    )
    assert match.snapshot() == before != twin.snapshot()


def test_every_game_ends_with_ranks_and_a_reason(table):
    match, *_ = whole_game(*table)
    outcome = match.outcome()
    assert isinstance(outcome, Outcome)
    assert len(outcome.ranks) == len(outcome.scores) == match.n_players
    assert min(outcome.ranks) == 0 and max(outcome.ranks) < match.n_players
    assert {type(rank) for rank in outcome.ranks} == {int}
    assert {type(score) for score in outcome.scores} == {float}
    assert type(outcome.reason) is str and outcome.reason.strip()


def test_an_eliminated_player_does_not_win(table):
    """The others play on and one of them wins; in a game for one player it scores 0."""
    contest, n_players = table
    for player in {0, n_players - 1}:
        match, rng = contest.new_match(3, n_players), random.Random(1)
        match.eliminate(player, "player is late")
        for _ in range(10000):
            if match.outcome() is not None:
                break
            movers = [mover for mover in match.players_to_move() if mover != player]
            match.play({p: match.parse(p, match.random_lines(p, rng)) for p in movers})
        ranks = match.outcome().ranks
        if n_players == 1:
            assert match.outcome().scores == (0.0,)
        else:
            assert ranks[player] > 0 and 0 in ranks
        if n_players <= 2:
            assert match.outcome().reason == "player is late"


@pytest.mark.parametrize("content", ["", "{}", "[1, 2]", '{"games": 1}'])
def test_a_strange_truth_file_is_named(contest, tmp_path, content):
    if contest.verify is None:
        pytest.skip(
            f"shared/games/{contest.name}/contest.py has no verify, which reads recorded games"
        )
    path = tmp_path / "strange.json"
    path.write_text(content)
    with pytest.raises(TruthError, match=r"strange\.json"):
        contest.verify(path)
    with pytest.raises(TruthError, match=r"missing\.json"):
        contest.verify(tmp_path / "missing.json")


def test_a_bot_that_cannot_read_its_input_says_so_in_a_line(contest):
    """Exit status 1 and no traceback."""
    bot = min(file for file in BOTS if file.parent.name == contest.name)
    done = subprocess.run(
        find_source(str(bot)).command,
        env={**os.environ, "CG_JIT": "0"},
        input="rubbish\n",
        capture_output=True,
        text=True,
    )
    said = done.stderr.splitlines()
    assert (done.returncode, len(said), done.stdout) == (1, 1, "")
    assert "rubbish" in said[0]
