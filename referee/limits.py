"""The time a bot has for an answer."""

from dataclasses import dataclass
from enum import StrEnum

from shared.core.contest import Limits

# Without limits a bot that hangs would hold the referee for ever.
HANG_MS = 60_000


class Profile(StrEnum):
    """How strictly time is kept.

    official: the site's hard limits, one for a player's first answer and one for each later answer.
    off: as long as it takes, up to the hang guard of HANG_MS an answer.
    """

    OFFICIAL = "official"
    OFF = "off"


@dataclass(frozen=True)
class TurnLimits:
    """The milliseconds of wall time for a player's first answer and for each later one."""

    profile: Profile
    first_ms: int
    turn_ms: int

    @classmethod
    def of(cls, profile: Profile, site: Limits) -> "TurnLimits":
        """The limits of a profile in a contest whose site has the limits `site`."""
        if profile is Profile.OFF:
            return cls(profile, HANG_MS, HANG_MS)
        return cls(profile, site.first_ms, site.turn_ms)
