"""The input of each player, line by line (RULES.md, sections 3 and 5)."""

from ...games.ants.protocol import DONE, END
from ...games.ants.state import (
    COLS,
    N_CELLS,
    N_FOOD,
    N_FOUND,
    N_HILLS,
    N_PLAYERS,
    World,
    ants,
    dead_ants,
    listed,
)


class Views:
    """The players' views of a world: call `update` after each `look`, then `lines` for each
    player.
    """

    def __init__(self, world: World):
        self.world = world
        self.n_players = int(world.numbers[N_PLAYERS])
        self.n_cells, self.cols = int(world.numbers[N_CELLS]), int(world.numbers[COLS])
        self.names = [f"{cell // self.cols} {cell % self.cols}" for cell in range(self.n_cells)]
        # For each player, its own numbering of the owners.
        self.numbers = [{player: 0} for player in range(self.n_players)]

    def update(self) -> None:
        """Copy the world's state, and number the owners whose ants are seen for the first time."""
        world, n_cells = self.world, self.n_cells
        self.ants = sorted(ants(world))
        self.food = sorted(listed(world.food, int(world.numbers[N_FOOD])))
        self.dead = sorted(dead_ants(world))
        self.hills = sorted(
            (int(world.hill_cells[hill]), int(world.hill_owners[hill]))
            for hill in range(world.numbers[N_HILLS])
            if world.hill_razers[hill] < 0
        )
        self.water: list[list[int]] = [[] for _ in range(self.n_players)]
        for place in sorted(listed(world.found, int(world.numbers[N_FOUND]))):
            self.water[place // n_cells].append(place % n_cells)
        for player, numbers in enumerate(self.numbers):
            if len(numbers) < self.n_players:
                start = player * n_cells
                for cell, owner in self.ants:
                    if owner not in numbers and world.seen[start + cell]:
                        numbers[owner] = len(numbers)

    def lines(self, player: int) -> list[str]:
        """Returns the lines of a turn between its number and `go`."""
        world, names, numbers = self.world, self.names, self.numbers[player]
        start = player * self.n_cells
        seen = listed(world.seen[start : start + self.n_cells], self.n_cells)
        lines = [f"w {names[cell]}" for cell in self.water[player]]
        for letter, things in (("h", self.hills), ("a", self.ants)):
            lines += [
                f"{letter} {names[cell]} {numbers.setdefault(owner, len(numbers))}"
                for cell, owner in things
                if seen[cell]
            ]
        lines += [f"f {names[cell]}" for cell in self.food if seen[cell]]
        lines += [
            f"d {names[cell]} {numbers.setdefault(owner, len(numbers))}"
            for cell, owner in self.dead
            if seen[cell] or owner == player
        ]
        return lines

    def own_order(self, player: int, values: list) -> list:
        """Returns the players' values in one player's numbering, with unseen owners last."""
        numbers = self.numbers[player]
        return [
            value
            for _, value in sorted(
                enumerate(values), key=lambda one: numbers.get(one[0], self.n_players + one[0])
            )
        ]

    def end_lines(self, player: int, scores: list, statuses: list, turns: list) -> list[str]:
        """Returns the lines sent to a player when its game is over."""
        told = [("score", scores), ("status", statuses), ("playerturns", turns)]
        lines = [END, f"players {self.n_players}"]
        lines += [" ".join(map(str, [name, *self.own_order(player, v)])) for name, v in told]
        return [*lines, *self.lines(player), DONE]
