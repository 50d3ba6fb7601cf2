"""The line of the terminal that says, while a bot is edited, if its new version is better than the
last.
"""

from typing import Any

from referee.league.league import League
from referee.league.state import Publisher
from referee.league.versions import State, Version


def newest(league: League) -> Version | None:
    """Returns the newest playing version that has a predecessor, or else the newest playing
    version; None if no version plays.
    """
    playing = [version for version in league.lineage.versions if version.state is State.PLAYS]
    changed = [version for version in playing if version.number > 1]
    return max(changed or playing, key=lambda version: version.since, default=None)


def watch_line(league: League, publisher: Publisher) -> str:
    """Returns the line: the bot being bundled, a problem, or the newest version's results against
    its predecessor.
    """
    if league.scanner.busy:
        return f"bundling {league.scanner.busy}"
    for name, problem in league.problems.items():
        return f"{name}: {problem}"
    version = newest(league)
    if version is None:
        return "no bot is there yet"
    if league.lineage.former(version) is None:
        return f"{version.label}: no version before it; {league.plan.n_games} games"
    line = score_line if league.plan.standings.is_solo else test_line
    return line(version, publisher.test_of(version))


def test_line(version: Version, test: dict[str, Any] | None) -> str:
    """Returns the line about a version in a contest of several players. test: as from
    `pairing_data`.
    """
    if test is None or not test["games"]:
        return f"{version.label}: no game against its predecessor yet"
    words = {"H1": "better", "H0": "not better", None: "not sure yet"}
    elo = "" if test["elo"] is None else f" {test['elo']:+.0f} Elo,"
    return (
        f"{version.label} against {test['against']}:{elo} {test['score']:.1%} of {test['games']}"
        f" games, LLR {test['llr']:+.2f} ({test['low']:.2f} to {test['high']:.2f}):"
        f" {words[test['verdict']]}"
    )


def score_line(version: Version, test: dict[str, Any] | None) -> str:
    """Returns the line about a version in a contest for one player. test: as from `lead_data`."""
    lead = test and test["lead"]
    if not test or not lead:
        return f"{version.label}: no case that its predecessor has played yet"
    if lead["low"] is None:
        return f"{version.label} against {test['against']}: {lead['value']:+,.6g} on one case"
    words = "better" if lead["low"] > 0 else "worse" if lead["high"] < 0 else "not sure yet"
    return (
        f"{version.label} against {test['against']}: {lead['value']:+,.6g} points"
        f" (95% {lead['low']:+,.6g} to {lead['high']:+,.6g}) on {test['samples']} cases: {words}"
    )
