"""What is asked of a bot, and what comes back."""

from dataclasses import dataclass, field

from referee.inbox import MAX_OPEN_BYTES, MAX_OUTPUT_BYTES, MOST_SITE_LINES, Expected
from referee.limits import Clock
from referee.log.records import Late
from referee.process import BotProcess


@dataclass(slots=True)
class Question:
    """What is asked of a bot.

    lines: the input to write. n_lines: how many lines to wait for, or the text of the last one.
    limit_ms: the time for them, by the clock. grace_ms: how much longer they are waited for.
    started: when the clock started (time.perf_counter), None for the moment the input is written.
    bank_ms: the CPU time that is left to the bot, None for any.
    pause: (after, for) how many milliseconds the bot is stopped, None for no pause.
    clock: which time of the bot the limit counts. Of CPU time, an answer may take HANG_MS at most.
    cores: how many are lent to the bot.
    """

    process: BotProcess
    lines: list[str]
    n_lines: Expected
    limit_ms: float
    grace_ms: float = 0.0
    started: float | None = None
    bank_ms: float | None = None
    pause: tuple[float, float] | None = None
    clock: Clock = Clock.WALL
    cores: int = 1

    @property
    def max_bytes(self) -> int:
        """How much the bot may write."""
        is_open = isinstance(self.n_lines, str) or self.n_lines > MOST_SITE_LINES
        return MAX_OPEN_BYTES if is_open else MAX_OUTPUT_BYTES

    @property
    def limit(self) -> str:
        """The limit as a verdict names it."""
        unit = " of CPU" if self.clock is Clock.CPU else ""
        grace = f" and {self.grace_ms:g} ms more" if self.grace_ms else ""
        return f"the limit of {self.limit_ms:g} ms{unit}{grace}"


@dataclass(slots=True)
class Answer:
    """What came back: at most the lines asked for, and why it is no answer (`fault`) if it is none.

    nodes, values: the number in the last `nodes=N` line on stderr, which `stderr` leaves out, and
    the numbers that the bot gave names there.
    wall_ms: from the input's writing to the last line's arrival, or to the fault. cpu_ms: used by
    the bot since its last answer. queue_ms: how long it waited for a CPU meanwhile, None where
    that is not known. The last two are whole microseconds.
    late: who made the answer late, be it a fault or within the grace; None if it is not late.
    warnings: what the site bears, but a bot should not rely on.
    """

    lines: list[str]
    stderr: str = ""
    nodes: int | None = None
    values: dict[str, float] = field(default_factory=dict)
    wall_ms: float = 0.0
    cpu_ms: float = 0.0
    queue_ms: float | None = None
    late: Late | None = None
    warnings: list[str] = field(default_factory=list)
    fault: str | None = None
