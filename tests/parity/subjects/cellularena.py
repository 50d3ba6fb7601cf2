"""Cellularena: a line for the rules, and for the actions, evaluation and keys of its bots."""

from random import Random

from bots.cellularena import game as turns
from bots.cellularena.beam import GAME
from shared.core.jit import Ints, int_buffer, kernel
from shared.games.cellularena import sim
from shared.games.cellularena.contest import Match
from shared.games.cellularena.state import JOINT_SIZE, MAX_ACTIONS, N_PLAYERS
from tests.parity.digests import digest, digest_whole


@kernel
def play(state: Ints, joint: Ints, growths: Ints) -> None:
    """A turn of both players."""
    sim.apply(state, joint, growths)


@kernel
def begin(setup: Ints, state: Ints) -> None:
    """Begin the turns of a search."""
    turns.find_steps(setup, state)
    turns.begin_turn(setup, state)


@kernel
def step(setup: Ints, state: Ints, actions: Ints, choice: int) -> int:
    """Play one of the legal actions; returns how many there were."""
    n = GAME.legal(setup, state, actions)
    GAME.apply(setup, state, actions[choice % n], state)
    return n


@kernel
def look(setup: Ints, state: Ints, keys: Ints) -> float:
    """The evaluation; the key is written."""
    keys[0] = GAME.key(setup, state)
    return GAME.evaluate(setup, state)


def trace():
    joint, growths, keys = int_buffer(JOINT_SIZE), int_buffer(MAX_ACTIONS), int_buffer(1)
    setup, state, actions = (
        turns.new_setup(),
        turns.new_bot_state(),
        int_buffer(turns.MOST_ACTIONS),
    )
    setup[turns.LAST] = sim.MAX_TURNS
    for seed in (3, 8):
        match, rng = Match(seed), Random(seed)
        states, values = [], []
        while match.outcome() is None and len(states) < 20_000:
            n = N_PLAYERS
            for player in range(N_PLAYERS):
                lines = match.parse(player, match.random_lines(player, rng))
                joint[player] = len(lines)
                for action in lines:
                    joint[n] = action
                    n += 1
            play(match.state, joint, growths)
            states += [int(number) for number in match.state]
            for i, number in enumerate(match.state):
                state[i] = number
            begin(setup, state)
            for _ in range(3):
                states.append(int(step(setup, state, actions, rng.randrange(1000))))
                values.append(look(setup, state, keys))
                states.append(int(keys[0]))
        yield f"cellularena rules {seed}", digest_whole(states)
        yield f"cellularena evaluation {seed}", digest(values)
