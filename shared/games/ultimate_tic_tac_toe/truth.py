"""Compares the simulator with recorded games and counts of action sequences.

A truth file is JSON, plain or gzipped, of two kinds. A move is 9 row + column on the whole
board.

    {"games": [{"seed", "moves": [turn], "legal": [turn] (sorted, before the move),
                "scores", "result": "P0", "P1" or "draw"}, ...]}
    {"start": {"1": sequences of one action, ...},
     "positions": [{"moves": [...], "perft": [of one action, of two, ...]}, ...]}
"""

from ...core.checks.perft import count_sequences, depth_of, make_perft
from ...core.checks.truth import compare_all, load_parts
from ...core.jit import COMPILED, int_buffer, kernel
from ...games.ultimate_tic_tac_toe.game import GAME
from ...games.ultimate_tic_tac_toe.protocol import action_at, place_of
from ...games.ultimate_tic_tac_toe.sim import (
    N_ACTIONS,
    apply,
    boards_won,
    is_legal,
    is_over,
    legal,
    result,
    to_move,
)
from ...games.ultimate_tic_tac_toe.state import (
    HAS_LINE,
    N_PLAYERS,
    SIDE,
    WINS,
    new_setup,
    new_state,
)

TABLES = new_setup()
# Plain Python counts some hundred thousand sequences a second, so the longest counts are left to
# compiled code, which skips counts of more than some seconds.
MAX_SEQUENCES = 300_000_000 if COMPILED else 200_000
WHAT = "truth file of Ultimate Tic-Tac-Toe"


def load(path):
    """Read a truth file. Raises TruthError."""
    return load_parts(path, WHAT, {"games", "positions", "start"})


def move_of(action):
    """Returns the move of an action."""
    row, column = place_of(action)
    return SIDE * row + column


def legal_moves(state):
    """Returns the sorted legal moves."""
    actions = int_buffer(N_ACTIONS)
    n = int(legal(TABLES, state, actions))
    return sorted(move_of(int(actions[i])) for i in range(n))


def position(moves):
    """Returns the state after `moves`."""
    state = new_state()
    for move in moves:
        play(state, move)
    return state


def play(state, move):
    """Play a move. Raises ValueError if it is illegal."""
    action = action_at(*divmod(move, SIDE))
    if not is_legal(TABLES, state, action):
        raise ValueError(f"move {move} is not legal")
    apply(TABLES, state, action, state)


def scores_of(state):
    """Returns scores in the file's form."""
    won = [int(boards_won(state, player)) for player in range(N_PLAYERS)]
    return [10 if TABLES[WINS + boards] & HAS_LINE else boards.bit_count() for boards in won]


def winner_of(state):
    """Returns the winner in the file's form, None while the game goes on."""
    if not is_over(TABLES, state):
        return None
    mover, won = int(to_move(TABLES, state)), int(result(TABLES, state))
    return "draw" if won == 0 else f"P{mover if won > 0 else 1 - mover}"


def game_differences(game):
    """Returns (turns compared, texts of differences) of a recorded game."""
    state, found = new_state(), []
    for turn, (move, listed) in enumerate(zip(game["moves"], game["legal"], strict=True)):
        if legal_moves(state) != listed:
            found.append(f"turn {turn}: legal are {legal_moves(state)}, expected {listed}")
        play(state, move)
    actual = winner_of(state), scores_of(state)
    expected = game["result"], list(game["scores"])
    if actual != expected:
        found.append(f"at the end: {actual}, expected {expected}")
    return len(game["moves"]), found


def perft_differences(state, counts, perft):
    """Returns (counts compared, texts of differences). counts: {depth: sequences}."""
    compared, found = 0, []
    for depth, expected in counts.items():
        if expected > MAX_SEQUENCES:
            continue
        compared += 1
        depth = depth_of(str(depth))
        actual, _ = count_sequences(GAME, perft, TABLES, state, depth, expected)
        if actual != expected:
            found.append(f"sequences of {depth} actions: {actual}, expected {expected}")
    return compared, found


def subjects(contents):
    """Yields (name, comparison function) of every game and position."""
    for game in contents.get("games", ()):
        yield f"game {game['seed']}", lambda game=game: game_differences(game)
    counted = [([], contents["start"])] if contents.get("start") else []
    for case in contents.get("positions", ()):
        counted.append((case["moves"], dict(enumerate(case["perft"], 1))))
    perft = kernel(make_perft(GAME)) if counted else None
    for moves, counts in counted:
        name = f"position after {len(moves)} actions"
        yield name, lambda m=moves, c=counts: perft_differences(position(m), c, perft)


def verify(path):
    """Returns the VerifyReport of a truth file. Raises TruthError."""
    return compare_all(path, WHAT, subjects(load(path)))
