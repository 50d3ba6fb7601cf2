"""A bot's knowledge of the game: its input, and memory of earlier input.

Both decks are the same. A clash is a push turn without effect.
"""

from shared.core.protocol import ProtocolError
from shared.games.xmas_rush.protocol import MOVE, Lines
from shared.games.xmas_rush.sim import collect_items, find_item
from shared.games.xmas_rush.state import (
    DECK,
    DONE,
    HANDS,
    MAX_VISIBLE,
    N_KNOWN,
    N_PLAYERS,
    N_QUESTS,
    N_VISIBLE,
    NAMES,
    PATH_BITS,
    PLAYERS,
    REVEALED,
    ROWS,
    SIZE,
    STALE,
    TILE_BITS,
    TURN,
    VISIBLE,
    WANTED,
    cell_at,
    item_number,
    new_state,
    pack_deck,
)

DIGITS = "([01]{4})"


class Tracker:
    """A player's view of one game: `state` at the turn to be answered, with the player as 0.

    read_line: gives the next line of input, an empty text at its end.
    """

    def __init__(self, read_line):
        self.read_line = read_line
        self.state = new_state()
        self.shown = [[] for _ in range(N_PLAYERS)]  # names of each player's quests

    def read_turn(self):
        """Read a turn into `state`; returns False after the game's end. Raises ProtocolError."""
        first = self.read_line()
        if not first:
            return False
        lines = Lines(self.read_line)
        kind = int(*lines.read("the kind of turn, 0 or 1", "([01])", first))
        before = list(self.state[:WANTED])
        n_left = self._read_board(lines)
        items = self._read_items(lines)
        quests = self._read_quests(lines, items)
        if self.state[TURN] == 0:
            self._start(items, n_left[0], len(quests[0]))
        self._count_turn(kind, before)
        self._count_quests(n_left, quests)
        collect_items(self.state)
        return True

    def _read_board(self, lines):
        """Read rows and players; returns the numbers of quests left."""
        state, n_left = self.state, []
        for y in range(SIZE):
            tiles = lines.read("7 tiles of 4 digits, 0 or 1", " ".join([DIGITS] * SIZE))
            state[ROWS + y] = int("00000".join(tiles), 2)  # with room for items
        what = "a player: quests to do (0 to 12), x, y (0 to 6) and a tile of 4 digits, 0 or 1"
        for player in range(N_PLAYERS):
            *numbers, tile = lines.read(what, rf"([0-9]|1[0-2]) ([0-6]) ([0-6]) {DIGITS}")
            n_quests, x, y = map(int, numbers)
            n_left.append(n_quests)
            state[HANDS + player] = int(tile, 2)
            state[PLAYERS + player] = 1 << cell_at(x, y)
            state[VISIBLE] = state[WANTED + player] = 0
        return n_left

    def _read_items(self, lines):
        """Put items on their tiles; returns {(name, owner): (x, y)}."""
        items = {}
        what = "an item: name, x y (0 to 6; -1 -1 or -2 -2 in a hand) and 0 or 1 for whose it is"
        for _ in range(lines.count("items", N_PLAYERS * len(NAMES))):
            name, owner, place = lines.item(what, "(-1 -1|-2 -2|[0-6] [0-6]) ")
            x, y = map(int, place.split())
            if (name, owner) in items:
                raise lines.error(f"{what} (this one was told before)")
            if (x, y) in items.values():
                raise lines.error(f"{what} (there is another one on its tile)")
            items[name, owner] = x, y
            carried = item_number(name, owner) << PATH_BITS
            if x < 0:
                self.state[HANDS - 1 - x] |= carried
            else:
                self.state[ROWS + y] |= carried << TILE_BITS * (SIZE - 1 - x)
        return items

    def _read_quests(self, lines, items):
        """Mark the items of quests as visible and wanted; returns both players' names."""
        what = "a quest: name and 0 or 1 for whose it is"
        quests = [[] for _ in range(N_PLAYERS)]
        for _ in range(lines.count("quests", N_PLAYERS * MAX_VISIBLE)):
            name, owner = lines.item(what)
            if (name, owner) not in items:
                raise lines.error(f"{what} (its item is not there)")
            if name in quests[owner]:
                raise lines.error(f"{what} (this one was told before)")
            quests[owner].append(name)
            item = item_number(name, owner)
            self.state[VISIBLE] |= 1 << item
            self.state[WANTED + owner] |= find_item(self.state, item)
        return quests

    def _start(self, items, n_quests, n_visible):
        n_items = sum(owner == 0 for _, owner in items)
        if n_items != n_quests or not 1 <= n_visible <= MAX_VISIBLE:
            raise ProtocolError(
                f"the first turn is not a game's start: {n_items} own items and"
                f" {n_visible} visible of {n_quests} quests"
            )
        self.state[N_QUESTS], self.state[N_VISIBLE] = n_quests, n_visible

    def _count_turn(self, kind, before):
        state = self.state
        state[TURN] += 1
        if kind == state[TURN] & 1:
            raise ProtocolError(
                f"turn {state[TURN]} is of kind {kind}: odd ones are 0, even ones 1"
            )
        if kind == MOVE:
            same = before == list(state[:WANTED])
            state[STALE] = state[STALE] + 1 if same else 0

    def _count_quests(self, n_left, quests):
        state = self.state
        for player, (names, shown) in enumerate(zip(quests, self.shown)):
            shown += [name for name in names if name not in shown]
            state[REVEALED + player] = len(shown)
            state[DONE + player] = state[N_QUESTS] - n_left[player]
            if len(shown) - state[DONE + player] != len(names):
                raise ProtocolError(
                    f"turn {state[TURN]}: player {player} was shown {len(shown)} quests of"
                    f" {state[N_QUESTS]}, {n_left[player]} are still to do,"
                    f" but {len(names)} are told"
                )
        short, long = sorted(self.shown, key=len)
        if long[: len(short)] != short:
            raise ProtocolError(
                f"turn {state[TURN]}: the players were shown different decks, {short} and {long}"
            )
        state[DECK], state[N_KNOWN] = pack_deck(long), len(long)
