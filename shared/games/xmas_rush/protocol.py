"""The text of X-mas Rush, read and written from both sides (RULES.md, section 8).

To its reader a player is number 0, whichever corner it began in.
"""

import re
from typing import NamedTuple

from shared.core.errors import IllegalAction, ProtocolError
from shared.games.xmas_rush.sim import MAX_STEPS
from shared.games.xmas_rush.state import (
    DIRECTIONS,
    DONE,
    HANDS,
    MAX_VISIBLE,
    N_PLAYERS,
    N_QUESTS,
    NAMES,
    PATHS,
    PLAYERS,
    SIZE,
    TURN,
    item_name,
    item_places,
    board_places,
    quests,
    tile_at,
)

PUSH, MOVE = 0, 1
KINDS = ("PUSH", "MOVE")
PASS = "PASS"
PUSH_ACTION = re.compile(r"PUSH ([0-6]) (UP|RIGHT|DOWN|LEFT)")
MOVE_ACTION = re.compile(rf"MOVE((?: (?:UP|RIGHT|DOWN|LEFT)){{1,{MAX_STEPS}}})")

# Of the lines of a turn.
TILE = "([01]{4})"
LINE, PLAYER = f"[0-{SIZE - 1}]", f"([0-{N_PLAYERS - 1}])"
PLACE = f"(-1 -1|-2 -2|{LINE} {LINE})"


class TurnInput(NamedTuple):
    """A turn as it is told.

    kind: PUSH or MOVE. rows: the paths of each row's tiles. players: for both (quests still to do,
    x, y, paths of the tile in hand). items: {(name, owner): (x, y)}, -1 -1 in the reader's hand and
    -2 -2 in the other's. quests: the names of both players' visible ones.
    """

    kind: int
    rows: list
    players: list
    items: dict
    quests: list


class _Lines:
    """Reads the lines of one turn and says which one is wrong."""

    def __init__(self, read_line):
        self.read_line = read_line
        self.number = 0

    def read(self, what, pattern):
        """The groups of the pattern that the next line is. Raises ProtocolError."""
        self.text = self.read_line()
        self.number += 1
        if not self.text:
            raise ProtocolError(f"the input ended where line {self.number} should follow: {what}")
        match = re.fullmatch(pattern, " ".join(self.text.split()))
        if not match:
            raise self.error(what)
        return match.groups()

    def count(self, most, what):
        """The number of lines that follow. Raises ProtocolError."""
        numbers = "|".join(map(str, range(most + 1)))
        return int(*self.read(f"the number of {what}, 0 to {most}", f"({numbers})"))

    def named(self, what, name, owner):
        """(name, owner) of an item. Raises ProtocolError."""
        if name not in NAMES:
            raise self.error(f"{what} (there is no item {name!r})")
        return name, int(owner)

    def error(self, what):
        text = self.text.rstrip("\r\n")[:200]
        return ProtocolError(f"line {self.number} of the turn: expected {what}, got {text!r}")


def read_turn(read_line):
    """A turn as a `TurnInput`, or None where the game has ended. Raises ProtocolError."""
    first = read_line()
    if not first:
        return None
    lines = _Lines(lambda: first)
    kind = int(*lines.read("the kind of turn, 0 or 1", "([01])"))
    lines.read_line = read_line
    rows = [_read_row(lines) for _ in range(SIZE)]
    players = [_read_player(lines) for _ in range(N_PLAYERS)]
    items = _read_items(lines)
    return TurnInput(kind, rows, players, items, _read_quests(lines, items))


def _read_row(lines):
    tiles = lines.read(f"{SIZE} tiles of 4 digits, 0 or 1", " ".join([TILE] * SIZE))
    return [int(paths, 2) for paths in tiles]


def _read_player(lines):
    n = len(NAMES)
    what = (
        f"a player: quests to do (0 to {n}), x, y (0 to {SIZE - 1}) and a tile of 4 digits, 0 or 1"
    )
    *numbers, paths = lines.read(what, rf"(\d\d?) ({LINE}) ({LINE}) {TILE}")
    n_quests, x, y = map(int, numbers)
    if n_quests > n:
        raise lines.error(what)
    return n_quests, x, y, int(paths, 2)


def _read_items(lines):
    cells = f"0 to {SIZE - 1}, or -1 -1 or -2 -2 in a hand"
    what = f"an item: name, x and y ({cells}), and 0 or 1 for whose it is"
    items = {}
    for _ in range(lines.count(N_PLAYERS * len(NAMES), "items")):
        name, place, owner = lines.read(what, rf"(\S+) {PLACE} {PLAYER}")
        item = lines.named(what, name, owner)
        x, y = map(int, place.split())
        if item in items:
            raise lines.error(f"{what} (this one was told before)")
        if (x, y) in items.values():
            raise lines.error(f"{what} (there is another one on its tile)")
        items[item] = x, y
    return items


def _read_quests(lines, items):
    what = "a quest: name and 0 or 1 for whose it is"
    quests = [[] for _ in range(N_PLAYERS)]
    for _ in range(lines.count(N_PLAYERS * MAX_VISIBLE, "quests")):
        name, owner = lines.named(what, *lines.read(what, rf"(\S+) {PLAYER}"))
        if (name, owner) not in items:
            raise lines.error(f"{what} (its item is not there)")
        if name in quests[owner]:
            raise lines.error(f"{what} (this one was told before)")
        quests[owner].append(name)
    return quests


def format_push(push):
    return f"PUSH {push >> 2} {DIRECTIONS[push & 3]}"


def format_walk(directions):
    """The line of a walk; PASS where it has no step."""
    return " ".join(["MOVE", *(DIRECTIONS[d] for d in directions)]) if directions else PASS


def row_lines(state):
    """The paths of the board's tiles, a line a row."""
    return [
        " ".join(f"{tile_at(state, x, y) & PATHS:04b}" for x in range(SIZE)) for y in range(SIZE)
    ]


def item_lines(state, order, player):
    """A line for each item that is left, as a player reads them."""
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


def turn_lines(state, order, player):
    """What a player reads every turn.

    state: in the turn, before items underfoot are collected. order: all items of the game in the order they are told.
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


def parse_action(line, kind):
    """The push of a player's line, or the directions in a MOVE turn. Raises IllegalAction."""
    if kind == PUSH:
        match = PUSH_ACTION.fullmatch(line)
        if match:
            return int(match[1]) << 2 | DIRECTIONS.index(match[2])
        raise IllegalAction(f"expected 'PUSH 0..6 UP|RIGHT|DOWN|LEFT', got {line[:200]!r}")
    if line == PASS:
        return []
    match = MOVE_ACTION.fullmatch(line)
    if match:
        return [DIRECTIONS.index(word) for word in match[1].split()]
    raise IllegalAction(
        f"expected 'PASS' or 'MOVE' and 1 to {MAX_STEPS} of UP, RIGHT, DOWN, LEFT, got {line[:200]!r}"
    )
