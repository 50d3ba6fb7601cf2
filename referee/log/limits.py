"""The limits of the time that a bot has for its answers."""

import re
from dataclasses import dataclass
from enum import StrEnum

from referee.errors import UsageError
from referee.log.schema import Count, Positive
from shared.core.clock import Limits

# Without limits a hanging bot would block the referee for ever.
HANG_MS = 60_000
# CodinGame's rule since 2026: an answer is read for this long after its limit, and the third late
# one loses.
SOFT_GRACE_MS = 50
SOFT_LATE_TURNS = 3

OWN_LIMITS = re.compile(r"(\d{1,6})(?:,(\d{1,6}))?", re.ASCII)


class Clock(StrEnum):
    """The time of a bot that the limits count: wall time or CPU time."""

    WALL = "wall"
    CPU = "cpu"


class Profile(StrEnum):
    """The rules of timing.

    official: hard limits of wall time, one for a player's first answer and one for each later
    answer.
    soft3: the limits of official, but an answer up to SOFT_GRACE_MS late counts; the third late
    answer loses.
    bank: one budget of CPU time for all answers of the game, each within HANG_MS.
    off: no limit up to HANG_MS an answer.
    own: hard limits that were given as numbers.
    """

    SITE = "official"
    SOFT3 = "soft3"
    BANK = "bank"
    OFF = "off"
    OWN = "own"


@dataclass(frozen=True)
class TurnLimits:
    """The limits of a player.

    first_ms, turn_ms: the milliseconds for the first answer and for each later answer.
    grace_ms: the lateness up to which an answer is still read. late_turns: the number of late
        answers that eliminates the player.
    bank_ms: CPU milliseconds for the whole game, None for no limit.
    """

    profile: Profile
    first_ms: Positive
    turn_ms: Positive
    grace_ms: Count = 0
    late_turns: Positive = 1
    bank_ms: Positive | None = None

    @classmethod
    def read(cls, text: str, site: Limits) -> "TurnLimits":
        """Parse limits: a profile other than "own", or hard limits in milliseconds: "100" for an
        answer, "100,1000" for an answer and for the first one. By default, the first answer has the
        site's limit, or the limit of later answers if that is longer.

        Raises UsageError.
        """
        if match := OWN_LIMITS.fullmatch(text):
            turn_ms = int(match[1])
            first_ms = int(match[2]) if match[2] else max(site.first_ms, turn_ms)
            if min(turn_ms, first_ms) > 0:
                return cls(Profile.OWN, first_ms, turn_ms)
        elif text in list(Profile) and text != Profile.OWN:
            return cls.of(Profile(text), site)
        raise UsageError(
            f"{text!r} is no limit: official, soft3, bank or off is expected, or milliseconds as in"
            " 100 or 100,1000 (for an answer, for the first)"
        )

    def __str__(self) -> str:
        if self.profile is Profile.OWN:
            return f"{self.turn_ms:g},{self.first_ms:g} ms"
        return str(self.profile)

    @classmethod
    def of(cls, profile: Profile, site: Limits) -> "TurnLimits":
        """Returns the limits of a profile in a contest with the limits `site`. Raises UsageError
        for the profile bank if the contest has no bank of time.
        """
        match profile:
            case Profile.SITE:
                return cls(profile, site.first_ms, site.turn_ms)
            case Profile.SOFT3:
                return cls(profile, site.first_ms, site.turn_ms, SOFT_GRACE_MS, SOFT_LATE_TURNS)
            case Profile.OFF | Profile.OWN:
                return cls(profile, HANG_MS, HANG_MS)
        if site.bank_ms is None:
            raise UsageError("this contest has no bank of time: choose official, soft3 or off")
        return cls(profile, HANG_MS, HANG_MS, bank_ms=site.bank_ms)
