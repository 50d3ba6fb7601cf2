"""Shows an official referee's texts on the page of a match.

Tooltips are marks under the board, and the summary of each turn stands beside it. The board is the
contest's own if a module of the project reconstructs it from the players' input; else it shows the
bots' drawings.
"""

import re
from dataclasses import replace
from typing import Any

from referee.errors import shorten
from referee.log.records import Log
from referee.official.failures import texts_of, tooltips_of
from referee.page.drawings import drawings
from referee.sources.bots import distinct_names
from shared.core.drawing.shapes import Circle, Event, Fact, Frame, Line, Shape

UNIT = (0.0, 0.0, 1.0, 1.0)
# Margin of the board around the drawings, on each side.
MARGIN = 0.03
# Limit of a turn's summary.
MAX_LINES = 40
# The engine's marks for a colour, and for a player's name.
MARK = re.compile(r"[¤§][A-Z]+[¤§]")
NAME = re.compile(r"\$([0-7])(?!\d)")


def annotated_frames(log: Log, frames: list[Frame | None]) -> list[Frame | None]:
    """Returns a frame for each of `frames`, None repeating the last one, with the referee's texts
    about the turn.
    """
    bounds = None if any(frame and frame.shapes for frame in frames) else drawn_bounds(log)
    names = distinct_names(log.header.bots)
    told, last = [], Frame((0, 0, 16, 9), ())
    states = [log.header.state, *(turn.state for turn in log.turns)]
    for frame, state in zip(frames, states):
        last = frame or last
        board = replace(last, bounds=bounds) if bounds else last
        events = () if frame is None else board.events
        told.append(_with_words(replace(board, events=events), state, names))
    return list(told)


def drawn_bounds(log: Log) -> tuple[float, float, float, float] | None:
    """Returns the bounds of the bots' drawings with a margin, None without any drawing."""
    places = [
        place
        for turn in log.turns
        for player, player_turn in turn.players.items()
        for shape in drawings(player_turn.stderr, player, UNIT)[0]
        for place in _corners(shape)
    ]
    if not places:
        return None
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places), max(y for _, y in places)
    margin = MARGIN * max(right - left, bottom - top) or 1.0
    return left - margin, top - margin, right + margin, bottom + margin


def _corners(shape: Shape) -> list[tuple[float, float]]:
    x, y = shape.at
    if isinstance(shape, Circle):
        return [(x - shape.radius, y - shape.radius), (x + shape.radius, y + shape.radius)]
    if isinstance(shape, Line):
        return [(x + dx, y + dy) for dx, dy in shape.points]
    return [(x, y)]


def _with_words(frame: Frame, state: dict[str, Any], names: list[str]) -> Frame:
    events = [
        Event("tooltip", _readable(text, names), player if player in range(len(names)) else None)
        for text, player in tooltips_of(state)
    ]
    facts: list[list[Fact]] = [list(row) for row in frame.facts] or [[] for _ in names]
    for line in texts_of(state, "summary")[:MAX_LINES]:
        about = {int(number) for number in NAME.findall(line)} & {*range(len(names))}
        for player in about or range(len(names)):
            facts[player].append(Fact("referee", _readable(line, names)))
    return replace(frame, events=(*frame.events, *events), facts=tuple(map(tuple, facts)))


def _readable(text: str, names: list[str]) -> str:
    """Returns a text of the referee without its marks, with the bots' names."""

    def name(match: re.Match[str]) -> str:
        player = int(match[1])
        return names[player] if player < len(names) else match[0]

    return shorten(NAME.sub(name, MARK.sub("", text)).strip())
