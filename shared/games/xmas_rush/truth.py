"""Compares the simulator with recorded games: input, state after each engine frame, scores.

A truth file is JSON lines, plain or gzipped, one per game: {"game", "seed", "league", "init": the
state at the start, "turns": [{"start": the state when the input is sent, "in": [[line, ...], [line,
...]], "out": [line, line], "frames": [fields of the state after each frame, ...], "end": the state
after the turn}, ...], "scores": [score, score]}. A state is {"pos", "score", "quests", "deck",
"board", "hand", "items", "stale"}. "#TIMEOUT" stands for a missing line; the engine may have added
an empty frame to a game's last turn. If the engine crashed ("crash"), the last turn has no "end"
and the game no "scores".
"""

from ...core.checks.truth import MALFORMED, TruthError, check_records, load_json
from ...core.contest import VerifyReport
from ...core.protocol import IllegalAction
from ...games.xmas_rush.protocol import KINDS, MOVE, PUSH, item_lines, row_lines
from ...games.xmas_rush.state import (
    HANDS,
    N_PLAYERS,
    PATHS,
    PLAYERS,
    REVEALED,
    STALE,
    board_places,
    deck_names,
    quests,
)

STATE_KEYS = {"pos", "score", "quests", "deck", "board", "hand", "items", "stale"}
# The fields recorded for a frame of each kind of turn.
FRAME_KEYS = {PUSH: STATE_KEYS, MOVE: {"pos", "score", "quests"}}
TURN_KEYS = {"turn", "type", "start", "in", "out", "frames"}
GAME_KEYS = {"game", "seed", "league", "init", "turns"}
WHAT = "truth file of X-mas Rush"


def load_games(path):
    """Read a truth file's games. Raises TruthError."""
    return check_records(load_json(path, WHAT, lines=True), GAME_KEYS, path, WHAT, "games")


def described(game):
    """Returns a game's state in the file's form."""
    state, order = game.state, game.order
    players = range(N_PLAYERS)
    names = deck_names(state)
    return {
        "pos": [list(board_places(int(state[PLAYERS + p]))[0]) for p in players],
        "score": game.scores(),
        "quests": [quests(state, p) for p in players],
        "deck": [names[state[REVEALED + p] :][::-1] for p in players],
        "board": row_lines(state),
        "hand": [f"{int(state[HANDS + p]) & PATHS:04b}" for p in players],
        "items": item_lines(state, order, 0),
        "stale": int(state[STALE]),
    }


def state_differences(game, expected, what, keys=STATE_KEYS):
    """Yields a text for each field of the state that differs. Raises KeyError for other keys."""
    if expected.keys() != keys:
        raise KeyError(f"{what}: {sorted(expected.keys() ^ keys)}")
    actual = described(game)
    for field, value in expected.items():
        if actual[field] != value:
            yield f"{what}: {field} is {actual[field]}, expected {value}"


def text_differences(actual, expected, what):
    """Yields the first difference."""
    for number, (line, wanted) in enumerate(zip(actual, expected), 1):
        if line != wanted:
            yield f"{what}: line {number} is {line!r}, expected {wanted!r}"
            return
    if len(actual) != len(expected):
        yield f"{what}: {len(actual)} lines, expected {len(expected)}"


def play_turn(game, turn, n_spare, crashed):
    """Play a recorded turn and yield a text for each difference, from input to last frame.

    n_spare: number of recorded frames permitted beyond those played. crashed: the engine crashed
    after the input.
    """
    yield from state_differences(game, turn["start"], "start")
    for player, expected in zip(range(N_PLAYERS), turn["in"], strict=True):
        yield from text_differences(game.turn_input(player), expected, f"input of player {player}")
    if KINDS[game.kind] != turn["type"]:
        yield f"it is a {KINDS[game.kind]} turn, expected {turn['type']}"
    actions = {}
    for player, line in zip(range(N_PLAYERS), turn["out"], strict=True):
        try:
            actions[player] = game.parse(player, [line])
        except IllegalAction as error:
            game.eliminate(player, str(error))
    if crashed:
        return
    kind = game.kind
    frames = list(turn["frames"])
    for number, _ in enumerate(game.frames(actions), 1):
        if not frames:
            yield f"frame {number} is not recorded"
            break
        yield from state_differences(game, frames.pop(0), f"frame {number}", FRAME_KEYS[kind])
    yield from state_differences(game, turn["end"], "end")
    for expected in frames[:n_spare]:
        yield from state_differences(game, expected, "last frame", FRAME_KEYS[kind])
    if len(frames) > n_spare:
        yield f"{len(frames)} more frames are recorded"
    game.end_turn()


def differences(recorded, game):
    """Replay a game and yield (turn, first difference) for each turn that differs.

    Raises one of MALFORMED if parts of the recording are missing or malformed.
    """
    found = list(state_differences(game, recorded["init"], "start"))
    if found:
        yield 0, found[0]
    crashed = "crash" in recorded
    last = len(recorded["turns"])
    for number, turn in enumerate(recorded["turns"], 1):
        if game.outcome() is not None:
            yield number, f"the game is over: {game.outcome().reason}"
            return
        ends = number == last
        found = list(play_turn(game, turn, n_spare=int(ends), crashed=crashed and ends))
        if found:
            yield number, found[0]
    if crashed:
        return
    if game.outcome() is None:
        yield last, "the game is not over"
    elif game.scores() != recorded["scores"]:
        yield last, f"scores are {game.scores()}, expected {recorded['scores']}"


def make_verify(new_match):
    """Returns verify(path) -> VerifyReport for games of `new_match(seed, league=...)`.

    verify raises TruthError.
    """

    def verify(path):
        games = load_games(path)
        mismatches, first = 0, None
        for recorded in games:
            try:
                game = new_match(recorded["seed"], league=recorded["league"])
                for turn, text in differences(recorded, game):
                    mismatches += 1
                    first = first or f"game {recorded['game']} turn {turn}: {text}"
            except MALFORMED as error:
                raise TruthError(
                    f"{path}: game {recorded['game']} is damaged: {error!r}"
                ) from error
        turns = sum(len(recorded["turns"]) for recorded in games)
        return VerifyReport(len(games), turns, mismatches, first)

    return verify
