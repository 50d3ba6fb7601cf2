"""Series: comparable games of a contest, under the same conditions and rules."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from referee.arena.rows import BY_BOT
from referee.log.limits import Clock, Profile
from referee.log.records import BY_PLAYER, Conditions

# The condition that identifies the rules of a series.
RULES = "rules"
# The condition that the lower score wins, in a contest for one player.
LOWEST = "lowest_wins"
DIGEST_LENGTH = 16


@dataclass(frozen=True)
class Series:
    """Comparable games of one contest, under the same conditions (as plain data).

    number: the key of the series in its file. note: a text that distinguishes series with the same
    title.
    """

    number: int
    contest: str
    conditions: dict[str, Any]
    note: str = ""

    @property
    def chosen(self) -> dict[str, Any]:
        """The conditions that were chosen: all but the rules and the version of logs.

        Older versions of the referee stored the version of logs.
        """
        return {
            name: value for name, value in self.conditions.items() if name not in (RULES, "log")
        }

    @property
    def lowest_wins(self) -> bool:
        """True if the lower of two scores is better."""
        return bool(self.conditions.get(LOWEST))

    def title(self) -> str:
        """Returns a text of the contest and of the conditions that usually distinguish series."""
        conditions = self.conditions
        limits = conditions["limits"]
        nodes, think_ms = conditions.get("nodes"), conditions.get("think_ms")
        parts = [Path(self.contest).stem]
        is_own = limits != BY_BOT and limits["profile"] == Profile.OWN
        text = f"{limits['turn_ms']},{limits['first_ms']} ms" if is_own else limits
        parts.append(f"limits {text if is_own or limits == BY_BOT else limits['profile']}")
        if conditions.get("clock") == Clock.CPU:
            parts.append("CPU clock")
        if nodes:
            parts.append(f"{nodes} nodes a turn" if nodes != BY_BOT else "nodes by bot")
        parts += [f"{name} {value}" for name, value in conditions.get("options", ())]
        if conditions.get("serial"):
            parts.append("one after the other")
        if think_ms:
            thinking = f"{think_ms:g} ms to think" if think_ms != BY_BOT else "time to think by bot"
            parts.append(thinking)
        if speed := conditions.get("host_speed"):
            parts.append(f"as on a host of {speed:g} nodes a second")
        if site := conditions.get("site"):
            parts.append(f"site {site}")
        return ", ".join([*parts, self.note] if self.note else parts)


def rules_note(series: Series) -> str:
    """Returns a short text for the rules of a series."""
    return (
        f"rules {series.conditions[RULES][:6]}" if RULES in series.conditions else "rules unknown"
    )


def series_data(conditions: Conditions) -> dict[str, Any]:
    """Returns the conditions of a series, without the seed, as plain data.

    A condition that differs between bots is BY_BOT: its values are part of the bots' keys.
    Conditions unknown to older files are left out if they have no effect, so that the games of such
    files are found.
    """
    data = asdict(conditions)
    del data["seed"]
    if conditions.clock is Clock.WALL:
        del data["clock"]
    data["options"] = list(conditions.options.items())
    for name in BY_PLAYER:
        data[name] = data[name][0] if conditions.is_shared(name) else BY_BOT
    for name in ("think_ms", "options", "serial", "host_speed", "site"):
        if not data[name]:
            del data[name]
    return data
