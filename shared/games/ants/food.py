"""Food placed in symmetrical sets, so that no player has an advantage (RULES.md, section 6)."""

from collections import deque
from fractions import Fraction
from random import Random
from typing import NamedTuple

from ...games.ants.maps import Map
from ...games.ants.state import Radii, World, add_food, disc
from ...games.ants.symmetry import food_sets


class FoodRates(NamedTuple):
    """The amount of food: `rate` per player every `turn` turns. At the start, one per `start`
    cells of land, `visible` of it for each player in sight of its hills.
    """

    rate: int
    turn: int
    start: int
    visible: int

    @classmethod
    def drawn(cls, rng: Random) -> "FoodRates":
        """Draw the rates at random, in the engine's order."""
        return cls(rng.randint(5, 11), rng.randint(19, 37), rng.randint(75, 175), rng.randint(3, 5))


class Food:
    """The food placement of one game."""

    def __init__(self, land: Map, rates: FoodRates, rng: Random):
        self.land, self.rates, self.rng = land, rates, rng
        self.sets = deque(food_sets(land, rng))
        self.n_placed = 0  # sets placed since the last shuffle
        rng.shuffle(self.sets)
        self.extra = Fraction(0)
        self.pending: dict[int, int] = {}

    def start(self) -> list[int]:
        """Returns the cells that have food before the first turn."""
        land = self.land
        n_players = land.n_players
        n_visible = self.rates.visible * n_players
        n_land = land.rows * land.cols - len(land.water)
        near = self._within_sight()
        placed: list[int] = []
        for one in list(self.sets):
            if len(placed) + len(one) <= n_visible and near.intersection(one):
                placed += one
                self.sets.remove(one)
                self.sets.appendleft(one)
        left = self._place(max(0, n_land // self.rates.start - n_visible))
        self.extra += left
        placed += [cell for cell in self.pending if cell not in placed]
        self.pending.clear()
        return placed

    def grow(self, world: World) -> list[int]:
        """Place the food of a turn. Returns the cells of new food."""
        rates = self.rates
        self.extra += Fraction(rates.rate * self.land.n_players, rates.turn)
        now = int(self.extra)
        self.extra -= now - self._place(now)
        grown = [
            cell for cell in self.pending if not world.food_at[cell] and not world.ant_at[cell]
        ]
        for cell in grown:
            self.pending[cell] -= 1
            if not self.pending[cell]:
                del self.pending[cell]
            add_food(world, cell)
        return grown

    def _place(self, amount: int) -> int:
        """Schedule `amount` of food for the time its cells are free. Returns the rest."""
        while amount and self.sets:
            if self.n_placed == len(self.sets):
                self.rng.shuffle(self.sets)
                self.n_placed = 0
            cells = self.sets.pop()
            if len(cells) > amount:
                self.sets.append(cells)
                break
            self.sets.appendleft(cells)
            self.n_placed += 1
            amount -= len(cells)
            for cell in cells:
                self.pending[cell] = self.pending.get(cell, 0) + 1
        return amount

    def _within_sight(self) -> set[int]:
        """Returns the cells reachable on foot from player 0's hills without leaving their view."""
        land, found = self.land, set()
        view = disc(Radii().view, land.rows, land.cols)
        for hill, owner in land.hills:
            if owner == 0:
                row, column = divmod(hill, land.cols)
                inside = {
                    (row + dr) % land.rows * land.cols + (column + dc) % land.cols
                    for dr, dc in view
                }
                todo = [hill]
                reached = {hill}
                while todo:
                    for near in neighbours(todo.pop(), land.rows, land.cols):
                        if near in inside and near not in land.water and near not in reached:
                            reached.add(near)
                            todo.append(near)
                found |= reached
        return found


def neighbours(cell: int, rows: int, cols: int) -> list[int]:
    """Returns the cells one step N, E, S and W."""
    row, column = divmod(cell, cols)
    start = row * cols
    return [
        (row - 1) % rows * cols + column,
        start + (column + 1) % cols,
        (row + 1) % rows * cols + column,
        start + (column - 1) % cols,
    ]
