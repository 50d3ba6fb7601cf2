"""Recognises the players that an official referee has put out of its game for an error.

A score says nothing about it: in many contests a score below zero is a normal result. The engine's
own sign is a player's deactivation: it shows a tooltip about the player, and asks it no more. A
player that loses by the rules may be deactivated, too ("Base destroyed!"), so the words decide:
those of the tooltip, and those of the turn's summary that name the player. They were gathered from
the referees of ten public contests. A game for one player has a red line instead of a tooltip.
"""

import re
from typing import Any, Iterable

from referee.log.records import Log

FAILED = re.compile(
    r"\b(invalid|illegal|unexpected|unknown|malformed|forbidden|not allowed|bad (command|action"
    r"|input)|error|expect(s|ed)|time ?out|timed out|not provided?|crash|exception|disqualified)",
    re.IGNORECASE,
)


class Failures:
    """Follows a game turn by turn; `texts` holds the referee's words by failed player.

    is_alone: it is a game for one player.
    """

    def __init__(self, is_alone: bool) -> None:
        self.is_alone = is_alone
        self.texts: dict[int, str] = {}

    def add_turn(self, asked: Iterable[int], told: dict[str, Any]) -> None:
        """Add a turn: the players asked for an answer, and the referee's report."""
        # A player that is asked again is still in the game.
        players = set(asked)
        for player in players:
            self.texts.pop(player, None)
        summary = texts_of(told, "summary")
        tooltips = tooltips_of(told)
        if self.is_alone:
            tooltips += [
                (line.replace("¤RED¤", "").replace("§RED§", ""), 0)
                for line in summary
                if line.startswith("¤RED¤")
            ]
        for text, player in tooltips:
            named = [line for line in summary if re.search(rf"\${player}(?!\d)", line)]
            if player in players and any(map(FAILED.search, [text, *named])):
                self.texts[player] = text


def failures_of(log: Log) -> dict[int, str]:
    """Returns the referee's words by failed player, from the log of an official match."""
    failures = Failures(log.header.n_players == 1)
    for turn in log.turns:
        asked = [
            player for player, player_turn in turn.players.items() if player_turn.lines_expected
        ]
        failures.add_turn(asked, turn.state)
    return failures.texts


def tooltips_of(told: dict[str, Any]) -> list[tuple[str, int]]:
    """Returns a report's tooltips, texts with players; damaged ones are left out."""
    tooltips = told.get("tooltips")
    return [
        (tooltip[0], tooltip[1])
        for tooltip in (tooltips if isinstance(tooltips, list) else [])
        if isinstance(tooltip, list)
        and len(tooltip) == 2
        and type(tooltip[0]) is str
        and type(tooltip[1]) is int
    ]


def texts_of(told: dict[str, Any], name: str) -> list[str]:
    """Returns a report's texts of a name; damaged ones are left out."""
    texts = told.get(name)
    return [text for text in (texts if isinstance(texts, list) else []) if isinstance(text, str)]
