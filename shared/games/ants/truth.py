"""Compares the simulator with recordings of the contest's engine: battles, turns, games.

A truth file is JSON, plain or gzipped: {"battles": placements of ants, with each ant's number of
enemies and the deaths; "one_turn": maps with the orders of a turn and its outcome; "games": whole
games, every turn with its texts, or their MD5, and its state}. RULES.md, section 9, names the
fields.
"""

import hashlib
from random import Random
from typing import Any, Iterator

from ...core.checks.truth import MALFORMED, TruthError, load_json
from ...core.contest import VerifyReport
from ...games.ants.maps import Map, MapError, parse_map
from ...games.ants.orders import parse_orders
from ...games.ants.protocol import DONE, Start, start_lines
from ...games.ants.state import (
    N_FOOD,
    N_HILLS,
    N_SPAWNED,
    RADII,
    Radii,
    add_food,
    ants,
    dead_ants,
    listed,
)

WHAT = "truth file of Ants"
KINDS = ("battles", "one_turn", "games")
# Up to the longest side of a map
MOST_RADIUS2 = 200 * 200


def load(path) -> dict[str, list]:
    """Read the contents of a truth file. Raises TruthError."""
    recorded = load_json(path, WHAT)
    if not isinstance(recorded, dict) or not all(
        isinstance(recorded.get(kind), list) for kind in KINDS
    ):
        raise TruthError(f"{path}: no {WHAT} (it needs lists {', '.join(KINDS)})")
    if not any(recorded[kind] for kind in KINDS):
        raise TruthError(f"{path}: no {WHAT} (it has no games)")
    return recorded


def differing(actual: dict, expected: dict) -> Iterator[str]:
    """Yields a text for each field that differs. Raises KeyError for a field that is not
    recorded.
    """
    for field, value in actual.items():
        if value != expected[field]:
            yield f"{field} is {shown(value)}, expected {shown(expected[field])}"


def shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "..."


def triples(pairs: list, cols: int) -> list:
    """Returns (cell, owner) pairs in the file's form: row, column, owner."""
    return sorted([cell // cols, cell % cols, owner] for cell, owner in pairs)


def radii_of(view: int = RADII.view, attack: int = RADII.attack, spawn: int = RADII.spawn) -> Radii:
    """Returns the radii of a file. Raises ValueError for radii that are not whole or exceed every
    map.
    """
    radii = Radii(view, attack, spawn)
    for radius2 in radii:
        if not isinstance(radius2, int) or not 0 <= radius2 <= MOST_RADIUS2:
            raise ValueError(f"a squared radius is 0 to {MOST_RADIUS2}, not {radius2!r:.40}")
    return radii


def battle_differences(new_game, recorded: dict) -> Iterator[str]:
    """Replay a battle and yield its differences."""
    rows, cols = recorded["rows"], recorded["cols"]
    placed = [(row * cols + column, owner) for row, column, owner in recorded["ants"]]
    land = Map(rows, cols, recorded["players"], ants=placed)
    radii = radii_of(attack=recorded["attackradius2"])
    game = new_game(land, Start(1, rows, cols, radii), [], Random(1))
    game.loaded = True
    game.play({})
    n_enemies = listed(game.world.enemies, len(placed))
    dead = triples(dead_ants(game.world), cols)
    yield from differing({"n_enemies": n_enemies, "dead": dead}, recorded)


def turn_differences(new_game, recorded: dict) -> Iterator[str]:
    """Replay a single turn from a map with ants and food, and yield its differences."""
    rows, cols, n_players = recorded["rows"], recorded["cols"], recorded["players"]
    squares = "".join(f"m {row}\n" for row in recorded["map"])
    land = parse_map(f"rows {rows}\ncols {cols}\nplayers {n_players}\n{squares}")
    radii = radii_of(attack=recorded["attackradius2"])
    game = new_game(land, Start(1, rows, cols, radii), land.food, Random(1))
    game.loaded = True
    before = food_of(game)
    actions = {}
    for player, lines in enumerate(recorded["sent"]):
        actions[player] = orders = parse_orders(game.world, player, lines)
        said = {"ignored": orders.ignored, "invalid": orders.invalid}
        yield from differing(said, {name: recorded[name][player] for name in said})
    n_before = len(ants(game.world))
    game.play(actions)
    fallen, cells = dead_ants(game.world), [cell for cell, _ in dead_ants(game.world)]
    collided = [one for one in fallen if cells.count(one[0]) > 1]
    killed = [one for one in fallen if cells.count(one[0]) == 1]
    alive = ants(game.world)
    found = {
        "food_before": before,
        "collided": triples(collided, cols),
        "after_move": triples(alive + killed, cols),
        "killed_in_battle": triples(killed, cols),
        "alive": triples(alive, cols),
        "food_after": food_of(game),
        "hive_food": listed(game.world.hives, n_players),
    }
    yield from differing(found, recorded)
    if len(fallen) + len(alive) != n_before:
        yield f"{n_before} ants became {len(alive)} and {len(fallen)} dead"


def food_of(game) -> list:
    world, cols = game.world, game.land.cols
    cells = sorted(listed(world.food, int(world.numbers[N_FOOD])))
    return [[cell // cols, cell % cols] for cell in cells]


class Recorded:
    """A recorded game, replayed with its recorded orders, food and random draws."""

    def __init__(self, new_game, recorded: dict):
        land = parse_map(recorded["map_text"])
        land.ants = list(land.hills)
        options, cols = recorded["options"], land.cols
        radii = radii_of(
            *(options[name] for name in ("viewradius2", "attackradius2", "spawnradius2"))
        )
        times = options["loadtime"], options["turntime"]
        start = Start(recorded["turns"], land.rows, cols, radii, *times)
        food = [row * cols + column for row, column in recorded["initial_food"]]
        self.game = game = new_game(land, start, food, Random(1))
        game.grow, game.draw_luck = self.grow, self.draw_luck
        self.recorded, self.cols = recorded, cols

    def grow(self) -> None:
        for row, column in self.step["food_added"]:
            add_food(self.game.world, row * self.cols + column)

    def draw_luck(self) -> None:
        world = self.game.world
        spawned = {row * self.cols + column for row, column, _ in self.step["spawned"]}
        for hill in range(world.numbers[N_HILLS]):
            world.hill_luck[hill] = world.hill_cells[hill] not in spawned

    def differences(self) -> Iterator[tuple[int, str]]:
        """Yields (turn, difference) for everything that differs."""
        game, recorded = self.game, self.recorded
        scores = game.scores()
        if scores != recorded["initial_score"]:
            yield 0, f"scores are {scores}, expected {recorded['initial_score']}"
        text = "".join(f"{line}\n" for line in start_lines(game.start))
        for player, expected in enumerate(recorded["player_start"]):
            if text != expected:
                yield 0, f"player {player} should first read {expected!r}, got {text!r}"
        game.play({})
        for self.step in recorded["steps"]:
            if game.outcome() is not None:
                yield self.step["turn"], f"the game is over: {game.outcome().reason}"
                return
            for found in self._turn(self.step):
                yield self.step["turn"], found
        yield from self._end(len(recorded["steps"]))

    def _turn(self, step: dict) -> Iterator[str]:
        game, cols = self.game, self.cols
        if game.turn != step["turn"]:
            yield f"it is turn {game.turn}, expected {step['turn']}"
        actions = {}
        for player, lines in enumerate(step["sent"]):
            if player in game.alive():
                text = "".join(f"{line}\n" for line in game.turn_input(player))
                expected = step["views"][player]
                if not step["views_full"]:
                    text = hashlib.md5(text.encode()).hexdigest()
                if text != expected:
                    yield f"player {player} should read {shown(expected)}, got {shown(text)}"
            actions[player] = orders = game.parse(player, [*lines, DONE])
            said = {"ignored": orders.ignored, "invalid": orders.invalid}
            yield from differing(said, {name: step[name][player] for name in said})
        game.play(actions)
        world = game.world
        n_players, n_spawned = game.n_players, int(world.numbers[N_SPAWNED])
        hills = [
            [cell // cols, cell % cols, *rest]
            for cell, *rest in zip(
                *(
                    map(int, numbers)
                    for numbers in (
                        world.hill_cells,
                        world.hill_owners,
                        world.hill_razers,
                        world.hill_touched,
                    )
                )
            )
        ]
        now = ants(world)
        found = {
            "ants": triples(now, cols),
            "killed": triples(dead_ants(world), cols),
            "food": food_of(game),
            "hive_food": listed(world.hives, n_players),
            "score": listed(world.scores, n_players),
            "hills": sorted(hills),
            "vision": listed(world.n_seen, n_players),
            "cutoff_bot": game.cutoff.holder,
            "cutoff_turns": game.cutoff.turns,
            "alive": [player in game.alive() for player in range(n_players)],
        }
        yield from differing(found, step)
        spawned = triples(now[len(now) - n_spawned :], cols)
        if spawned != sorted(step["spawned"]):
            yield f"spawned is {spawned}, expected {sorted(step['spawned'])}"
        is_stable = game.reason == "rank stabilized"
        if is_stable and not step["rank_stabilized"]:
            yield "the ranks should not be stable yet"

    def _end(self, last: int) -> Iterator[tuple[int, str]]:
        game, final = self.game, self.recorded["final"]
        outcome = game.outcome()
        if outcome is None:
            yield last, "the game is not over"
            return
        found = {"score": game.scores(), "bonus": game.bonus, "cutoff": outcome.reason}
        for text in differing(found, final):
            yield last, text


def make_verify(new_game):
    """Returns verify(path) -> VerifyReport for games of `new_game(land, start, food, rng)`.

    verify raises TruthError.
    """

    def verify(path) -> VerifyReport:
        recorded = load(path)
        turns, mismatches, first = 0, 0, None

        def count(name: str, texts: Iterator) -> None:
            nonlocal mismatches, first
            try:
                found = list(texts)
            except (*MALFORMED, MapError) as error:
                raise TruthError(f"{path}: {name} is damaged: {error!r}") from error
            if found:
                mismatches += len({one[0] for one in found if isinstance(one, tuple)}) or 1
                one = found[0]
                text = f"turn {one[0]}: {one[1]}" if isinstance(one, tuple) else one
                first = first or f"{name}: {text}"

        for number, one in enumerate(recorded["battles"]):
            count(f"battle {number}", battle_differences(new_game, one))
        for number, one in enumerate(recorded["one_turn"]):
            count(f"single turn {number}", turn_differences(new_game, one))
        for number, one in enumerate(recorded["games"]):
            count(f"game {number}", game_differences(new_game, one))
            turns += len(one["steps"])
        n_single = len(recorded["battles"]) + len(recorded["one_turn"])
        return VerifyReport(n_single + len(recorded["games"]), n_single + turns, mismatches, first)

    return verify


def game_differences(new_game, recorded: dict) -> Iterator[tuple[int, str]]:
    yield from Recorded(new_game, recorded).differences()
