"""Requirements of searches on every game of alternating moves."""

import pytest

from shared.core.jit import int_buffer
from shared.core.rng import seed_rng
from tests.support.alternating_games import GAMES, Rules

# The others stand in golden games, and in tests and guides of searches, which would fail as well.
SAMPLE = "ultimate_tic_tac_toe"
further = pytest.mark.slow("compiles more games")


@pytest.fixture(
    scope="module",
    params=[pytest.param(one, marks=[] if one == SAMPLE else further) for one in sorted(GAMES)],
)
def played(request):
    """Returns a game's rules, and every position of twelve random games with the action played
    there.
    """
    game, setup, start = GAMES[request.param]
    rules = Rules(game, setup)
    rng = int_buffer(1)
    seed_rng(rng, 7)
    return rules, [list(rules.random_game(start, rng)) for _ in range(12)]


def test_players_take_turns_and_player_0_begins(played):
    rules, games = played
    for positions in games:
        movers = [rules.to_move(state) for state, _ in positions]
        assert movers == [ply % 2 for ply in range(len(positions))]


def test_open_positions_have_actions_each_once_in_a_fixed_order(played):
    rules, games = played
    for positions in games:
        for state, action in positions[:-1]:
            actions = rules.legal(state)
            assert 1 <= len(set(actions)) == len(actions) <= rules.game.max_actions
            assert actions == rules.legal(state) and action in actions


def test_samples_come_to_every_action(played):
    rules, games = played
    rng = int_buffer(1)
    seed_rng(rng, 3)
    state = next(state for state, action in games[0] if len(rules.legal(state)) < 80)
    actions = rules.legal(state)
    assert {rules.sample(state, rng) for _ in range(20 * len(actions))} == set(actions)


def test_an_action_changes_its_position_only_when_it_is_played_in_place(played):
    rules, games = played
    for state, action in games[0][:-1]:
        before = list(state)
        after = rules.apply(state, action)
        assert list(state) == before != list(after)
        twin = int_buffer(before)
        rules.apply_in_place(twin, action)
        assert list(twin) == list(after)


def test_results_are_won_drawn_or_lost(played):
    rules, games = played
    for positions in games:
        assert rules.result(positions[-1][0]) in (-1, 0, 1)


def test_equal_positions_have_equal_keys_and_others_others(played):
    rules, games = played
    keys = {}
    for positions in games:
        for state, _ in positions:
            keys.setdefault(tuple(state), set()).add(rules.key(state))
    assert all(len(found) == 1 for found in keys.values())
    assert len(set.union(*keys.values())) == len(keys)


def test_evaluations_are_moderate_whole_numbers(played):
    """Searches place the values of proven wins far above any evaluation."""
    rules, games = played
    for positions in games:
        assert all(abs(rules.evaluate(state)) < 1 << 40 for state, _ in positions[:-1])
