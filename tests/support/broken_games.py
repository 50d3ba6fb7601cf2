"""Prints what `check_game` says of games with a mistake each: `python -m
tests.support.broken_games`, as plain Python.
"""

import math

from shared.core.checks.games import check_game
from shared.core.jit import Floats
from tests.support.games import countdown
from tests.support.games.countdown import ALTERNATING, LEFT, POINTS, SIMULTANEOUS, SOLO, TURNS


def legal_by(*actions, n=None):
    """A `legal` that writes some actions, and returns n or their number."""

    def legal(setup, state, room):
        for i, action in enumerate(actions):
            room[i] = action
        return len(actions) if n is None else n

    return legal


def legal_in_turns(setup, state, room):
    setup[0] += 1
    room[0], room[1] = setup[0] % 2, 1 - setup[0] % 2
    return 2


def legal_that_plays(setup, state, room):
    state[LEFT] -= 1
    return countdown.legal(setup, state, room)


def legal_by_others(setup, state, agent, room):
    room[0], room[1] = 0, 1
    return 1 if state[POINTS + 1 - agent] > 2 else 2


def apply_late(setup, state, action, after):
    countdown.apply(setup, state, action, after)
    after[POINTS] = state[LEFT]


def write(*numbers):
    """A function that writes numbers to its last argument."""

    def function(*arguments):
        for i, number in enumerate(numbers):
            arguments[-1][i] = number

    return function


def always(value):
    return lambda *arguments: value


STATE = [6, 0, 0, 0]
# mistake -> (game, state, options)
BROKEN = {
    "short state": (ALTERNATING, STATE[:3], {}),
    "state of floats": (ALTERNATING, [6.0, 0, 0, 0], {}),
    "state of whole numbers": (SIMULTANEOUS._replace(numbers=Floats), STATE, {}),
    "no is_over": (ALTERNATING._replace(is_over=None), STATE, {}),
    "endless": (SOLO._replace(is_over=always(False), code=always(0)), STATE, {}),
    "too many": (SOLO._replace(legal=legal_by(0, 1, 2)), STATE, {}),
    "count above": (SOLO._replace(legal=legal_by(0, n=3)), STATE, {}),
    "unwritten": (SOLO._replace(legal=legal_by(0, n=2)), STATE, {}),
    "none": (SOLO._replace(legal=legal_by()), STATE, {}),
    "twice": (SOLO._replace(legal=legal_by(1, 1)), STATE, {}),
    "beyond max_actions": (ALTERNATING._replace(legal=legal_by(0, 2)), STATE, {}),
    "other order": (ALTERNATING._replace(legal=legal_in_turns), STATE, {}),
    "legal plays": (ALTERNATING._replace(legal=legal_that_plays), STATE, {}),
    "foreign sample": (TURNS._replace(sample=always(5)), STATE, {}),
    "negative index": (TURNS._replace(is_over=lambda setup, state: state[-1] > 9), STATE, {}),
    "following": (ALTERNATING._replace(following=always(1)), STATE, {}),
    "result": (ALTERNATING._replace(result=always(2)), STATE, {}),
    "evaluate of a float": (ALTERNATING._replace(evaluate=always(0.5)), STATE, {}),
    "evaluate too large": (ALTERNATING._replace(evaluate=always(1 << 62)), STATE, {}),
    "score of NaN": (SIMULTANEOUS._replace(evaluate=write(0.0, math.nan)), STATE, {}),
    "score unwritten": (TURNS._replace(evaluate=write(0.0)), STATE, {}),
    "solo score": (SOLO._replace(score=always(math.inf)), STATE, {}),
    "in place": (TURNS._replace(apply=apply_late), STATE, {}),
    "same mover": (ALTERNATING._replace(to_move=always(0)), STATE, {}),
    "third mover": (TURNS._replace(to_move=always(2)), STATE, {}),
    "key": (ALTERNATING._replace(key=always(7)), STATE, {}),
    "wide key": (TURNS._replace(key=always(1 << 63)), STATE, {}),
    "priors of 0": (ALTERNATING._replace(priors=write(0.0, 1.0)), STATE, {}),
    "priors of 2": (ALTERNATING._replace(priors=write(1.0, 1.0)), STATE, {}),
    "code": (SOLO._replace(code=always(32)), STATE, {}),
    "apart": (SIMULTANEOUS._replace(legal=legal_by_others), STATE, {"apart": True}),
}

if __name__ == "__main__":
    for game in (ALTERNATING, countdown.SEQUENTIAL, TURNS, SIMULTANEOUS, SOLO):
        print(type(game).__name__, check_game(game, [0], STATE, apart=True))
    for mistake, (game, state, options) in BROKEN.items():
        print(f"{mistake}: {' | '.join(check_game(game, [0], state, **options))}")
