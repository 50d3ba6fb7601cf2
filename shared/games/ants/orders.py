"""Order lines of the players, checked as by the contest's engine (RULES.md, section 3)."""

from typing import NamedTuple

from ...games.ants.state import COLS, DIRECTIONS, ROWS, World


class Orders(NamedTuple):
    """A player's orders, {ant: direction}, and its ignored and invalid lines, each with the
    reason.
    """

    moves: dict[int, int]
    ignored: list[str]
    invalid: list[str]


def parse_orders(world: World, player: int, lines: list[str]) -> Orders:
    """Parse the orders in a player's lines before its `go`."""
    orders = Orders({}, [], [])
    rows, cols = int(world.numbers[ROWS]), int(world.numbers[COLS])
    seen: set[tuple[int, int]] = set()
    # All lines are parsed before any order is checked.
    for line, place, direction in _read(lines, orders.invalid):
        row, column = place
        ant = -1
        # The engine looks up the square as Python does, where -1 is the last one, before it refuses
        # the order.
        if -rows <= row < rows and -cols <= column < cols:
            ant = int(world.ant_at[row % rows * cols + column % cols]) - 1
        is_own = ant >= 0 and world.owners[ant] == player
        if place in seen:
            orders.invalid.append(f"{line} # duplicate order")
        elif row >= rows or column >= cols or min(row + rows, column + cols) < 0:
            orders.invalid.append(f"{line} # out of bounds")
        elif not is_own:
            orders.invalid.append(f"{line} # not player ant")
        elif min(place) < 0:
            orders.invalid.append(f"{line} # out of bounds")
        else:
            to = world.steps[4 * world.cells[ant] + direction]
            if world.water[to] or world.food_at[to]:
                orders.ignored.append(f"{line} # move blocked")
            else:
                seen.add(place)
                orders.moves[ant] = direction
    return orders


def _read(lines: list[str], invalid: list[str]) -> list[tuple[str, tuple[int, int], int]]:
    """Returns (line, place, direction) of each well-formed order; other lines go to `invalid`."""
    read = []
    for line in lines:
        line = line.strip().lower()
        if not line or line.startswith("#"):
            continue
        words = line.split()
        if words[0] != "o":
            invalid.append(f"{line} # unknown action")
        elif len(words) != 4:
            invalid.append(f"{line} # incorrectly formatted order")
        elif (place := _place(words)) is None:
            invalid.append(f"{line} # invalid row or col")
        elif words[3] not in tuple(DIRECTIONS):
            invalid.append(f"{line} # invalid direction")
        else:
            read.append((line, place, DIRECTIONS.index(words[3])))
    return read


def _place(words: list[str]) -> tuple[int, int] | None:
    try:
        return int(words[1]), int(words[2])
    except ValueError:
        return None
