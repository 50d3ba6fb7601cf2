"""Draws the lines that bots expect (`#expect` on stderr), played by the contest's rules."""

import pickle
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from referee.errors import UsageError
from referee.log.records import Log, LoggedTurn
from referee.page.bounds import BoundsExceeded, bounded
from referee.page.frames import FrameTable
from referee.play.leader import leader_of
from referee.process.output_buffer import expected_line
from referee.sources.contests import own_errors, start_match
from shared.core.contest import Contest, Match
from shared.core.drawing.shapes import Turn
from shared.core.protocol import UNREADABLE, IllegalAction

# Pictures of a line, and of a whole game: each costs the page some hundred bytes.
MOST_PLIES, MOST_FRAMES = 12, 1_500
# Between the answers of players who move at once, and between the lines of an answer
SEPARATOR = ";"

# By turn and player
Expected = dict[tuple[int, int], list[int]]

# A log may hold anything, and its page does without.
UNPLAYABLE = (
    *(UsageError, BoundsExceeded, IllegalAction, AttributeError, TypeError),
    *UNREADABLE,
)


def expected_frames(log: Log, contest: Contest, table: FrameTable) -> Expected:
    """Returns, by (turn, player), the rows of the frames along the line that the player expects;
    turns that the rules cannot play are left out.

    Where players move one after the other, the line begins with the action that was played, which
    has no frame.
    """
    texts = [answer.stderr for turn in log.turns for answer in turn.players.values()]
    n_lines = sum("#expect" in text for text in texts)
    if not n_lines:
        return {}
    expected: Expected = {}
    n_known = int(all(len(turn.players) == 1 for turn in log.turns))
    try:
        with own_errors(contest.name, "playing expected lines"), bounded():
            most = max(1 + n_known, min(MOST_PLIES, MOST_FRAMES // n_lines + n_known))
            for turn, match in replayed(log, contest):
                lines = {
                    player: line
                    for player, answer in turn.players.items()
                    if (line := expected_line(answer.stderr)[:most])
                }
                if lines:
                    copied = copies_of(match)
                    for player, line in lines.items():
                        expected[turn.turn, player] = frames_of(
                            copied(), contest, player, line, table, n_known
                        )
    except UNPLAYABLE:
        return expected
    return expected


def other_states(
    log: Log, contest: Contest, player: int, answers: dict[int, str]
) -> dict[int, dict[str, Any]]:
    """Returns, by turn, the snapshot after the turn if the player had given the answer of one line
    in `answers`; turns that the rules cannot play are left out.
    """
    states: dict[int, dict[str, Any]] = {}
    try:
        with own_errors(contest.name, "playing other actions"), bounded():
            for turn, match in replayed(log, contest):
                if turn.turn not in answers or match.lines_expected(player) != 1:
                    continue
                other, given = copies_of(match)(), {player: [answers[turn.turn]]}
                try:
                    other.play(
                        {
                            mover: other.parse(mover, given.get(mover, answer.output))
                            for mover, answer in turn.players.items()
                        }
                    )
                except (IllegalAction, *UNREADABLE):
                    continue
                states[turn.turn] = other.snapshot()
    except UNPLAYABLE:
        return states
    return states


def replayed(log: Log, contest: Contest) -> Iterator[tuple[LoggedTurn, Match]]:
    """Yields each turn of a log with the match before it, as far as the rules can play it again."""
    conditions = log.header.conditions
    if not leader_of(conditions).applies_rules or conditions.seed is None:
        return
    match = start_match(contest, conditions.seed, log.header.n_players, conditions.options)
    for turn in log.turns:
        if match.snapshot().keys() != turn.state.keys():
            return
        yield turn, match
        if not is_played(match, turn):
            return


def copies_of(match: Match) -> Callable[[], Match]:
    """Returns a function that returns copies of the match as it is now.

    Pickles take a tenth of the time of deep copies.
    """
    try:
        data = pickle.dumps(match)
    except (pickle.PicklingError, AttributeError, TypeError):  # as of a contest beside the project
        return lambda: deepcopy(match)
    return lambda: pickle.loads(data)


def is_played(match: Match, turn: LoggedTurn) -> bool:
    """Play a logged turn. Returns True if the rules can play it and the game then continues."""
    parts = turn.players
    if any(answer.fault is not None for answer in parts.values()):
        return False
    if set(match.players_to_move()) != parts.keys():
        return False
    match.play({player: match.parse(player, answer.output) for player, answer in parts.items()})
    return match.outcome() is None


def frames_of(
    match: Match,
    contest: Contest,
    player: int,
    line: list[str],
    table: FrameTable,
    n_known: int = 0,
) -> list[int]:
    """Play the line that a player expects. Returns the row of the frame after each action of the
    line, except the first `n_known` actions, whose frames the match has.
    """
    rows: list[int] = []
    silence: tuple[tuple[str, ...], ...] = ((),) * match.n_players
    for ply, word in enumerate(line):
        movers = match.players_to_move()
        if match.outcome() is not None or not movers:
            break
        before = match.snapshot()
        try:
            actions = actions_of(match, contest, player, word)
        except (IllegalAction, *UNREADABLE):
            break
        if actions.keys() != set(movers):
            break
        match.play(actions)
        if ply >= n_known:
            turn = Turn(match.setup(), before, match.snapshot(), silence)
            rows.append(table.add(contest.render(turn)))
    return rows


def actions_of(match: Match, contest: Contest, player: int, word: str) -> dict[int, Any]:
    """Returns the actions in a word of the line that a player expects: all players' answers,
    beginning with the player's own, or the answer of the only player to move. Raises IllegalAction.
    """
    if contest.read_expected is not None:
        return contest.read_expected(match, player, word)
    movers, n, parts = match.players_to_move(), match.n_players, word.split(SEPARATOR)
    if len(movers) == 1 and len(parts) == 1:
        return {movers[0]: match.parse(movers[0], parts)}
    size, rest = divmod(len(parts), n)
    if rest:
        raise IllegalAction(f"{len(parts)} parts for {n} players: {word[:200]!r}")
    firsts = {mover: (mover - player) % n * size for mover in movers}
    return {mover: match.parse(mover, parts[at : at + size]) for mover, at in firsts.items()}
