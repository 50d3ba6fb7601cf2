"""The reply of a remote worker: JSON, checked as it is read. Nothing in it is run or unpickled."""

from dataclasses import dataclass, field

from referee.arena.play import Result
from referee.errors import UsageError
from referee.log.file import log_lines, parse_log
from referee.log.records import Log
from referee.log.schema import FieldError, encode, parse, read

# A game that was played, or the problem that kept it from being played.
ResultOrProblem = tuple[Result, Log | None] | str


@dataclass(frozen=True)
class Reply:
    """The problem that keeps a worker from playing, or each game's outcome; seconds: of all."""

    problem: str | None
    outcomes: tuple[ResultOrProblem, ...] = ()
    seconds: float = 0.0


@dataclass
class PlayedRecord:
    """A game's outcome: a result, with a log in the form of a file, or a problem."""

    result: Result | None = None
    log: str | None = None
    problem: str | None = None


@dataclass
class ReplyRecord:
    """A reply as plain data."""

    problem: str | None
    seconds: float
    outcomes: list[PlayedRecord] = field(default_factory=list)


class ReplyError(UsageError):
    """A reply is not as a worker of this version writes it; the text names the field."""


def encode_reply(reply: Reply) -> bytes:
    """Returns a reply as JSON."""
    outcomes = []
    for outcome in reply.outcomes:
        if isinstance(outcome, str):
            outcomes.append(PlayedRecord(problem=outcome))
        else:
            result, log = outcome
            text = log_lines(log).decode() if log else None
            outcomes.append(PlayedRecord(result, text))
    return encode(ReplyRecord(reply.problem, reply.seconds, outcomes)).encode()


def decode_reply(data: object, n_games: int, n_seats: int) -> Reply:
    """Returns the reply about so many games. Raises ReplyError."""
    try:
        if not isinstance(data, bytes):
            raise FieldError(f"bytes are expected, {type(data).__name__} came")
        record: ReplyRecord = read(ReplyRecord, parse(data))
        if record.problem is None and len(record.outcomes) != n_games:
            raise FieldError(f'"outcomes" has {len(record.outcomes)} values for {n_games} games')
        outcomes = tuple(_outcome(outcome, n_seats) for outcome in record.outcomes)
    except (FieldError, ValueError, UsageError) as error:
        raise ReplyError(f"no reply of a worker: {error}") from error
    return Reply(record.problem, outcomes, record.seconds)


def _outcome(record: PlayedRecord, n_seats: int) -> ResultOrProblem:
    if record.problem is not None:
        return record.problem
    if record.result is None:
        raise FieldError('"result" is missing')
    if len(record.result.seats) != n_seats:
        raise FieldError(f'"seats" has {len(record.result.seats)} values for {n_seats} players')
    log = None if record.log is None else parse_log(record.log.encode(), "a worker's log")
    return record.result, log
