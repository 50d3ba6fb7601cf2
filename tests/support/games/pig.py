"""Pig, a game of one die for two players, to an end after some turns: for tests and measurements of
searches with chance.

Source: T. Neller and C. Presser, "Optimal Play of the Dice Game Pig" (The UMAP Journal 25, 2004). A
player rolls as often as it likes. A 1 ends its turn with nothing; if it holds, it keeps the points
of all its rolls. The first to reach the target wins; here, most points win after some turns each.

    setup   the points to win, the die's faces, the turns of each player.
    state   points of player 0 and 1, points rolled in this turn, turns played by both, 1 while the
            die rolls.
    action  0 holds, 1 rolls; of chance: the number rolled.
"""

from shared.core.game import CHANCE, TurnGame
from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below

TARGET, FACES, TURNS = range(3)
POINTS, ROLLED, PLAYED, ROLLS = 0, 2, 3, 4
HOLD, ROLL = range(2)
MAX_FACES = 20


def new_setup(target=20, faces=6, turns=5):
    """The setup of a game. Raises ValueError for a die or numbers that cannot be played with."""
    if not 2 <= faces <= MAX_FACES or target < 1 or turns < 1:
        raise ValueError(
            f"pig is played with a die of 2 to {MAX_FACES} faces, a target and turns of 1 or more,"
            f" not {faces}, {target} and {turns}"
        )
    return int_buffer([target, faces, turns])


def new_state(points=(0, 0), rolled=0, played=0):
    """The start, or a position before a choice; player 0 moves if an even number is `played`."""
    return int_buffer([*points, rolled, played, 0])


@inline
def to_move(setup, state):
    """0 or 1, or CHANCE while the die rolls."""
    return CHANCE if state[ROLLS] == 1 else state[PLAYED] & 1


@inline
def legal(setup, state, actions):
    """The faces of the die; else to hold and to roll, or to roll alone before the first roll."""
    n = 0
    if state[ROLLS] == 1:
        for face in range(setup[FACES]):
            actions[n] = face + 1
            n += 1
        return n
    if state[ROLLED] > 0:
        actions[n] = HOLD
        n += 1
    actions[n] = ROLL
    return n + 1


@inline
def sample(setup, state, rng):
    """A legal action, drawn uniformly; the faces of the die are equally likely."""
    if state[ROLLS] == 1:
        return 1 + random_below(rng, setup[FACES])
    return ROLL if state[ROLLED] == 0 else random_below(rng, 2)


@inline
def chances(setup, state, actions, n, shares):
    """Writes the faces' probabilities: all the same."""
    for i in range(n):
        shares[i] = 1.0 / n


@inline
def apply(setup, state, action, after):
    """Hold, roll, or let the die show a number."""
    player = state[PLAYED] & 1
    rolls, rolled, ends = state[ROLLS] == 1, state[ROLLED], False
    for i in range(4):
        after[i] = state[i]
    after[ROLLS] = 0
    if rolls:
        rolled = 0 if action == 1 else rolled + action
        ends = action == 1 or state[POINTS + player] + rolled >= setup[TARGET]
    elif action == ROLL:
        after[ROLLS] = 1
    else:
        ends = True
    after[ROLLED] = rolled
    if ends:
        after[POINTS + player] += rolled
        after[ROLLED] = 0
        after[PLAYED] += 1


@inline
def is_over(setup, state):
    """True if a player has reached the target, or the last turn was played."""
    return max(state[0], state[1]) >= setup[TARGET] or state[PLAYED] == 2 * setup[TURNS]


@inline
def evaluate(setup, state, scores):
    """Writes 1, 0 or -1 where the game is over, else the lead in points by the target."""
    player = state[PLAYED] & 1
    lead = state[0] - state[1] + (1 - 2 * player) * state[ROLLED]
    scores[0] = lead / (setup[TARGET] + 1.0)
    if is_over(setup, state):
        scores[0] = 1.0 if lead > 0 else 0.0 if lead == 0 else -1.0
    scores[1] = -scores[0]


@inline
def key(setup, state):
    """The state's numbers packed into one, different for each position with points below 1024."""
    packed = state[PLAYED] * 2 + state[ROLLS]
    for i in range(3):
        packed = packed << 10 | state[i]
    return packed


GAME = TurnGame(
    n_players=2,
    max_actions=MAX_FACES,
    state_size=5,
    to_move=to_move,
    legal=legal,
    sample=sample,
    apply=apply,
    is_over=is_over,
    evaluate=evaluate,
    key=key,
    chances=chances,
)
