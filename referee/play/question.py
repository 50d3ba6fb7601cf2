"""What is asked of a bot."""

from msgspec import Struct

from referee.log.limits import Clock
from referee.process.bot_process import BotProcess
from referee.process.output_buffer import (
    MAX_OPEN_BYTES,
    MAX_OUTPUT_BYTES,
    MOST_SITE_LINES,
    Expected,
)


# A struct for the reasons that a `Request` is one.
class Question(Struct, gc=False):
    """What is asked of a bot.

    initial_input, input: the lines to write. n_lines: how many lines to wait for, or the text of the
    last one.
    limit_ms: the time for them, by the clock. grace_ms: how much longer they are waited for.
    started: when the clock started (time.perf_counter), None for the moment the input is written.
    bank_ms: the CPU time that is left to the bot, None for any.
    pause: (after, for) how many milliseconds the bot is stopped, None for no pause.
    clock: which time of the bot the limit counts. Of CPU time, an answer may take HANG_MS at most.
    cores: how many are lent to the bot. told_ms: the limit that an engine told, None where none did.
    """

    process: BotProcess
    input: list[str]
    n_lines: Expected
    limit_ms: float
    grace_ms: float = 0.0
    started: float | None = None
    bank_ms: float | None = None
    pause: tuple[float, float] | None = None
    clock: Clock = Clock.WALL
    cores: int = 1
    initial_input: list[str] | None = None
    told_ms: int | None = None

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
