"""The text of X-mas Rush, read and written from both sides (RULES.md, section 8).

A bot uses `read_turn`, `format_push` and `format_walk`, the referee `turn_lines` and
`parse_action`. To its reader a player is number 0, whichever corner it began in.
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
IN_HAND = {(-1, -1): 0, (-2, -2): 1}


class Card(NamedTuple):
    """What a player's own line says: quests still to do, place and the tile in hand."""

    n_quests: int
    x: int
    y: int
    tile: int


class Item(NamedTuple):
    """An item and the place of its tile: -1 -1 in the reader's hand, -2 -2 in the other's."""

    name: str
    x: int
    y: int
    owner: int


class TurnInput(NamedTuple):
    """A turn as it is told: PUSH or MOVE, the tiles' paths by row, and for both players the rest."""

    kind: int
    rows: list
    players: list
    items: list
    quests: list


class _Lines:
    """Reads the lines of one turn and says which one is wrong."""

    def __init__(self, read_line):
        self.read_line = read_line
        self.number = 0
        self.text = ""

    def words(self, count, what):
        """The words of the next line. Raises ProtocolError unless there are `count`."""
        self.text = self.read_line()
        self.number += 1
        if not self.text:
            raise ProtocolError(f"the input ended where line {self.number} should follow: {what}")
        words = self.text.split()
        if len(words) != count:
            raise self.error(what)
        return words

    def error(self, what):
        text = self.text.rstrip("\r\n")[:200]
        return ProtocolError(f"line {self.number} of the turn: expected {what}, got {text!r}")

    def number_in(self, word, low, high, what):
        """A whole number of low..high. Raises ProtocolError."""
        if not re.fullmatch(r"-?\d{1,3}", word, re.ASCII) or not low <= int(word) <= high:
            raise self.error(what)
        return int(word)

    def tile(self, word, what):
        """A tile's paths. Raises ProtocolError."""
        if not re.fullmatch("[01]{4}", word):
            raise self.error(what)
        return int(word, 2)


def read_turn(read_line):
    """A turn as a `TurnInput`, or None where the game has ended. Raises ProtocolError."""
    first = read_line()
    if not first:
        return None
    lines = _Lines(lambda: first)
    (word,) = lines.words(1, "the kind of turn, 0 or 1")
    kind = lines.number_in(word, PUSH, MOVE, "the kind of turn, 0 or 1")
    lines.read_line = read_line
    rows = [_read_row(lines) for _ in range(SIZE)]
    players = [_read_player(lines) for _ in range(N_PLAYERS)]
    items = _read_items(lines)
    return TurnInput(kind, rows, players, items, _read_quests(lines, items))


def _read_row(lines):
    what = f"{SIZE} tiles of 4 digits, 0 or 1"
    return [lines.tile(word, what) for word in lines.words(SIZE, what)]


def _read_player(lines):
    what = f"a player: quests to do (0 to {len(NAMES)}), x, y (0 to {SIZE - 1}) and a tile of 4 digits, 0 or 1"
    n_quests, x, y, tile = lines.words(4, what)
    return Card(
        lines.number_in(n_quests, 0, len(NAMES), what),
        lines.number_in(x, 0, SIZE - 1, what),
        lines.number_in(y, 0, SIZE - 1, what),
        lines.tile(tile, what),
    )


def _read_count(lines, most, what):
    what = f"the number of {what}, 0 to {most}"
    (word,) = lines.words(1, what)
    return lines.number_in(word, 0, most, what)


def _read_name(lines, word, owner, what):
    if word not in NAMES:
        raise lines.error(f"{what} (there is no item {word!r})")
    return word, lines.number_in(owner, 0, N_PLAYERS - 1, what)


def _read_items(lines):
    what = "an item: name, x, y and 0 or 1 for whose it is"
    items = {}
    places = set()
    for _ in range(_read_count(lines, N_PLAYERS * len(NAMES), "items")):
        word, x, y, owner = lines.words(4, what)
        name, owner = _read_name(lines, word, owner, what)
        x, y = (lines.number_in(number, -N_PLAYERS, SIZE - 1, what) for number in (x, y))
        if min(x, y) < 0 and (x, y) not in IN_HAND:
            raise lines.error(f"{what} (0 to {SIZE - 1}, or -1 -1 or -2 -2 in a hand)")
        if (name, owner) in items:
            raise lines.error(f"{what} (this one was told before)")
        if (x, y) in places:
            raise lines.error(f"{what} (there is another one on its tile)")
        places.add((x, y))
        items[name, owner] = Item(name, x, y, owner)
    return list(items.values())


def _read_quests(lines, items):
    what = "a quest: name and 0 or 1 for whose it is"
    there = {(item.name, item.owner) for item in items}
    quests = [[] for _ in range(N_PLAYERS)]
    for _ in range(_read_count(lines, N_PLAYERS * MAX_VISIBLE, "quests")):
        name, owner = _read_name(lines, *lines.words(2, what), what)
        if (name, owner) not in there:
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
