"""The start of a game, drawn from its seed as by the official referee (RULES.md, section 2)."""

from typing import NamedTuple

from ...core.jit import Ints
from ...core.rng import JavaRandom
from ...games.xmas_rush.sim import reveal_quests
from ...games.xmas_rush.state import (
    DECK,
    HANDS,
    N_KNOWN,
    N_QUESTS,
    N_VISIBLE,
    NAMES,
    PATH_BITS,
    PLAYERS,
    ROWS,
    SIZE,
    TILE_BITS,
    cell_at,
    item_number,
    new_state,
    pack_deck,
)

LEGEND = 6
CENTRE, CORNERS = (3, 3), ((0, 0), (6, 6))
CENTRE_TILES = ("1111", "1010", "0101")
CORNER_TILE = "0110"

# Tiles in the order in which the seed draws them.
WOOD_TILES = ("0110",) * 8 + ("1101",) * 3 + ("0111",) * 6 + ("1010",) * 6 + ("1111",)
SILVER_TILES = ("0110",) * 8 + ("1101",) * 3 + ("0111",) * 4 + ("1010",) * 9
LEGEND_TILES = ("0110",) * 10 + ("1101",) * 3 + ("0111",) * 2 + ("1010",) * 9


class League(NamedTuple):
    """A league's parameters. tiles: the tile set. n_quests: quests of each player, n_visible of
    them shown at a time.

    on_crossings: items lie only on tiles with three or more paths.
    """

    tiles: tuple
    n_quests: int
    n_visible: int
    on_crossings: bool


# Wood 2, Wood 1, Bronze, Silver, Gold, Legend.
LEAGUES = {
    1: League(WOOD_TILES, 1, 1, True),
    2: League(WOOD_TILES, 6, 1, True),
    3: League(WOOD_TILES, 12, 3, False),
    4: League(SILVER_TILES, 12, 3, False),
    5: League(SILVER_TILES, 12, 3, False),
    LEGEND: League(LEGEND_TILES, 12, 3, False),
}


def rotated(paths: str, quarters: int) -> str:
    """Returns paths (UP RIGHT DOWN LEFT) turned clockwise by `quarters`."""
    return paths[-quarters % 4 :] + paths[: -quarters % 4]


def opposite(x: int, y: int) -> tuple[int, int]:
    """Returns the cell mirrored at the centre."""
    return SIZE - 1 - x, SIZE - 1 - y


def new_game(seed: int, league: int = LEGEND) -> tuple[Ints, list[int]]:
    """Returns (state, items): turn 0 with first quests revealed, items in input order.

    seed: any int of 64 bits, as for the official referee. Raises ValueError for an unknown
    league.
    """
    if league not in LEAGUES:
        raise ValueError(f"there is no league {league}: leagues are 1 to {LEGEND}")
    tiles, n_quests, n_visible, on_crossings = LEAGUES[league]
    random = JavaRandom(seed)
    board, hand = _draw_board(random, list(tiles))
    names = list(NAMES)
    # A biased shuffle, like the official one.
    for i in range(len(names) - 1, 0, -1):
        k = random.below(len(names))
        names[k], names[i] = names[i], names[k]
    names = names[:n_quests]
    items = _place_items(random, names, board, on_crossings)

    state = new_state()
    for (x, y), paths in board.items():
        tile = int(paths, 2) | items.get((x, y), 0) << PATH_BITS
        state[ROWS + y] |= tile << TILE_BITS * (SIZE - 1 - x)
    for player, quarters in enumerate((0, 2)):
        state[HANDS + player] = int(rotated(hand, quarters), 2)
        state[PLAYERS + player] = 1 << cell_at(*CORNERS[player])
    state[DECK] = pack_deck(names[::-1])
    state[N_KNOWN] = state[N_QUESTS] = n_quests
    state[N_VISIBLE] = n_visible
    reveal_quests(state)
    return state, random.shuffled(list(items.values()))


def _draw_board(random: JavaRandom, tiles: list[str]) -> tuple[dict[tuple[int, int], str], str]:
    """Draw ({(x, y): paths}, paths of player 0's hand), symmetric except the centre."""
    board = {CENTRE: CENTRE_TILES[random.below(len(CENTRE_TILES))], CORNERS[0]: CORNER_TILE}
    for y in range(SIZE):
        for x in range(SIZE - y):
            if (x, y) not in board:
                paths = tiles.pop(random.below(len(tiles)))
                board[x, y] = rotated(paths, random.below(3))
            board[opposite(x, y)] = rotated(board[x, y], 2)
    return board, tiles[0]


def _place_items(
    random: JavaRandom, names: list[str], board: dict, on_crossings: bool
) -> dict[tuple[int, int], int]:
    """Draw {(x, y): item} in the order of placement."""
    items = {}
    for name in names:
        while True:
            x, y = divmod(random.below(SIZE * SIZE), SIZE)
            taken = (x, y) in items or (x, y) in (CENTRE, *CORNERS)
            if not taken and (not on_crossings or board[x, y].count("1") >= 3):
                break
        items[x, y] = item_number(name, 0)
        items[opposite(x, y)] = item_number(name, 1)
    return items
