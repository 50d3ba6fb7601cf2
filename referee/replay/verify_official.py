"""Compares a contest's simulator with its official referee, turn by turn: the players' input, the
players asked, the scores.

The contest's `rebuild` starts the simulator's match like the official one. Then both play the same
lines: a random player's, or those of a log, which bots played under the official referee.
"""

from random import Random
from typing import Iterator

from referee.errors import UsageError, excerpt
from referee.log.records import Log
from referee.official.build import Build
from referee.official.match import OfficialMatch, official_match
from referee.sources.contests import own_errors
from shared.core.contest import Contest, Outcome, Rebuilt, VerifyReport
from shared.core.protocol import IllegalAction


class Unlike(Exception):
    """The simulator's match differs from the official one; the text gives the place."""


def verify_random(
    contest: Contest, build: Build, options: dict[str, str], seeds: Iterator[int]
) -> VerifyReport:
    """Compare games of random players, one for each seed. Raises UsageError for a contest without a
    `rebuild`.
    """
    games = turns = mismatches = 0
    first = None
    for seed in seeds:
        with official_match(build, contest.players[0], seed, options) as official:
            before = turns
            try:
                for _ in play_random(contest, official, seed, options):
                    turns += 1
            except Unlike as found:
                mismatches += 1
                first = first or f"seed {seed}, turn {turns - before}: {found}"
        games += 1
    return VerifyReport(games, turns, mismatches, first)


def play_random(
    contest: Contest, official: OfficialMatch, seed: int, options: dict[str, str]
) -> Iterator[None]:
    """Play both matches by random lines, and yield after each turn. Raises Unlike."""
    asked = {player: official.turn_input(player) for player in official.players_to_move()}
    game = Compared(contest, seed, options, asked)
    rng = Random(seed)
    while (outcome := official.outcome()) is None:
        written: dict[int, list[str]] = {}
        while True:
            lines: dict[int, list[str]] = {}
            for player in official.players_to_move():
                if not official.lines_expected(player):
                    lines[player] = []
                    continue
                game.compare_input(player, official.turn_input(player))
                lines[player] = written[player] = game.random_lines(player, rng)
                official.took(player, 0.0)
            official.play(lines)
            if not official.goes_on or official.outcome():
                break
        if written:
            game.play(written)
        yield
    game.compare_end(outcome.scores)


def verify_log(contest: Contest, log: Log) -> VerifyReport:
    """Compare a finished game that bots played under the official referee."""
    header, turns = log.header, 0
    assert header.conditions.seed is not None and log.outcome  # played to its end, by that referee
    try:
        first = {player: player_turn.input for player, player_turn in log.turns[0].players.items()}
        game = Compared(contest, header.conditions.seed, header.conditions.options, first)
        for turn in log.turns:
            written = {}
            for player, player_turn in turn.players.items():
                if player_turn.lines_expected:
                    game.compare_input(player, player_turn.input)
                    written[player] = player_turn.output
                if player_turn.fault:
                    game.eliminate(player, player_turn.fault)
            if written:
                game.play(written)
            turns += 1
        game.compare_end(tuple(log.outcome.scores))
    except Unlike as found:
        return VerifyReport(1, turns, 1, f"seed {header.conditions.seed}, turn {turns}: {found}")
    return VerifyReport(1, turns, 0, None)


class Compared:
    """The simulator's match beside an official match. All methods raise Unlike.

    asked: each asked player's first input. In all arguments players have their official numbers.
    Raises UsageError for a contest without a `rebuild`.
    """

    def __init__(
        self, contest: Contest, seed: int, options: dict[str, str], asked: dict[int, list[str]]
    ) -> None:
        if contest.rebuild is None:
            raise UsageError(
                f"{contest.title} cannot be compared: its contest.py does not say how an official"
                " game is rebuilt (see `rebuild` in shared/core/contest.py)"
            )
        self.contest = contest
        with own_errors(contest.name, "rebuilding an official game"):
            self.rebuilt: Rebuilt = contest.rebuild(seed, options, asked)
        self.match = self.rebuilt.match
        self.greeted: set[int] = set()
        self.out: set[int] = set()

    def here(self, player: int) -> int:
        """Returns the simulator's number of a player."""
        return self.rebuilt.players[player]

    def compare_input(self, player: int, lines: list[str]) -> None:
        """Compare a player's input in the current turn, word by word."""
        here = self.here(player)
        if outcome := self.match.outcome():
            raise Unlike(f"our game is over ({outcome.reason}), the official one goes on")
        if here not in self.match.players_to_move():
            raise Unlike(f"player {player} is asked, not so in our game")
        ours = self.match.turn_input(here)
        if player not in self.greeted:
            self.greeted.add(player)
            ours = self.match.initial_input(here) + ours
        theirs = lines
        if not self.rebuilt.is_ordered:
            ours, theirs = sorted(ours), sorted(lines)
        for number, (line, wanted) in enumerate(zip(ours, theirs), 1):
            if line.split() != wanted.split():
                raise Unlike(
                    f"player {player}, line {number} is {excerpt(line)}, of the official"
                    f" {excerpt(wanted)}"
                )
        if len(ours) != len(theirs):
            raise Unlike(f"player {player} reads {len(ours)} lines, {len(theirs)} of the official")

    def random_lines(self, player: int, rng: Random) -> list[str]:
        """Returns a random answer that is legal for the simulator."""
        return self.match.random_lines(self.here(player), rng)

    def eliminate(self, player: int, fault: str) -> None:
        """Eliminate the player."""
        self.out.add(player)
        self.match.eliminate(self.here(player), fault)

    def play(self, written: dict[int, list[str]]) -> None:
        """Play the players' lines; a player with an illegal answer is eliminated."""
        actions = {}
        for player, lines in written.items():
            if player in self.out:
                continue
            try:
                actions[self.here(player)] = self.match.parse(self.here(player), lines)
            except IllegalAction as error:
                self.eliminate(player, str(error))
        if self.match.outcome() is None:
            self.match.play(actions)

    def compare_end(self, scores: tuple[float, ...]) -> None:
        """Compare the outcomes of both games: both are over, with equal scores."""
        outcome: Outcome | None = self.match.outcome()
        if outcome is None:
            raise Unlike("the official game is over, ours goes on")
        ours = tuple(outcome.scores[self.here(player)] for player in range(len(scores)))
        if ours != tuple(scores):
            raise Unlike(f"our scores are {list(ours)}, the official ones {list(scores)}")
