"""Code of Kutulu without search: the action that takes it farthest from minions and nearest to the
others, who are taken to wait.
"""

from bots.code_of_kutulu.explorer import play_game
from bots.code_of_kutulu.game import Weights, legal_actions, make_worth
from shared.core.jit import Floats, Ints, float_buffer, int_buffer, kernel
from shared.games.code_of_kutulu.sim import play_turn
from shared.games.code_of_kutulu.state import (
    N_ACTIONS,
    N_PLAYERS,
    WAIT,
    copy_state,
    new_state,
)

WEIGHTS = Weights()

worth = make_worth(WEIGHTS)


@kernel
def rank_actions(
    setup: Ints, state: Ints, after: Ints, joint_action: Ints, actions: Ints, ranks: Floats
) -> int:
    """Write player 0's actions and what each leads to in a turn; returns how many."""
    n = legal_actions(setup, state, 0, actions)
    for i in range(n):
        copy_state(state, after)
        for player in range(N_PLAYERS):
            joint_action[player] = WAIT
        joint_action[0] = actions[i]
        play_turn(setup, after, joint_action, 0)
        ranks[i] = worth(setup, after, 0)
    return n


def make_choose():
    """choose(setup, state): the action of the highest rank."""
    after, joint_action = new_state(), int_buffer(N_PLAYERS)
    actions, ranks = int_buffer(N_ACTIONS), float_buffer(N_ACTIONS)

    def choose(setup, state):
        n = rank_actions(setup, state, after, joint_action, actions, ranks)
        return int(actions[max(range(n), key=lambda i: ranks[i])])

    return choose


def main():
    play_game(make_choose())


if __name__ == "__main__":
    main()
