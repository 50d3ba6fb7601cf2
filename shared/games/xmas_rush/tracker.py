"""What a bot knows of the game: its input, and what earlier input told of the deck.

Both decks are the same: what one player has been shown, the other will be shown. A clash is
recognised by a push turn that changed nothing.
"""

from shared.core.errors import ProtocolError
from shared.games.xmas_rush.protocol import read_turn
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
    copy_state,
    item_number,
    new_state,
    pack_deck,
)


class Tracker:
    """A player's view of one game: `state` at the turn to be answered, with the player as 0.

    read_line: gives the next line of input, and an empty text at its end. shown: for each player
    the names of the quests it was shown. names: of all quests of the game.
    """

    def __init__(self, read_line):
        self.read_line = read_line
        self.state = new_state()
        self.shown = [[] for _ in range(N_PLAYERS)]
        self.names = []

    def read_turn(self):
        """Read a turn into `state`; False where the game has ended. Raises ProtocolError."""
        told = read_turn(self.read_line)
        if told is None:
            return False
        if not self.names:
            self._read_start(told)
        before = self.state
        self.state = new_state()
        copy_state(before, self.state)
        self._read_board(told)
        self._read_quests(told)
        self._count_turn(told, before)
        collect_items(self.state)
        return True

    def unknown_names(self):
        """The names of the deck that neither player has been shown yet."""
        return [name for name in self.names if name not in self._known()]

    def suppose(self, names):
        """Take it that the deck goes on with these names after the known ones."""
        known = self._known() + names
        self.state[DECK], self.state[N_KNOWN] = pack_deck(known), len(known)

    def _known(self):
        return max(self.shown, key=len)

    def _read_start(self, told):
        self.names = [item.name for item in told.items if item.owner == 0]
        self.state[N_QUESTS] = told.players[0].n_quests
        self.state[N_VISIBLE] = len(told.quests[0])
        if len(self.names) != self.state[N_QUESTS] or not 1 <= self.state[N_VISIBLE] <= MAX_VISIBLE:
            raise ProtocolError(
                f"the first turn is not a game's start: {len(self.names)} own items and"
                f" {len(told.quests[0])} visible of {told.players[0].n_quests} quests"
            )

    def _read_board(self, told):
        state = self.state
        for y, row in enumerate(told.rows):
            state[ROWS + y] = sum(tile << TILE_BITS * (SIZE - 1 - x) for x, tile in enumerate(row))
        for player, card in enumerate(told.players):
            state[HANDS + player] = card.tile
            state[PLAYERS + player] = 1 << cell_at(card.x, card.y)
            state[WANTED + player] = 0
        for item in told.items:
            carried = item_number(item.name, item.owner) << PATH_BITS
            if item.x < 0:
                state[HANDS - 1 - item.x] |= carried
                continue
            state[ROWS + item.y] |= carried << TILE_BITS * (SIZE - 1 - item.x)
            if item.name in told.quests[item.owner]:
                state[WANTED + item.owner] |= 1 << cell_at(item.x, item.y)

    def _read_quests(self, told):
        state = self.state
        for player, names in enumerate(told.quests):
            shown = self.shown[player]
            shown += [name for name in names if name not in shown]
            state[REVEALED + player] = len(shown)
            state[DONE + player] = state[N_QUESTS] - told.players[player].n_quests
            if state[REVEALED + player] - state[DONE + player] != len(names):
                raise ProtocolError(
                    f"turn {state[TURN] + 1}: player {player} was shown {len(shown)} quests of"
                    f" {state[N_QUESTS]}, {told.players[player].n_quests} are still to do, but"
                    f" {len(names)} are told"
                )
        short, long = sorted(self.shown, key=len)
        if long[: len(short)] != short:
            raise ProtocolError(
                f"turn {state[TURN] + 1}: the players were shown different decks, {short} and {long}"
            )
        self.suppose([])
        state[VISIBLE] = sum(
            1 << item_number(name, player)
            for player, names in enumerate(told.quests)
            for name in names
        )

    def _count_turn(self, told, before):
        state = self.state
        state[TURN] += 1
        if told.kind == state[TURN] & 1:
            raise ProtocolError(
                f"turn {state[TURN]} is told to be of kind {told.kind}: odd turns are pushes (0),"
                " even ones are moves (1)"
            )
        if told.kind == 1:
            same = all(state[i] == before[i] for i in range(ROWS, PLAYERS + N_PLAYERS))
            state[STALE] = state[STALE] + 1 if same else 0
