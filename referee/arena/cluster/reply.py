"""The reply of a remote worker: JSON, checked as it is read. Nothing in it is run or unpickled."""

from dataclasses import dataclass, field

from referee.arena.result import Result
from referee.errors import UsageError
from referee.log.file import parse_log
from referee.log.records import Log
from referee.log.schema import FieldError, parse, read


@dataclass
class GameReply:
    """The reply about a game: its result, or the problem that prevented the game.

    log: the text of the game's log file, if the log is kept.
    """

    result: Result | None = None
    log: str | None = None
    problem: str | None = None

    def read_log(self) -> Log | None:
        """Returns the parsed log, None if no log is kept. Raises UsageError for a damaged log."""
        return None if self.log is None else parse_log(self.log.encode(), "a worker's log")


@dataclass
class Reply:
    """The reply of a worker: the problem that keeps it from playing, or the outcome of each game.

    seconds: the time that all games took together.
    """

    problem: str | None
    outcomes: list[GameReply] = field(default_factory=list)
    seconds: float = 0.0


class ReplyError(UsageError):
    """The error for a reply that a worker of this version would not send; it names the field."""


def decode_reply(data: object, n_games: int, n_seats: int) -> Reply:
    """Returns the reply about n_games games with n_seats players. Raises ReplyError."""
    try:
        if not isinstance(data, bytes):
            raise FieldError(f"bytes are expected, {type(data).__name__} came")
        reply: Reply = read(Reply, parse(data))
        if reply.problem is None and len(reply.outcomes) != n_games:
            raise FieldError(f'"outcomes" has {len(reply.outcomes)} values for {n_games} games')
        for outcome in reply.outcomes if reply.problem is None else ():
            if outcome.problem is None and outcome.result is None:
                raise FieldError('"result" is missing')
            if outcome.result and len(outcome.result.seats) != n_seats:
                n_found = len(outcome.result.seats)
                raise FieldError(f'"seats" has {n_found} values for {n_seats} players')
            outcome.read_log()
    except (FieldError, ValueError, UsageError) as error:
        raise ReplyError(f"no reply of a worker: {error}") from error
    return reply
