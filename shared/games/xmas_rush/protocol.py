"""The protocol of X-mas Rush for referee and bots (RULES.md, section 8).

Each player is number 0 in its own input, whichever its corner.
"""

import re
from typing import Any, Callable, Optional

from ...core.clock import Limits
from ...core.jit import Ints
from ...core.protocol import IllegalAction, ProtocolError
from ...games.xmas_rush.sim import MAX_STEPS
from ...games.xmas_rush.state import (
    DIRECTIONS,
    DONE,
    HANDS,
    N_QUESTS,
    NAMES,
    PATHS,
    PLAYERS,
    SIZE,
    TURN,
    board_places,
    item_name,
    item_places,
    quests,
    tile_at,
)

LIMITS = Limits(first_ms=1000, turn_ms=50)
KINDS = ("PUSH", "MOVE")
PUSH, MOVE = 0, 1
PASS = "PASS"
PUSH_ACTION = re.compile(r"PUSH ([0-6]) (UP|RIGHT|DOWN|LEFT)")


class Lines:
    """A reader of a turn's lines. Methods raise ProtocolError with the wrong line."""

    def __init__(self, read_line: Callable[[], str]) -> None:
        self.read_line = read_line
        self.number = 0

    def read(self, what: str, pattern: str, text: Optional[str] = None) -> tuple:
        """Returns the groups of the pattern matched in the next line, or in `text`."""
        self.text = text or self.read_line()
        self.number += 1
        if not self.text:
            raise ProtocolError(f"the input ended where line {self.number} should follow: {what}")
        match = re.fullmatch(pattern, " ".join(self.text.split()))
        if not match:
            raise self.error(what)
        return match.groups()

    def count(self, what: str, most: int) -> int:
        numbers = "|".join(map(str, range(most + 1)))
        return int(*self.read(f"the number of {what}, 0 to {most}", f"({numbers})"))

    def item(self, what: str, pattern: str = "") -> tuple:
        """Returns (name, owner, *pattern groups) of a line."""
        name, *groups, owner = self.read(what, rf"(\S+) {pattern}([01])")
        if name not in NAMES:
            raise self.error(f"{what} (there is no item {name!r})")
        return name, int(owner), *groups

    def error(self, what: str) -> ProtocolError:
        text = self.text.rstrip("\r\n")[:200]
        return ProtocolError(f"line {self.number} of the turn: expected {what}, got {text!r}")


def format_push(push: int) -> str:
    return f"PUSH {push >> 2} {DIRECTIONS[push & 3]}"


def format_walk(directions: list) -> str:
    """Returns the line of a walk; PASS if empty."""
    return " ".join(["MOVE", *(DIRECTIONS[d] for d in directions)]) if directions else PASS


def row_lines(state: Ints) -> "list[str]":
    """Returns the tiles' paths, one line per row."""
    return [
        " ".join(f"{tile_at(state, x, y) & PATHS:04b}" for x in range(SIZE)) for y in range(SIZE)
    ]


def item_lines(state: Ints, order: "list[int]", player: int) -> "list[str]":
    """Returns the lines of all items left, for a player."""
    places = item_places(state)
    lines = []
    for item in order:
        if item in places:
            name, owner = item_name(item)
            x, y = places[item]
            if x < 0 and player == 1:
                x = y = -3 - x
            lines.append(f"{name} {x} {y} {owner ^ player}")
    return lines


def turn_lines(state: Ints, order: "list[int]", player: int) -> "list[str]":
    """Returns the lines of a turn.

    state: the state before items underfoot are collected. order: all items of the game in the
    order of the input.
    """
    both = (player, 1 - player)
    lines = [str(1 - (state[TURN] & 1)), *row_lines(state)]
    for p in both:
        ((x, y),) = board_places(state[PLAYERS + p])
        cards = state[N_QUESTS] - state[DONE + p]
        lines.append(f"{cards} {x} {y} {state[HANDS + p] & PATHS:04b}")
    items = item_lines(state, order, player)
    lines += [str(len(items)), *items]
    visible = [(name, p ^ player) for p in both for name in quests(state, p)]
    lines.append(str(len(visible)))
    return lines + [f"{name} {owner}" for name, owner in visible]


def parse_action(line: str, kind: int) -> Any:
    """Returns the push of a line, or the directions in a MOVE turn. Raises IllegalAction."""
    if kind == PUSH:
        match = PUSH_ACTION.fullmatch(line)
        if match:
            return int(match[1]) << 2 | DIRECTIONS.index(match[2])
        raise IllegalAction(f"expected 'PUSH 0..6 UP|RIGHT|DOWN|LEFT', got {line[:200]!r}")
    if line == PASS:
        return []
    match = re.fullmatch(rf"MOVE((?: (?:UP|RIGHT|DOWN|LEFT)){{1,{MAX_STEPS}}})", line)
    if match:
        return [DIRECTIONS.index(word) for word in match[1].split()]
    raise IllegalAction(
        f"expected 'PASS' or 'MOVE' and 1 to {MAX_STEPS} of UP, RIGHT, DOWN, LEFT,"
        f" got {line[:200]!r}"
    )
