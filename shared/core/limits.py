"""A site's time limits, which a contest states once, for its bots and for the referee.

first_ms, turn_ms: of wall time, for a player's first answer and for each later one.
bank_ms: of CPU time, for a player's whole game; None where the site has no such limit.
"""

from typing import NamedTuple, Optional


class Limits(NamedTuple):
    """The site's time limits in milliseconds."""

    first_ms: int
    turn_ms: int
    bank_ms: Optional[int] = None
