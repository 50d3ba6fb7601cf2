"""The lines that bots expect (`#expect` on stderr), as pictures: the contest's rules play them on.

Only games whose players move one after the other have such pictures: elsewhere the actions of the
others are not in the line.
"""

from copy import deepcopy

from referee.errors import UsageError
from referee.log.records import Log, Turn
from referee.page.bounds import BoundsExceeded, bounded
from referee.page.frames import FrameTable
from referee.process.output_buffer import expected_line
from referee.sources.contests import own_errors, start_match
from shared.core.contest import UNREADABLE, Contest, Match
from shared.core.protocol import IllegalAction
from shared.core.render import Turn as DrawnTurn

# Pictures of a line, and of a whole game: each costs the page some hundred bytes.
MOST_PLIES, MOST_FRAMES = 12, 1_500

Expected = dict[int, list[int]]


def expected_frames(log: Log, contest: Contest, table: FrameTable) -> Expected:
    """Returns, by the number of a turn, the rows of the frames after each action of the line that
    its player expects, from the second action on; {} if the rules cannot play the game again.
    """
    conditions = log.header.conditions
    lines = any("#expect" in part.stderr for turn in log.turns for part in turn.players.values())
    if not lines or not log.has_states or log.is_official or conditions.seed is None:
        return {}
    found: Expected = {}
    try:
        with own_errors(contest.name, "playing expected lines"), bounded():
            match = start_match(contest, conditions.seed, log.header.n_players, conditions.options)
            n_left = MOST_FRAMES
            for turn in log.turns:
                if len(turn.players) != 1 or match.snapshot().keys() != turn.state.keys():
                    return found
                [(player, part)] = turn.players.items()
                line = expected_line(part.stderr)[: min(MOST_PLIES, n_left)]
                found[turn.turn] = frames_of(deepcopy(match), contest, line, table)
                n_left -= len(found[turn.turn])
                if not is_played(match, turn, player):
                    break
    except (UsageError, BoundsExceeded, IllegalAction, AttributeError, TypeError, *UNREADABLE):
        return found  # a log may hold anything, and its page does without
    return found


def is_played(match: Match, turn: Turn, player: int) -> bool:
    """Plays a logged turn; returns False if the game does not go on as usual."""
    part = turn.players[player]
    if part.fault is not None or match.players_to_move() != [player]:
        return False
    match.play({player: match.parse(player, part.output)})
    return match.outcome() is None


def frames_of(match: Match, contest: Contest, line: list[str], table: FrameTable) -> list[int]:
    """Plays a line of actions, of whoever is to move; returns the rows after each but the first."""
    rows = []
    silence: tuple[tuple[str, ...], ...] = ((),) * match.n_players
    for i, word in enumerate(line):
        movers = match.players_to_move()
        if match.outcome() is not None or len(movers) != 1:
            break
        before = match.snapshot()
        try:
            action = match.parse(movers[0], [word])
        except (IllegalAction, *UNREADABLE):
            break
        match.play({movers[0]: action})
        if i:
            rows.append(
                table.add(
                    contest.render(DrawnTurn(match.setup(), before, match.snapshot(), silence))
                )
            )
    return rows
