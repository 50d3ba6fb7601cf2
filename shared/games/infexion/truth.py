"""Compares the simulator with recorded games, edge cases and counts of action sequences.

A truth file is JSON, plain or gzipped, of two kinds. Boards are 49 characters as in
`protocol.py`, actions 0..342 as in `sim.py`.

    {"games": [{"policy", "seed", "actions": [turn], "n_legal": [turn] (before the action),
                "boards": [turn] (after it),
                "winner": "RED" | "BLUE" | null, "red_power", "blue_power"}, ...],
     "edge_cases": [{"name", "before", "turns_played", "action", "legal"} and, where it is legal,
                    {"after", "game_over", "winner"}, ...]}
    {"positions": [{"name", "board", "turns_played",
                    "perft": {"1": {"sequences", "of_which_game_over"}, ...}}, ...]}
"""

from ...core.checks.perft import count_sequences, depth_of, make_perft
from ...core.checks.truth import compare_all, load_parts
from ...core.jit import COMPILED, int_buffer, kernel
from ...games.infexion.game import GAME
from ...games.infexion.protocol import COLOURS, board_text, read_board
from ...games.infexion.sim import (
    N_ACTIONS,
    apply,
    is_legal,
    is_over,
    legal,
    power_within,
    result,
    to_move,
)
from ...games.infexion.state import BLUE, RED, STONES, TURN, new_setup, new_state

TABLES = new_setup()
# Plain Python counts some hundred thousand sequences a second, so the longest counts are left to
# compiled code.
MAX_PLAIN_SEQUENCES = 1_000_000
WHAT = "truth file of Infexion"


def load(path):
    """Read a truth file. Raises TruthError."""
    return load_parts(path, WHAT, {"games", "edge_cases", "positions"})


def position(board, turn):
    """Returns a board's state after `turn` actions."""
    state = new_state()
    read_board(board, state)
    state[TURN] = turn
    return state


def ending(state):
    """Returns (game over, the winner's colour or None) in the file's form."""
    if not is_over(TABLES, state):
        return False, None
    won = int(result(TABLES, state))
    mover = int(to_move(TABLES, state))
    return True, COLOURS[mover if won > 0 else 1 - mover] if won else None


def game_differences(game):
    """Returns (turns compared, texts of differences) of a recorded game."""
    state, actions = new_state(), int_buffer(N_ACTIONS)
    found = []
    turns = zip(game["actions"], game["n_legal"], game["boards"], strict=True)
    for turn, (action, n_legal, board) in enumerate(turns):
        count = int(legal(TABLES, state, actions))
        listed = {int(actions[i]) for i in range(count)}
        if len(listed) != n_legal:
            found.append(f"turn {turn}: {len(listed)} legal actions, expected {n_legal}")
        elif action not in listed or ending(state)[0]:
            found.append(f"turn {turn}: action {action} is not legal")
        apply(TABLES, state, int(action), state)
        if board_text(state) != board:
            found.append(f"turn {turn}: the board is {board_text(state)}, expected {board}")
    powers = [int(power_within(state, state[STONES + player])) for player in (RED, BLUE)]
    actual = (*ending(state), *powers)
    expected = (True, game["winner"], game["red_power"], game["blue_power"])
    if actual != expected:
        found.append(f"at the end: {actual}, expected {expected}")
    return len(game["actions"]), found


def edge_case_differences(case):
    """Returns (1, texts of differences) of one action in one position."""
    state = position(case["before"], case["turns_played"])
    if bool(is_legal(TABLES, state, int(case["action"]))) != case["legal"]:
        return 1, [f"legal is {not case['legal']}, expected {case['legal']}"]
    if not case["legal"]:
        return 1, []
    apply(TABLES, state, case["action"], state)
    actual = (board_text(state), *ending(state))
    expected = (case["after"], case["game_over"], case["winner"])
    return 1, [] if actual == expected else [f"{actual}, expected {expected}"]


def perft_differences(case, perft):
    """Returns (counts compared, texts of differences) of the sequences from a position."""
    counted, found = 0, []
    state = position(case["board"], case["turns_played"])
    for depth, count in case["perft"].items():
        if not COMPILED and count["sequences"] > MAX_PLAIN_SEQUENCES:
            continue
        counted += 1
        expected = (count["sequences"], count["of_which_game_over"])
        actual = count_sequences(GAME, perft, TABLES, state, depth_of(depth), expected[0])
        if actual != expected:
            found.append(f"sequences of {depth} actions: {actual}, expected {expected}")
    return counted, found


def subjects(contents):
    """Yields (name, comparison function) of every game, edge case and position."""
    for game in contents.get("games", ()):
        yield f"game {game['policy']} {game['seed']}", lambda game=game: game_differences(game)
    for case in contents.get("edge_cases", ()):
        yield f"edge case {case['name']!r}", lambda case=case: edge_case_differences(case)
    if contents.get("positions"):
        perft = kernel(make_perft(GAME))
        for case in contents["positions"]:
            yield f"position {case['name']}", lambda case=case: perft_differences(case, perft)


def verify(path):
    """Returns the VerifyReport of a truth file. Raises TruthError."""
    return compare_all(path, WHAT, subjects(load(path)))
