"""Infexion one ply deep: an action with the best evaluation of the report, uniformly among ties.

The report's own agent chose unevenly among ties and had no action if all lost; this one always has.
"""

from bots.infexion.report import UNIT, is_settled, new_report_setup, report_evaluate, report_result
from shared.core.jit import Ints, int_buffer, kernel
from shared.core.loop import run
from shared.core.rng import random_below, seed_rng
from shared.games.infexion.protocol import format_action, read_start, read_turn
from shared.games.infexion.sim import N_ACTIONS, apply, legal
from shared.games.infexion.state import new_state

WON = 1000 * UNIT  # above every evaluation


@kernel
def choose(setup: Ints, state: Ints, rng: Ints, actions: Ints, after: Ints) -> int:
    """Returns one of the best actions: the n-th tie replaces the choice with probability 1 / n."""
    best, best_value, n_best = -1, -WON - 1, 0
    for i in range(legal(setup, state, actions)):
        apply(setup, state, actions[i], after)
        if is_settled(setup, after):
            value = -report_result(setup, after) * WON
        else:
            value = -report_evaluate(setup, after)
        if value > best_value:
            best_value = value
            n_best = 0
        if value == best_value:
            n_best += 1
            if random_below(rng, n_best) == 0:
                best = actions[i]
    return best


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    player, seed = read_start(read_line)
    setup, state, rng = new_report_setup(player), new_state(), int_buffer(1)
    actions, after = int_buffer(N_ACTIONS), new_state()
    seed_rng(rng, 2 * seed + player)
    return (
        lambda: read_turn(read_line, state),
        lambda: [format_action(int(choose(setup, state, rng, actions, after)))],
    )


if __name__ == "__main__":
    run(new_player)
