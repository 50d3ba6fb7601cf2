"""Requirements on every contest by the referee, and on every game by searches."""

import copy
import importlib
import json
import os
import random
import re
import subprocess

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


between = pytest.mark.slow("plays games of more numbers of players")


def numbers_of_players():
    """Yields (contest name, a permitted number of players) for all contests."""
    for name in NAMES:
        low, high = contest_of(name).players
        for n_players in range(low, high + 1):
            marks = [] if n_players in (low, low + 1, high) else [between]
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
    """Returns a game of random legal lines: every input, snapshot and the outcome."""
    rng = random.Random(seed)
    match = contest.new_match(seed, n_players)
    assert match.n_players == n_players
    history = [match.setup(), match.snapshot()]
    history += [match.initial_input(player) for player in range(match.n_players)]
    for _ in range(max_turns):
        if match.outcome():
            break
        actions = {}
        for player in match.players_to_move():
            history.append(match.turn_input(player))
            lines = match.random_lines(player, rng)
            expected = match.lines_expected(player)
            assert lines[-1] == expected if isinstance(expected, str) else len(lines) == expected
            actions[player] = match.parse(player, lines)
        match.play(actions)
        history.append(match.snapshot())
    return match, history


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
    _, one = play(*table, 3, 30)
    _, same = play(*table, 3, 30)
    _, other = play(*table, 4, 30)
    assert one == same != other


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
    contest, n_players = table
    for seed in (1, 2):
        match = contest.new_match(seed, n_players)
        rng, n_turns = random.Random(seed), 0
        while match.outcome() is None:
            actions = {
                player: match.parse(player, match.random_lines(player, rng))
                for player in match.players_to_move()
            }
            match.play(actions)
            n_turns += 1
        reason = match.outcome().reason
        assert all(int(turn) == n_turns - 1 for turn in re.findall(r"\bturn (\d+)", reason)), reason


def test_everything_logged_is_json(table):
    _, history = play(*table, 5, 20)
    assert json.dumps(history[:2], allow_nan=False)


def test_lines_are_single_lines(table):
    match, _ = play(*table, 1, 3)
    for player in range(match.n_players):
        for line in match.initial_input(player) + match.turn_input(player):
            assert line == line.strip() and "\n" not in line and line


def test_a_copy_goes_its_own_way(table):
    match, _ = play(*table, 6, 5)
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
    match, _ = play(*table, 7)
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
    for player in {0, n_players // 2, n_players - 1}:
        match, rng = contest.new_match(1, n_players), random.Random(1)
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


@pytest.mark.parametrize("given", ["", "rubbish\n"], ids=["nothing", "rubbish"])
def test_a_bot_that_cannot_read_its_input_says_so_in_a_line(contest, given):
    """Exit status 1 and no traceback; an empty game is not an error."""
    bot = min(file for file in BOTS if file.parent.name == contest.name)
    done = subprocess.run(
        find_source(str(bot)).command,
        env={**os.environ, "CG_JIT": "0"},
        input=given,
        capture_output=True,
        text=True,
    )
    said = done.stderr.splitlines()
    assert (done.returncode, len(said)) in ((1, 1), (0, 0)) and done.stdout == ""
    assert not given or "rubbish" in said[0]
