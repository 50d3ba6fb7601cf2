"""Games in which a player may move again, for searches whose players alternate.

`with_passes(game)` lets the other player pass before the player moves again: one action, and the
only one there. Alpha-beta, UCT with all its options, proof-number search and flat Monte Carlo then
work as they stand, as a position still changes hands with each action. A pass costs a ply of depth.
"""

from ..core.game import AlternatingGame
from ..core.jit import Ints, inline, int_buffer

PASSED = 0x2545F4914F6CDD1D  # distinguishes the hash of a position in which a player passes


def first_state(game: AlternatingGame, setup: Ints, state: Ints) -> Ints:
    """Returns the state of `with_passes(game)` to search from: `state`, and the player to move."""
    player = game.to_move(setup, state)
    return int_buffer([*(int(state[i]) for i in range(game.state_size)), int(player)])


def with_passes(game: AlternatingGame) -> AlternatingGame:
    """Returns the game with passes, an alternating one of two players.

    game: its `to_move` may name the player of the last move; `result`, `evaluate` and `sample` are
    from the view of the player that it names. A state is a number longer: the player whose turn it
    is. The action `game.max_actions` passes.
    """
    size, pass_action = game.state_size, game.max_actions
    may_move, list_moves, sample_move, move = game.to_move, game.legal, game.sample, game.apply
    result_of, value_of, hash_of, is_over = game.result, game.evaluate, game.key, game.is_over

    @inline
    def to_move(setup: Ints, state: Ints) -> int:
        return state[size]

    @inline
    def has_to_pass(setup: Ints, state: Ints) -> bool:
        return may_move(setup, state) != state[size]

    @inline
    def legal(setup: Ints, state: Ints, actions: Ints) -> int:
        if has_to_pass(setup, state):
            actions[0] = pass_action
            return 1
        return list_moves(setup, state, actions)

    @inline
    def sample(setup: Ints, state: Ints, rng: Ints) -> int:
        if has_to_pass(setup, state):
            return pass_action
        return sample_move(setup, state, rng)

    @inline
    def apply(setup: Ints, state: Ints, action: int, after: Ints) -> None:
        other = 1 - state[size]
        if action == pass_action:
            for i in range(size):
                after[i] = state[i]
        else:
            move(setup, state, action, after)
        after[size] = other

    @inline
    def result(setup: Ints, state: Ints) -> int:
        value = result_of(setup, state)
        return -value if has_to_pass(setup, state) else value

    @inline
    def evaluate(setup: Ints, state: Ints) -> int:
        value = value_of(setup, state)
        return -value if has_to_pass(setup, state) else value

    @inline
    def key(setup: Ints, state: Ints) -> int:
        return (
            hash_of(setup, state) ^ PASSED if has_to_pass(setup, state) else hash_of(setup, state)
        )

    return game._replace(
        max_actions=pass_action + 1,
        state_size=size + 1,
        to_move=to_move,
        legal=legal,
        sample=sample,
        apply=apply,
        is_over=is_over,
        result=result,
        evaluate=evaluate,
        key=key,
        priors=None,
        following=None,
    )
