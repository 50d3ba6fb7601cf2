"""Infexion by UCT: children start with their evaluation as mean, and a leaf is evaluated after two
greedy plies.

Random rollouts are long and uninformative (1 win in 6 games against greedy, with 2,500 iterations a
turn).

The tree is kept from turn to turn: the rival's action that led to the
position read is found by trial.
"""

from bots.infexion.game import GAME
from shared.core.bits import count_bits
from shared.core.clock import Clock
from shared.core.jit import Ints, inline, kernel
from shared.core.loop import expect, run
from shared.core.rng import random_below
from shared.games.infexion.protocol import LIMITS, format_action, read_start, read_turn
from shared.games.infexion.sim import (
    SPREADS,
    apply,
    cell_of,
    legal,
    may_spawn,
    nth_bit,
    power_of,
    power_within,
)
from shared.games.infexion.state import (
    LINE_SIZE,
    LINES,
    MAX_POWER,
    N_CELLS,
    N_DIRECTIONS,
    PLANES,
    STATE_SIZE,
    STONES,
    TURN,
    new_setup,
    new_state,
)
from shared.search.mcts import (
    Options,
    Tree,
    best_action,
    copy_tree,
    expected,
    is_finished,
    make_search,
    new_spare,
    new_tree,
    reroot,
)

# Greedy plies after a leaf maximise power by this weight, and cells by a weight of 1.
POWER_WEIGHT = 6
SPAWN_GAIN = POWER_WEIGHT + 1
WORST_GAIN = 1 << 30
ALL_CELLS = (1 << N_CELLS) - 1


@inline
def spread_gain(setup, state, spread):
    """Returns the gain of a spread, numbered from 0: the weighted lead in power, and in cells."""
    line = setup[LINES + LINE_SIZE * spread + power_of(state, spread // N_DIRECTIONS)]
    own = state[STONES + (state[TURN] & 1)]
    taken = state[STONES + 1 - (state[TURN] & 1)] & line
    full = line & state[PLANES + 1] & state[PLANES + 2]  # cells of power 6, which vanish at 7
    lost = count_bits(own & full)
    power = power_within(state, taken) + power_within(state, taken & ~full)
    power -= count_bits(full) + MAX_POWER * lost
    cells = count_bits(line & ~own & ~full) + count_bits(taken) - lost - 1
    return POWER_WEIGHT * power + cells


@inline
def sample_greedily(setup, state, rng):
    """Returns the best spread, or any spawn if none gains more."""
    best, best_gain = -1, SPAWN_GAIN if may_spawn(state) else -WORST_GAIN
    own = state[STONES + (state[TURN] & 1)]
    while own:
        bit = own & -own
        own ^= bit
        first = N_DIRECTIONS * cell_of(bit)
        for spread in range(first, first + N_DIRECTIONS):
            gain = spread_gain(setup, state, spread)
            if gain > best_gain:
                best, best_gain = SPREADS + spread, gain
    if best >= 0:
        return best
    empty = ALL_CELLS & ~(state[STONES] | state[STONES + 1])
    return cell_of(nth_bit(empty, random_below(rng, count_bits(empty))))


# Tuning: see NOTES.md.
MARGIN_MS = 20
CAPACITY = 1_500_000  # nodes
KEPT = 200_000  # nodes kept between turns: more take too long to copy
OPTIONS = Options(
    exploration=0.05,
    rollout_plies=2,
    max_depth=60,
    score_scale=16.0,
    prior_visits=20.0,
)

GREEDY_GAME = GAME._replace(sample=sample_greedily)

search = kernel(make_search(GREEDY_GAME, OPTIONS))
copy = kernel(copy_tree)


@kernel
def find_reply(setup: Ints, before: Ints, action: int, now: Ints, tree: Tree) -> int:
    """Returns the rival's action that led from `before` and the own `action` to `now`, -1 if none
    did.
    """
    apply(setup, before, action, tree.state)
    for i in range(legal(setup, tree.state, tree.actions)):
        apply(setup, tree.state, tree.actions[i], tree.after)
        n_equal = 0
        for j in range(STATE_SIZE):
            n_equal += 1 if tree.after[j] == now[j] else 0
        if n_equal == STATE_SIZE:
            return tree.actions[i]
    return -1


class Player:
    """A tree that follows the game."""

    def __init__(self):
        self.setup = new_setup()
        self.tree = new_tree(GAME, OPTIONS, CAPACITY)
        self.spare = new_spare(self.tree)
        self.before, self.action = new_state(), None  # the last turn's position and action

    def follow(self, state):
        """Keep the subtree of the position that both players' actions have led to."""
        if self.action is not None:
            reply = find_reply(self.setup, self.before, self.action, state, self.tree)
            played = [self.action, reply]
            self.tree, self.spare = reroot(self.tree, self.spare, played, copy, KEPT)

    def choose(self, state, clock):
        """Returns the most visited action when time is up or the value proven."""
        self.follow(state)
        while (nodes := clock.grant()) and not is_finished(self.tree):
            search(self.setup, state, self.tree, nodes)
        self.action = best_action(self.tree)
        *numbers, line = expected(self.tree)
        expect(*numbers, map(format_action, line))
        for i in range(STATE_SIZE):
            self.before[i] = state[i]
        return self.action


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    read_start(read_line)
    player, state = Player(), new_state()
    return (
        lambda: read_turn(read_line, state),
        lambda: [format_action(player.choose(state, clock))],
        clock,
    )


if __name__ == "__main__":
    run(new_player)
