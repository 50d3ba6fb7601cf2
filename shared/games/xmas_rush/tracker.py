"""What a bot knows of the game: its input, and what earlier input told of the deck.

Both decks are the same: what one player has been shown, the other will be shown. A clash is
recognised by a push turn that changed nothing.
"""

from shared.core.errors import ProtocolError
from shared.games.xmas_rush.protocol import MOVE, read_turn
from shared.games.xmas_rush.sim import collect_items
from shared.games.xmas_rush.state import (
    DECK,
    DONE,
    HANDS,
    MAX_VISIBLE,
    N_KNOWN,
    N_PLAYERS,
    N_QUESTS,
    N_VISIBLE,
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


class Tracker:
    """A player's view of one game: `state` at the turn to be answered, with the player as 0.

    read_line: gives the next line of input, and an empty text at its end.
    """

    def __init__(self, read_line):
        self.read_line = read_line
        self.state = new_state()
        self.shown = [[] for _ in range(N_PLAYERS)]  # the names of the quests of each player so far

    def read_turn(self):
        """Read a turn into `state`; False where the game has ended. Raises ProtocolError."""
        told = read_turn(self.read_line)
        if told is None:
            return False
        before = list(self.state[: PLAYERS + N_PLAYERS])
        self._read_board(told)
        if self.state[TURN] == 0:
            self._read_start(told)
        self._read_quests(told)
        self._count_turn(told, before)
        collect_items(self.state)
        return True

    def _read_board(self, told):
        state = self.state
        for y, row in enumerate(told.rows):
            state[ROWS + y] = sum(tile << TILE_BITS * (SIZE - 1 - x) for x, tile in enumerate(row))
        for player, (_, x, y, tile) in enumerate(told.players):
            state[HANDS + player] = tile
            state[PLAYERS + player] = 1 << cell_at(x, y)
            state[WANTED + player] = 0
        for (name, owner), (x, y) in told.items.items():
            carried = item_number(name, owner) << PATH_BITS
            if x < 0:
                state[HANDS - 1 - x] |= carried
                continue
            state[ROWS + y] |= carried << TILE_BITS * (SIZE - 1 - x)
            if name in told.quests[owner]:
                state[WANTED + owner] |= 1 << cell_at(x, y)

    def _read_start(self, told):
        n_items = sum(owner == 0 for _, owner in told.items)
        n_quests, n_visible = told.players[0][0], len(told.quests[0])
        if n_items != n_quests or not 1 <= n_visible <= MAX_VISIBLE:
            raise ProtocolError(
                f"the first turn is not a game's start: {n_items} own items and"
                f" {n_visible} visible of {n_quests} quests"
            )
        self.state[N_QUESTS], self.state[N_VISIBLE] = n_quests, n_visible

    def _read_quests(self, told):
        state = self.state
        state[VISIBLE] = 0
        for player, (names, shown) in enumerate(zip(told.quests, self.shown)):
            shown += [name for name in names if name not in shown]
            n_left = told.players[player][0]
            state[REVEALED + player] = len(shown)
            state[DONE + player] = state[N_QUESTS] - n_left
            if len(shown) - state[DONE + player] != len(names):
                raise ProtocolError(
                    f"turn {state[TURN] + 1}: player {player} was shown {len(shown)} quests of"
                    f" {state[N_QUESTS]}, {n_left} are still to do, but {len(names)} are told"
                )
            for name in names:
                state[VISIBLE] |= 1 << item_number(name, player)
        short, long = sorted(self.shown, key=len)
        if long[: len(short)] != short:
            raise ProtocolError(
                f"turn {state[TURN] + 1}: the players were shown different decks, {short} and {long}"
            )
        state[DECK], state[N_KNOWN] = pack_deck(long), len(long)

    def _count_turn(self, told, before):
        state = self.state
        state[TURN] += 1
        if told.kind == state[TURN] & 1:
            raise ProtocolError(
                f"turn {state[TURN]} is told to be of kind {told.kind}: odd turns are pushes (0),"
                " even ones are moves (1)"
            )
        if told.kind == MOVE:
            same = before == list(state[: PLAYERS + N_PLAYERS])
            state[STALE] = state[STALE] + 1 if same else 0
