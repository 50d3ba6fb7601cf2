"""Recognises the players that have failed in an official referee's game.

In a game for one player the engine's score reports a failure: `loseGame` sets the score 0,
`winGame` sets 1, and a game that ends without either keeps 0. The message of `loseGame` is a red
line of the summary.

In a game for several players the referee deactivates a player that fails: it shows a tooltip about
the player, and does not ask the player again. A player that loses by the rules may be deactivated,
too ("Base destroyed!"). Most referees score a failed player -1. For the other referees the text
decides: that of the tooltip, and that of the lines of the turn's summary that name the player.

Source: the engine's `SoloGameManager` and `AbstractMultiplayerPlayer`; the referees of 17 contests.
"""

import re
from typing import Any, Iterable

from referee.log.records import Log

# The score that referees give a player for an error.
FAILED_SCORE = -1
FAILED_WORDS = re.compile(
    r"\b(invalid|illegal|unexpected|unknown|malformed|forbidden|not allowed|bad (command|action"
    r"|input)|error|expect(s|ed)|time ?out|timed out|not provided?|crash|exception|disqualified)",
    re.IGNORECASE,
)
RED = re.compile("¤RED¤(.*?)§RED§", re.DOTALL)
# The report that names the failed players, in the last turn of a game.
FAILED = "failed"


class Deactivations:
    """Records the deactivated players of a game for several players, from the referee's reports.

    texts: the text of the tooltip, by deactivated player. has_failed: by such a player, True if the
    tooltip or the summary reports a failure.
    """

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self.has_failed: dict[int, bool] = {}

    def add_turn(self, asked: Iterable[int], told: dict[str, Any]) -> None:
        """Add a turn. asked: the players asked for an answer. told: the referee's report."""
        # A player that is asked again is still in the game.
        players = set(asked)
        for player in players:
            self.texts.pop(player, None)
        summary = texts_of(told, "summary")
        for text, player in tooltips_of(told):
            named = [line for line in summary if re.search(rf"\${player}(?!\d)", line)]
            if player in players:
                failed = any(map(FAILED_WORDS.search, [text, *named]))
                if failed or player not in self.texts or not self.has_failed[player]:
                    self.texts[player], self.has_failed[player] = text, failed

    def failures(self, scores: dict[int, float]) -> dict[int, str]:
        """Returns the text of the tooltip by failed player. scores: each player's final score."""
        return {
            player: text
            for player, text in self.texts.items()
            if self.has_failed[player] or scores[player] == FAILED_SCORE
        }


def loss_text(told: dict[str, Any]) -> str:
    """Returns the reason for a lost game of one player, from the referee's last report."""
    summary = texts_of(told, "summary")
    said = [
        *summary[-1:],
        *(text for text, _ in tooltips_of(told)),
        *RED.findall("\n".join(summary)),
    ]
    return said[-1].strip() if said else "the game has ended without a victory"


def failures_of(log: Log) -> dict[int, str]:
    """Returns the referee's text by failed player, from the log of an official match."""
    states = [log.header.state, *(turn.state for turn in log.turns)]
    return {player: text for state in states for text, player in tooltips_of(state, FAILED)}


def tooltips_of(told: dict[str, Any], name: str = "tooltips") -> list[tuple[str, int]]:
    """Returns the list `name` of a report, pairs (text, player); malformed entries are left out."""
    tooltips = told.get(name)
    return [
        (tooltip[0], tooltip[1])
        for tooltip in (tooltips if isinstance(tooltips, list) else [])
        if isinstance(tooltip, list)
        and len(tooltip) == 2
        and type(tooltip[0]) is str
        and type(tooltip[1]) is int
    ]


def texts_of(told: dict[str, Any], name: str) -> list[str]:
    """Returns the list `name` of a report, texts; entries of other types are left out."""
    texts = told.get(name)
    return [text for text in (texts if isinstance(texts, list) else []) if isinstance(text, str)]
