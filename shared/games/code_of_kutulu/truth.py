"""Compares the simulator with recorded games: all input lines and the scores.

A truth file is JSON lines, plain or gzipped, one game each: {"seed", "league", "init": the lines
read once, "turns": [{"t": from 0, "in": {player: [line, ...]}, "out": {player: line}}, ...],
"scores": [4 numbers]}, and "map_param" if the maze was given instead of drawn. The maze is read
from the init lines and the first turn's explorers. "#TIMEOUT" stands for a missing line.
"""

from ...core.checks.truth import MALFORMED, TruthError, check_records, load_json
from ...core.contest import VerifyReport
from ...core.protocol import IllegalAction
from ...games.code_of_kutulu.maps import MazeError
from ...games.code_of_kutulu.maze import START
from ...games.code_of_kutulu.state import N_PLAYERS, SCORES

GAME_KEYS = {"seed", "league", "init", "turns", "scores"}
WHAT = "truth file of Code of Kutulu"


def load_games(path):
    """Read the games of a truth file. Raises TruthError."""
    return check_records(load_json(path, WHAT, lines=True), GAME_KEYS, path, WHAT, "games")


def recorded_rows(recorded):
    """Returns the maze of a game, with its starts. Raises one of MALFORMED."""
    return read_start(recorded["init"] + recorded["turns"][0]["in"]["0"])[0]


def read_start(lines):
    """Returns (rows, n): the maze with starts that a player reads first, and the number of init
    lines. Raises one of MALFORMED.
    """
    n_init = 2 + int(lines[1]) + 1
    rows = [list(row) for row in lines[2 : n_init - 1]]
    for line in lines[n_init + 1 : n_init + 1 + N_PLAYERS]:
        kind, _, x, y = line.split()[:4]
        if kind != "EXPLORER":
            raise ValueError(f"{line!r} is no explorer")
        rows[int(y)][int(x)] = START
    return ["".join(row) for row in rows], n_init


def text_differences(actual, expected, what):
    """Yields the first difference."""
    for number, (line, wanted) in enumerate(zip(actual, expected), 1):
        if line != wanted:
            yield f"{what}: line {number} is {line!r}, expected {wanted!r}"
            return
    if len(actual) != len(expected):
        yield f"{what}: {len(actual)} lines, expected {len(expected)}"


def turn_differences(game, turn, number):
    """Yields a text for each difference in a turn's input, then plays the turn."""
    movers = game.players_to_move()
    if turn["t"] != number or sorted(map(int, turn["in"])) != movers:
        yield f"players {movers} are to move in turn {number}, expected {sorted(turn['in'])}"
    for player in movers:
        expected = turn["in"].get(str(player), [])
        yield from text_differences(game.turn_input(player), expected, f"input of player {player}")
    actions = {}
    for player in movers:
        line = turn["out"][str(player)]
        try:
            if line == "#TIMEOUT":
                raise IllegalAction("no answer")
            actions[player] = game.parse(player, [line])
        except IllegalAction as error:
            game.eliminate(player, str(error))
    game.play(actions)


def differences(recorded, game):
    """Replay a game and yield (turn, first difference) for each turn that differs.

    Raises one of MALFORMED if parts of the recording are missing or malformed.
    """
    found = list(text_differences(game.initial_input(0), recorded["init"], "first input"))
    if found:
        yield 0, found[0]
    for number, turn in enumerate(recorded["turns"]):
        if game.outcome() is not None:
            yield number, f"the game is over: {game.outcome().reason}"
            return
        found = list(turn_differences(game, turn, number))
        if found:
            yield number, found[0]
    scores = [int(game.state[SCORES + player]) for player in range(N_PLAYERS)]
    if game.outcome() is None:
        yield len(recorded["turns"]), "the game is not over"
    elif scores != recorded["scores"]:
        yield len(recorded["turns"]), f"scores are {scores}, expected {recorded['scores']}"


def make_verify(new_match):
    """Returns verify(path) -> VerifyReport for games of `new_match(seed, league=..., ...)`.

    verify raises TruthError.
    """

    def verify(path):
        """Compare every line and score of a file's games: see `shared/core/contest.py`."""
        games = load_games(path)
        mismatches, first = 0, None
        for number, recorded in enumerate(games, 1):
            try:
                rows = recorded_rows(recorded)
                given = {"mazes": [rows]}
                if recorded.get("map_param") is not None:
                    given = {"forced": rows}
                game = new_match(recorded["seed"], league=recorded["league"], **given)
                for turn, text in differences(recorded, game):
                    mismatches += 1
                    first = first or f"game {number} (seed {recorded['seed']}) turn {turn}: {text}"
            except (*MALFORMED, MazeError) as error:
                raise TruthError(f"{path}: game {number} is damaged: {error!r}") from error
        turns = sum(len(recorded["turns"]) for recorded in games)
        return VerifyReport(len(games), turns, mismatches, first)

    return verify
