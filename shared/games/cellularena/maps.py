"""The start of a game, drawn from its seed as by the official referee (RULES.md, section 2)."""

import hashlib

from ...core.jit import Ints
from ...core.rng import JavaRandom
from ...games.cellularena.state import (
    EMPTY,
    N_PLAYERS,
    N_PROTEINS,
    WALL,
    A,
    start_state,
)

HEIGHTS = (8, 13)
STARTING_STOCK = (3, 11)
MAX_PROTEIN_SHARE, MAX_WALL_SHARE = 0.25, 0.5
LEAST_SOURCES = 8
SPAWN_RANGE = 4
DIGEST_SIZE = 20
NEIGHBOURS = ((0, -1), (1, 0), (0, 1), (-1, 0))

Place = tuple[int, int]


class JavaSecureRandom(JavaRandom):
    """java.security.SecureRandom, algorithm SHA1PRNG. seed: 64 bits."""

    def __init__(self, seed: int) -> None:
        self.digest = hashlib.sha1((seed & (1 << 64) - 1).to_bytes(8, "little")).digest()
        self.rest = b""

    def _next_bytes(self, n: int) -> bytes:
        while len(self.rest) < n:
            output = hashlib.sha1(self.digest).digest()
            self._step_state(output)
            self.rest += output
        taken, self.rest = self.rest[:n], self.rest[n:]
        return taken

    def _step_state(self, output: bytes) -> None:
        """Add the output and 1 to the state, byte by byte with a signed carry."""
        carry, state = 1, bytearray(self.digest)
        for i in range(DIGEST_SIZE):
            total = (state[i] ^ 128) - 128 + (output[i] ^ 128) - 128 + carry
            state[i], carry = total & 255, total >> 8
        if bytes(state) == self.digest:
            state[0] = (state[0] + 1) & 255
        self.digest = bytes(state)

    def bits(self, n: int) -> int:
        """Returns n random bits."""
        n_bytes = (n + 7) // 8
        return int.from_bytes(self._next_bytes(n_bytes), "big") >> 8 * n_bytes - n

    def between(self, low: int, high: int) -> int:
        """Returns nextInt(low, high), in low..high-1."""
        n, number = high - low, self.bits(32)
        if n & (n - 1) == 0:
            return low + (number & n - 1)
        bits = number >> 1
        while bits - bits % n + n - 1 >= 1 << 31:
            bits = self.bits(32) >> 1
        return low + bits % n

    def fraction(self, high: float) -> float:
        """Returns nextDouble(high), in 0..high."""
        return ((self.bits(26) << 27) + self.bits(27)) / (1 << 53) * high

    def is_true(self) -> bool:
        """Draw a bool."""
        return self.bits(1) == 1


class Board:
    """An unfinished board: kinds {(x, y): kind}, row by row."""

    def __init__(self, width: int, height: int, is_turned: bool) -> None:
        self.width, self.height, self.is_turned = width, height, is_turned
        self.kinds = {(x, y): EMPTY for y in range(height) for x in range(width)}

    def opposite(self, place: Place) -> Place:
        """Returns the symmetric cell, after a turn of 180 degrees or a reflection."""
        x, y = place
        return self.width - x - 1, self.height - y - 1 if self.is_turned else y

    def put(self, place: Place, kind: int) -> None:
        """Write the kind of a cell and of its opposite."""
        self.kinds[place] = self.kinds[self.opposite(place)] = kind

    def neighbours(self, place: Place) -> list[Place]:
        """Returns the cells beside a cell."""
        x, y = place
        return [(x + dx, y + dy) for dx, dy in NEIGHBOURS if (x + dx, y + dy) in self.kinds]


def new_game(seed: int, first_id: int = 1) -> Ints:
    """Returns the state at the start of a game. first_id: the id of player 0's root."""
    random = JavaSecureRandom(seed)
    height = random.between(*HEIGHTS)
    is_turned = random.is_true() or random.is_true()
    board = Board(2 * height, height, is_turned)
    n_sources = int(random.fraction(MAX_PROTEIN_SHARE) * height * board.width)
    n_walls = int(random.fraction(MAX_WALL_SHARE) * height * board.width)
    places = list(board.kinds)

    walls: set[Place] = set()
    while len(walls) < n_walls and places:
        place = places.pop(random.below(len(places)))
        walls |= {place, board.opposite(place)}
        board.put(place, WALL)
    sources: set[Place] = set()
    n_drawn = 0
    while (len(sources) < n_sources and places) or n_drawn < LEAST_SOURCES:
        place = places.pop(random.below(len(places)))
        sources |= {place, board.opposite(place)}
        board.put(place, A + n_drawn % N_PROTEINS)
        n_drawn += 1

    spawn = random.between(0, SPAWN_RANGE), random.between(0, SPAWN_RANGE)
    board.put(spawn, EMPTY)
    join_islands(board, random)
    stocks = [random.between(*STARTING_STOCK) for _ in range(N_PROTEINS)]
    return start_state(
        *(board.width, board.height, board.kinds, stocks),
        *((spawn, board.opposite(spawn))[:N_PLAYERS], first_id),
    )


def join_islands(board: Board, random: JavaSecureRandom) -> None:
    """Remove walls until all free cells are connected."""
    walls = random.shuffled([place for place, kind in board.kinds.items() if kind == WALL])
    islands = find_islands(board)
    while len(islands) > 1:
        wall, joined = find_bridge(board, walls, islands)
        if wall is not None:
            islands = [island for island in islands if island not in joined]
            islands.append(set().union(*joined))
        else:
            wall = next(
                one
                for one in walls
                if any(board.kinds[other] != WALL for other in board.neighbours(one))
            )
        board.put(wall, EMPTY)
        walls = [one for one in walls if one not in (wall, board.opposite(wall))]
        if not joined:
            islands = find_islands(board)


def find_islands(board: Board) -> list[set[Place]]:
    """Returns the connected sets of cells without a wall."""
    islands: list[set[Place]] = []
    for start, kind in board.kinds.items():
        if kind == WALL or any(start in island for island in islands):
            continue
        island, waiting = {start}, [start]
        while waiting:
            for place in board.neighbours(waiting.pop()):
                if board.kinds[place] != WALL and place not in island:
                    island.add(place)
                    waiting.append(place)
        islands.append(island)
    return islands


def find_bridge(
    board: Board, walls: list[Place], islands: list[set[Place]]
) -> tuple[Place | None, list[set[Place]]]:
    """Returns (wall, islands) of the first wall between islands, else (None, [])."""
    for wall in walls:
        around = board.neighbours(wall)
        joined = [island for island in islands if any(place in island for place in around)]
        if len(joined) > 1:
            return wall, joined
    return None, []
