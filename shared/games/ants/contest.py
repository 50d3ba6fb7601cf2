"""Ants as a `Contest` of `shared/core/contest.py`."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Callable

from ...core.contest import Case, Contest, Outcome
from ...games.ants.ending import Cutoff, why_over
from ...games.ants.food import Food, FoodRates
from ...games.ants.generator import KINDS, kind_of, new_map
from ...games.ants.maps import MOST_PLAYERS, Map, folder_of_maps, map_file_of, read_map
from ...games.ants.orders import Orders, parse_orders
from ...games.ants.protocol import DONE, LIMITS, Start, format_order, is_number, start_lines
from ...games.ants.render import render
from ...games.ants.sim import apply, look
from ...games.ants.snapshots import setup_of, snapshot_of
from ...games.ants.state import (
    HILL_POINTS,
    HOLD,
    N_HILLS,
    RAZE_POINTS,
    TURN,
    Radii,
    World,
    add_ant,
    add_food,
    ants,
    new_world,
)
from ...games.ants.truth import make_verify
from ...games.ants.views import Views

TURNS = 1000


class Match:
    """One game, always at the start of a turn. Turn 0 gives the players time to load.

    start: the parameters sent to every player. food: the cells with food at the start.
    """

    def __init__(self, land: Map, start: Start, food: list[int], rng: Random):
        self.n_players = land.n_players
        self.land, self.start, self.rng = land, start, rng
        self.world: World = new_world(
            land.rows, land.cols, land.n_players, land.water, land.hills, start.radii
        )
        for cell, owner in land.ants:
            add_ant(self.world, cell, owner)
        for player in range(self.n_players):
            self.world.scores[player] = sum(owner == 0 for _, owner in land.hills)
        for cell in food:
            add_food(self.world, cell)
        self.cutoff = Cutoff()
        self.loaded = False
        self.faults: dict[int, str] = {}
        # The last turn each player took part in, and the sole survivor's bonus.
        self.turns_of = [0] * self.n_players
        self.bonus = [0] * self.n_players
        self.reason: str | None = None
        self.views = Views(self.world)
        self._look()
        self.directions: list[int] = []
        self.ants_before: list[tuple[int, int]] = []

    def _look(self) -> None:
        look(self.world)
        self.views.update()

    @property
    def turn(self) -> int:
        """The number of the turn to be played next."""
        return int(self.world.numbers[TURN]) + int(self.loaded)

    def grow(self) -> None:
        """Place this turn's food."""

    def draw_luck(self) -> None:
        """Draw which of several hills hatches an ant first."""
        for hill in range(self.world.numbers[N_HILLS]):
            self.world.hill_luck[hill] = self.rng.getrandbits(30)

    def setup(self) -> dict:
        return setup_of(self.land, self.start)

    def snapshot(self) -> dict:
        return snapshot_of(self.world, self.ants_before, self.directions)

    def players_to_move(self) -> list[int]:
        return self.alive()

    def alive(self) -> list[int]:
        """Returns the players who have ants and have committed no fault."""
        return [
            player
            for player in range(self.n_players)
            if self.world.n_ants_of[player] and player not in self.faults
        ]

    def initial_input(self, player: int) -> list[str]:
        return start_lines(self.start)

    def turn_input(self, player: int) -> list[str]:
        if not self.loaded:
            return []
        return [f"turn {self.turn}", *self.views.lines(player), DONE]

    def lines_expected(self, player: int) -> str:
        return DONE

    def final_input(self, player: int) -> list[str]:
        """Returns the lines sent to a player when its game is over."""
        statuses = [self._status(other) for other in range(self.n_players)]
        return self.views.end_lines(player, self.scores(), statuses, self.turns_of)

    def _status(self, player: int) -> str:
        if player in self.faults:
            return "crashed"
        return "survived" if self.world.n_ants_of[player] else "eliminated"

    def parse(self, player: int, lines: list[str]) -> Orders:
        return parse_orders(self.world, player, lines[:-1])

    def read_expected(self, player: int, text: str) -> dict[int, Orders]:
        """Parse orders to all players' ants, without `o`. Each player takes the orders to its own
        ants.
        """
        lines = [*(f"o {order}" for order in text.split(";")), DONE]
        return {mover: self.parse(mover, lines) for mover in self.players_to_move()}

    def random_lines(self, player: int, rng: Random) -> list[str]:
        if not self.loaded:
            return [DONE]
        cols = self.land.cols
        lines = [
            format_order(cell, rng.randrange(4), cols)
            for cell, owner in ants(self.world)
            if owner == player
        ]
        return [*lines, DONE]

    def eliminate(self, player: int, reason: str) -> None:
        """Remove the player: its ants stay in place, and each of its hills costs it a point."""
        self.faults[player] = reason
        for hill, owner in enumerate(self.world.hill_owners):
            if owner == player and self.world.hill_razers[hill] < 0:
                self._pay(hill)

    def _pay(self, hill: int) -> int:
        """Take a hill's point from its owner, at most once. Returns the change of the score."""
        if self.world.hill_paid[hill]:
            return 0
        self.world.hill_paid[hill] = 1
        self.world.scores[self.world.hill_owners[hill]] += RAZE_POINTS
        return RAZE_POINTS

    def play(self, actions: dict[int, Orders]) -> None:
        world = self.world
        if not self.loaded:
            self.loaded = True
            self._end_turn()
            return
        self.ants_before = ants(world)
        self.directions = [HOLD] * len(self.ants_before)
        for player in actions:
            self.turns_of[player] = self.turn
            for ant, direction in actions[player].moves.items():
                world.orders[ant] = self.directions[ant] = direction
        self.draw_luck()
        apply(world)
        self.grow()
        self._look()
        self.cutoff.count(world, int(world.numbers[TURN]))
        self._end_turn()

    def _end_turn(self) -> None:
        """Determine whether the game is over, and why."""
        alive = self.alive()
        is_last = self.world.numbers[TURN] >= self.start.turns
        self.reason = why_over(self.world, self.cutoff, alive, is_last)
        if len(alive) == 1:
            self._reward(alive[0])
        if len(alive) < 2 and self.faults:
            self.reason = "; ".join(self.faults.values())

    def _reward(self, survivor: int) -> None:
        """Award the enemy hills that are left to the only surviving player."""
        for hill, owner in enumerate(self.world.hill_owners):
            if owner != survivor and self.world.hill_razers[hill] < 0:
                self.bonus[survivor] += HILL_POINTS
                if not self.world.hill_paid[hill]:
                    self.world.hill_paid[hill] = 1
                    self.bonus[owner] += RAZE_POINTS

    def scores(self) -> list[int]:
        """Returns the players' scores, end-of-game bonuses included."""
        return [int(score) + bonus for score, bonus in zip(self.world.scores, self.bonus)]

    def outcome(self) -> Outcome | None:
        if self.reason is None:
            return None
        scores = self.scores()
        ranks = tuple(sum(other > score for other in scores) for score in scores)
        return Outcome(ranks, tuple(map(float, scores)), self.reason)


class SeededMatch(Match):
    """A game on a map from a seed or from a file, with food that grows.

    kind, hills: properties of a generated map, as for `generator.new_map`. map: a map to play on
    instead. maps: a folder of maps; the seed chooses a map for this number of players. Raises
    ValueError.
    """

    def __init__(
        self,
        seed: int,
        n_players: int = 2,
        map: Map | None = None,
        maps: Path | None = None,
        kind: str = "",
        hills: int = 0,
        turns: int = TURNS,
    ):
        if map and maps:
            raise ValueError("give a map or a folder of maps, not both")
        if maps:
            map = read_map(map_file_of(maps, seed, n_players))
        land = replace(map) if map else new_map(seed, n_players, kind, hills)
        if land.n_players != n_players:
            raise ValueError(f"the map is for {land.n_players} players, not {n_players}")
        rng = Random(seed)
        self.food = Food(land, FoodRates.drawn(rng), rng)
        # As in the contest, ants and food in a map file are ignored.
        land.ants = list(land.hills)
        start = Start(turns, land.rows, land.cols, Radii(), seed=seed)
        super().__init__(land, start, self.food.start(), rng)

    def grow(self) -> None:
        self.food.grow(self.world)


def map_of(
    seed: int,
    n_players: int,
    map: Map | None = None,
    maps: Path | None = None,
    kind: str = "",
    **_: object,
) -> Case:
    """Returns a seed's case: the map's file name or the seed, and the map's size or kind."""
    if map:
        return Case("chosen", f"{map.rows} x {map.cols}")
    if maps:
        file = map_file_of(maps, seed, n_players)
        land = read_map(file)
        return Case(file.stem, f"{land.rows} x {land.cols}")
    return Case(f"generated {seed}", kind or kind_of(seed))


def one_of(words: tuple[str, ...]) -> Callable[[str], str]:
    """Returns a parser that accepts only these words and raises ValueError for others."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"{' or '.join(words)} is expected, got {text!r}")
        return text

    return read


def number(least: int, most: int) -> Callable[[str], int]:
    """Returns a parser of whole numbers within bounds. The parser raises ValueError otherwise."""

    def read(text: str) -> int:
        if not is_number(text, least, most):
            raise ValueError(f"{least} to {most} is expected, got {text!r}")
        return int(text)

    return read


CONTEST = Contest(
    name="ants",
    title="Ants",
    players=(2, MOST_PLAYERS),
    limits=LIMITS,
    new_match=SeededMatch,
    verify=make_verify(Match),
    render=render,
    colours=tuple(range(MOST_PLAYERS)),
    options={
        "map": lambda text: read_map(Path(text)),
        "maps": folder_of_maps,
        "kind": one_of(KINDS),
        "hills": number(1, 3),
        "turns": number(1, 1500),
    },
    final_input=Match.final_input,
    read_expected=Match.read_expected,
    map_of=map_of,
)
