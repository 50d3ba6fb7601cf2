"""Reads the board off a player's input, for the page of a game that was played elsewhere.

A tile is identified by its place, so pushed tiles are redrawn instead of moved.
"""

from typing import Callable

from ...core.drawing.shapes import Scene
from ...core.protocol import read_turns
from ...games.xmas_rush.protocol import MOVE
from ...games.xmas_rush.sim import MAX_TURNS
from ...games.xmas_rush.state import N_PLAYERS, PATHS, SIZE

TILES = [[SIZE * y + x for x in range(SIZE)] for y in range(SIZE)]
IN_HANDS = [SIZE * SIZE + player for player in range(N_PLAYERS)]


def reconstruct(player: int, inputs: list[list[str]]) -> list[Scene | None]:
    """Returns setup and snapshot before each turn, see `Contest.reconstruct`."""
    return read_turns(inputs, PlayerView(player).read)


class PlayerView:
    """A game as a player reads it, with itself as number 0."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.turn = self.stale = self.n_quests = 0
        self.paths: list[int] | None = None

    def read(self, read_line: Callable[[], str]) -> Scene:
        """Returns (setup, snapshot) of a turn's lines."""
        kind = int(read_line())
        paths = [self._tile(word) for _ in range(SIZE) for word in self._words(read_line, SIZE)]
        rows = [self._words(read_line, 4) for _ in range(N_PLAYERS)]
        items = [self._words(read_line, 4) for _ in range(int(read_line()))]
        visible = [self._words(read_line, 2) for _ in range(int(read_line()))]
        players = rows[:: 1 if self.player == 0 else -1]
        paths += [self._tile(tile) for *_, tile in players]
        self.turn += 1
        self.n_quests = self.n_quests or int(players[0][0])
        if kind == MOVE:  # a clash is a push without effect
            self.stale = self.stale + 1 if paths == self.paths else 0
        self.paths = paths
        quests: list[list[str]] = [[], []]
        for name, owner in visible:
            quests[self._owner(owner)].append(name)
        snapshot = {
            "turn": self.turn,
            "tiles": TILES,
            "hands": IN_HANDS,
            "items": [
                [name, self._owner(owner), self._place(int(x), int(y))]
                for name, x, y, owner in items
            ],
            "quests": quests,
            "scores": [self.n_quests - int(left) for left, *_ in players],
            "stale": self.stale,
            "ways": [[[int(x), int(y)] for _, x, y, _ in players]],
        }
        return {"quests": self.n_quests, "max_turns": MAX_TURNS, "paths": paths}, snapshot

    def _words(self, read_line: Callable[[], str], count: int) -> list[str]:
        words = read_line().split()
        if len(words) != count:
            raise ValueError(f"{count} words are expected, found {len(words)}")
        return words

    def _tile(self, digits: str) -> int:
        paths = int(digits, 2)
        if not 0 <= paths <= PATHS:
            raise ValueError(f"no tile: {paths}")
        return paths

    def _owner(self, text: str) -> int:
        return (0, 1)[int(text)] ^ self.player

    def _place(self, x: int, y: int) -> int:
        """Returns the tile with an item: in the reader's or rival's hand, or on the board."""
        return IN_HANDS[(-1 - x) ^ self.player] if x < 0 else TILES[y][x]
