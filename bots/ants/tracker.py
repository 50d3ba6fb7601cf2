"""A bot's memory: water, food, hills and enemies, seen now or earlier."""

from bots.ants.memory import (
    ENEMY,
    ENEMY_HILL,
    N_CELLS,
    N_ENEMIES,
    N_OWN_ANTS,
    OWN_HILL,
    TURN,
    look_around,
    new_memory,
)
from shared.core.protocol import ProtocolError
from shared.games.ants.protocol import read_start, read_turn

# For this many turns, an enemy out of sight is assumed to stay in place.
GHOST_TURNS = 4
# Ants of each side; the rest is ignored.
MAX_ANTS = 2000


class Tracker:
    """A player's knowledge of one game; `memory` is its knowledge at the turn to be answered.

    read_line: gives the next line of input, an empty text at its end.
    """

    def __init__(self, read_line):
        self.read_line = read_line
        self.start = None
        self.memory = None

    def read_start(self) -> bool:
        """Read up to `ready`; returns False for an empty input. Raises ProtocolError."""
        self.start = read_start(self.read_line)
        if self.start is None:
            return False
        self.memory = new_memory(self.start)
        self.food, self.own_hills, self.enemy_hills, self.seen_enemies = set(), set(), set(), {}
        return True

    def read_turn(self) -> bool:
        """Read a turn into `memory`; returns False after the game's end. Raises ProtocolError."""
        sight = read_turn(self.read_line, self.start)
        if sight is None:
            return False
        memory = self.memory
        memory.numbers[TURN] = sight.turn
        for cell in sight.water:
            memory.water[cell] = 1
        own = [cell for cell, owner in sight.ants if owner == 0]
        enemies = [cell for cell, owner in sight.ants if owner != 0]
        if len(set(own + enemies)) < len(own + enemies):
            raise ProtocolError(f"turn {sight.turn}: two ants are on the same square")
        self.own = own[:MAX_ANTS]
        fill(memory.own, self.own)
        memory.numbers[N_OWN_ANTS] = len(self.own)
        look_around(memory)
        self._remember_food(sight)
        self._remember_hills(sight)
        self._remember_enemies(sight.turn, own, enemies)
        return True

    def _in_view(self, cell) -> bool:
        return self.memory.last_seen[cell] == self.memory.numbers[TURN]

    def _remember_food(self, sight) -> None:
        gone = {cell for cell in self.food if self._in_view(cell)}.difference(sight.food)
        for cell in gone:
            self.memory.food[cell] = 0
        for cell in sight.food:
            self.memory.food[cell] = 1
        self.food = (self.food - gone).union(sight.food)

    def _remember_hills(self, sight) -> None:
        """Remove hills in view that the input lacks, own ones included: they are razed."""
        for hills, is_own in ((self.own_hills, True), (self.enemy_hills, False)):
            hills.difference_update([cell for cell in hills if self._in_view(cell)])
            hills.update(cell for cell, owner in sight.hills if (owner == 0) == is_own)
        self._set_sources(OWN_HILL, sorted(self.own_hills))
        self._set_sources(ENEMY_HILL, sorted(self.enemy_hills))

    def _remember_enemies(self, turn, own, enemies) -> None:
        taken = {*own, *enemies}
        seen = {
            cell: last
            for cell, last in self.seen_enemies.items()
            if turn - last <= GHOST_TURNS and not self._in_view(cell) and cell not in taken
        }
        seen.update((cell, turn) for cell in enemies)
        self.seen_enemies = seen
        cells = [cell for cell in seen if not self.memory.water[cell]][:MAX_ANTS]
        fill(self.memory.enemies, cells)
        self.memory.numbers[N_ENEMIES] = len(cells)
        self._set_sources(ENEMY, cells)

    def _set_sources(self, kind, cells) -> None:
        start = kind * int(self.memory.numbers[N_CELLS])
        for i, cell in enumerate(cells):
            self.memory.sources[start + i] = cell
        self.memory.n_sources[kind] = len(cells)


def fill(buffer, numbers) -> None:
    """Write numbers to the start of a buffer."""
    for i, number in enumerate(numbers):
        buffer[i] = number
