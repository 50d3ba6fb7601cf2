"""Compares the simulator with recorded games: points of actions, last board.

A truth file is JSON, plain or gzipped; rows are as for `state.write_board`:

    {"boards": [{"name", "rows"}], "games": [{"board": index, "actions": [[column, row]],
     "points": [of each action], "over": true if no action follows, "last": rows}]}
"""

from ...core.checks.truth import compare_all, load_parts
from ...core.jit import int_buffer
from ...games.samegame.sim import apply, is_legal, is_over, legal
from ...games.samegame.state import (
    MAX_ACTIONS,
    SCORE,
    SIDE,
    board_of,
    new_setup,
    new_state,
    write_board,
)

WHAT = "truth file of SameGame"


def differences(boards, game):
    """Replay a game. Returns (n actions, differences)."""
    setup, state, actions = new_setup(), new_state(), int_buffer(MAX_ACTIONS)
    write_board(boards[game["board"]]["rows"], state)
    found = []
    for turn, ((x, y), points) in enumerate(zip(game["actions"], game["points"], strict=True)):
        if x not in range(SIDE) or y not in range(SIDE):
            raise ValueError(f"turn {turn}: column {x}, row {y} is beyond the board")
        if not is_legal(setup, state, SIDE * x + y):
            found.append(f"turn {turn}: {x} {y} is not legal")
            break
        before = int(state[SCORE])
        apply(setup, state, SIDE * x + y, state)
        if int(state[SCORE]) - before != points:
            found.append(f"turn {turn}: {int(state[SCORE]) - before} points, expected {points}")
    if not found and board_of(state) != game["last"]:
        found.append("at the end: another board")
    over = [bool(is_over(setup, state)), legal(setup, state, actions) == 0]
    if not found and over != [game["over"]] * 2:
        found.append(f"at the end: over is {over[0]}, expected {game['over']}")
    return len(game["actions"]), found


def subjects(contents):
    """Yields each (name, comparison)."""
    for number, game in enumerate(contents["games"]):
        yield f"game {number}", lambda game=game: differences(contents["boards"], game)


def verify(path):
    """Returns the VerifyReport of a truth file. Raises TruthError."""
    return compare_all(path, WHAT, subjects(load_parts(path, WHAT, {"games"})))
