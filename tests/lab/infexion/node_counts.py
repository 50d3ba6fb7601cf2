"""The report's search of Infexion, implemented as written there with the same node counts, and its
games against greedy.
"""

from typing import NamedTuple

from bots.infexion import greedy
from bots.infexion.report import (
    REPORT_GAME,
    is_settled,
    new_report_setup,
    report_evaluate,
    report_result,
)
from shared.core.jit import copy_numbers, int_buffer, njit
from shared.core.rng import seed_rng
from shared.games.infexion.sim import N_ACTIONS, apply, is_over
from shared.games.infexion.state import (
    BLUE,
    N_PLAYERS,
    RED,
    STATE_SIZE,
    TURN,
    new_state,
)
from shared.games.infexion.truth import load, position
from shared.search.alphabeta import INFINITE, TRIED, WIN, select_child
from tests.conftest import DATA

CUTS = (29, 30)
FIGURE_SEED = 30024
PLIES = 3


class Variant(NamedTuple):
    """One bar of the figure: the search's options besides three plies of depth."""

    title: str
    prunes: bool
    order: int


LISTED, REVERSED, SORTED = range(3)
VARIANTS = (
    Variant("minimax", False, LISTED),
    Variant("alpha-beta", True, LISTED),
    Variant("alpha-beta, sorted", True, SORTED),
)
SPREADS_FIRST = Variant("alpha-beta, spreads first", True, REVERSED)
CALLS, GENERATED, BEST = range(3)


@njit
def count_nodes(
    setup, counts, states, actions, ranks, state, after, ply, alpha, beta, prunes, order
):
    """The report's search as written there, in negamax form, with its node counts; returns the
    value.

    Every call expands its position at once: all children are made and evaluated, and sorted where
    `order` says so. counts int64[3]: calls, positions made, the root's best action. states int64[S
    (PLIES + 1)], actions and ranks int64[A (PLIES + 1)].
    """
    counts[CALLS] += 1
    copy_numbers(states, STATE_SIZE * ply, state, 0, STATE_SIZE)
    if ply > 0 and is_settled(setup, state):
        return report_result(setup, state) * WIN
    row = N_ACTIONS * ply
    n = REPORT_GAME.legal(setup, state, counts[BEST + 1 :]) if ply < PLIES else 0
    if n == 0:
        return report_evaluate(setup, state)
    for i in range(n):
        action = counts[BEST + 1 + i]
        apply(setup, state, action, after)
        counts[GENERATED] += 1
        actions[row + i] = action
        if is_settled(setup, after):
            ranks[row + i] = -report_result(setup, after) * WIN
        else:
            ranks[row + i] = -report_evaluate(setup, after)
    best = -INFINITE
    for i in range(n):
        child = i
        if order == SORTED:
            child = select_child(ranks, row, n)
        elif order == REVERSED:
            child = n - 1 - i
        rank = ranks[row + child]
        ranks[row + child] = TRIED
        if rank == WIN:
            value = rank
        else:
            copy_numbers(states, STATE_SIZE * ply, state, 0, STATE_SIZE)
            apply(setup, state, actions[row + child], state)
            copy_numbers(state, 0, states, STATE_SIZE * (ply + 1), STATE_SIZE)
            value = -count_nodes(
                setup,
                counts,
                states,
                actions,
                ranks,
                state,
                after,
                ply + 1,
                -beta,
                -alpha,
                prunes,
                order,
            )
        if value > best:
            best = value
            if ply == 0:
                counts[BEST] = actions[row + child]
        alpha = max(alpha, best)
        if value == WIN or (prunes and alpha >= beta):
            break
    return best


class Searched(NamedTuple):
    """The value and the counts of a search of a position."""

    value: int
    action: int
    calls: int
    generated: int


def search(state, variant):
    """The report's search of a position, by one of its variants."""
    setup = SETUPS[int(state[TURN]) % N_PLAYERS]
    plies = PLIES + 1
    counts = int_buffer(BEST + 1 + N_ACTIONS)
    states = int_buffer(STATE_SIZE * plies)
    copy_numbers(state, 0, states, 0, STATE_SIZE)
    lists = [int_buffer(N_ACTIONS * plies) for _ in range(2)]
    room = [new_state(), new_state()]
    value = count_nodes(
        setup, counts, states, *lists, *room, 0, -INFINITE, INFINITE, variant.prunes, variant.order
    )
    return Searched(int(value), int(counts[BEST]), int(counts[CALLS]), int(counts[GENERATED]))


SETUPS = [new_report_setup(player) for player in (RED, BLUE)]


def positions_of_a_game(variant, colour, seed):
    """Positions that a variant searched, until the report's cut, in a game against greedy: (state,
    Searched) a move.
    """
    state, rng = new_state(), int_buffer(1)
    actions, after = int_buffer(N_ACTIONS), new_state()
    seed_rng(rng, seed)
    while not is_over(SETUPS[0], state) and state[TURN] < CUTS[colour]:
        mover = int(state[TURN]) % N_PLAYERS
        if mover == colour:
            searched = search(state, variant)
            yield int_buffer(state), searched
            action = searched.action
        else:
            action = greedy.choose(SETUPS[mover], state, rng, actions, after)
        apply(SETUPS[mover], state, action, state)


def game_totals(variant, colour, seed):
    """(moves, calls, positions made) of a variant in its own game against greedy."""
    searches = [searched for _, searched in positions_of_a_game(variant, colour, seed)]
    return (
        len(searches),
        sum(searched.calls for searched in searches),
        sum(searched.generated for searched in searches),
    )


def fixed_positions():
    """The recorded positions of tests/data, then every position of the sorted variant's game with
    the report's seed.
    """
    searches = load(DATA / "infexion.json.gz")["searches"]
    states = [position(case["board"], case["after"]) for case in searches]
    for colour in (RED, BLUE):
        states += [state for state, _ in positions_of_a_game(VARIANTS[-1], colour, FIGURE_SEED)]
    return states
