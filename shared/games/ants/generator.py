"""Maps generated from a seed: a block of cells for each player, repeated or mirrored over the
torus, filled with open land, caves or a maze. All hills are connected.
"""

from random import Random

from ...games.ants.food import neighbours
from ...games.ants.maps import Map

KINDS = ("open", "caves", "maze")
# Bounds of the number of cells: of a block, and of a map.
BLOCK_CELLS, MAP_CELLS = (1000, 2600), 25000
LEAST_BLOCK_SIDE, MOST_MAP_SIDE = 16, 200
WATER_SHARE = 0.42  # share of water before caves are smoothed
MAZE_CELL = 5  # the width of a corridor and its wall
OPEN_LAKES = 0.03  # lakes for each cell of open land
CLEAR_AROUND_HILL = 2


def kind_of(seed: int) -> str:
    """Returns the kind of map that a seed draws."""
    return Random(seed).choice(KINDS)


def new_map(seed: int, n_players: int, kind: str = "", n_hills: int = 0) -> Map:
    """Generate the map of a seed. The seed draws the kind and hills per player if not given."""
    rng = Random(seed)
    kind = kind or rng.choice(KINDS)
    n_hills = n_hills or rng.choice((1, 1, 1, 2))
    blocks = Blocks.drawn(n_players, n_hills, rng)
    water = {"open": open_land, "caves": caves, "maze": maze}[kind](blocks, rng)
    hills = blocks.hills(n_hills, rng)
    for hill in hills[0]:
        for dr in range(-CLEAR_AROUND_HILL, CLEAR_AROUND_HILL + 1):
            for dc in range(-CLEAR_AROUND_HILL, CLEAR_AROUND_HILL + 1):
                water.difference_update(blocks.orbit(blocks.moved(hill, dr, dc)))
    connect(blocks, water)
    owned = [(cell, owner) for owner, cells in enumerate(hills) for cell in cells]
    return Map(blocks.rows, blocks.cols, n_players, water, [], owned)


class Blocks:
    """A torus of down x across blocks of height x width cells, one for each player. Alternate
    blocks may be mirrored.
    """

    def __init__(
        self, down: int, across: int, height: int, width: int, flips_rows: bool, flips_cols: bool
    ):
        self.down, self.across, self.height, self.width = down, across, height, width
        self.flips_rows, self.flips_cols = flips_rows, flips_cols
        self.rows, self.cols = down * height, across * width

    @classmethod
    def drawn(cls, n_players: int, n_hills: int, rng: Random) -> "Blocks":
        """Draw a layout of blocks for this number of players."""
        ways = [down for down in range(1, n_players + 1) if n_players % down == 0]
        down = rng.choice(ways)
        across = n_players // down
        least, most = BLOCK_CELLS
        most = min(most * (1 + n_hills) // 2, MAP_CELLS // n_players)
        area = rng.randint(least, most)
        shape = rng.uniform(0.7, 1.4)
        sides = []
        for side, number in ((shape, down), (1 / shape, across)):
            longest = MOST_MAP_SIDE // number
            sides.append(min(max(int(area**0.5 * side), LEAST_BLOCK_SIDE), longest))
        # A multiple of MAZE_CELL, so that the corridors of a maze meet.
        height, width = (max(MAZE_CELL, side // MAZE_CELL * MAZE_CELL) for side in sides)
        flips = [number % 2 == 0 and rng.random() < 0.5 for number in (down, across)]
        return cls(down, across, height, width, *flips)

    def orbit(self, cell: int) -> list[int]:
        """Returns the images of a cell, one for each player, in the players' order."""
        row, column = divmod(cell, self.cols)
        y, x = row % self.height, column % self.width
        if self.flips_rows and row // self.height % 2:
            y = self.height - 1 - y
        if self.flips_cols and column // self.width % 2:
            x = self.width - 1 - x
        cells = []
        for i in range(self.down):
            for j in range(self.across):
                yy = self.height - 1 - y if self.flips_rows and i % 2 else y
                xx = self.width - 1 - x if self.flips_cols and j % 2 else x
                cells.append((i * self.height + yy) * self.cols + j * self.width + xx)
        return cells

    def moved(self, cell: int, dr: int, dc: int) -> int:
        """Returns the cell at an offset of rows and columns."""
        row, column = divmod(cell, self.cols)
        return (row + dr) % self.rows * self.cols + (column + dc) % self.cols

    def block(self) -> list[int]:
        """Returns the cells of the first block."""
        return [
            row * self.cols + column for row in range(self.height) for column in range(self.width)
        ]

    def distance(self, one: int, other: int) -> int:
        dr = abs(one // self.cols - other // self.cols)
        dc = abs(one % self.cols - other % self.cols)
        return min(dr, self.rows - dr) + min(dc, self.cols - dc)

    def hills(self, n_hills: int, rng: Random) -> list[list[int]]:
        """Returns each player's hills, far from the others' hills and from each other."""
        orbits: list[list[int]] = []
        for _ in range(n_hills):
            tries = [self.orbit(cell) for cell in rng.sample(self.block(), 40)]
            orbits.append(max(tries, key=lambda cells: self._clearance(cells, orbits)))
        return [list(cells) for cells in zip(*orbits)]

    def _clearance(self, cells: list[int], orbits: list[list[int]]) -> int:
        others = cells[1:] + [cell for orbit in orbits for cell in orbit]
        return min((self.distance(cells[0], other) for other in others), default=0)


def open_land(blocks: Blocks, rng: Random) -> set[int]:
    """Returns the water of open land: small lakes."""
    water: set[int] = set()
    for cell in blocks.block():
        if rng.random() < OPEN_LAKES:
            for _ in range(rng.randint(1, 4)):
                water.update(blocks.orbit(cell))
                cell = rng.choice(neighbours(cell, blocks.rows, blocks.cols))
    return water


def caves(blocks: Blocks, rng: Random) -> set[int]:
    """Returns the water of caves: random, then smoothed by the majority of each neighbourhood."""
    water: set[int] = set()
    for cell in blocks.block():
        if rng.random() < WATER_SHARE:
            water.update(blocks.orbit(cell))
    for _ in range(4):
        smooth = set()
        for cell in blocks.block():
            n_water = sum(
                blocks.moved(cell, dr, dc) in water for dr in (-1, 0, 1) for dc in (-1, 0, 1)
            )
            if n_water >= 5:
                smooth.update(blocks.orbit(cell))
        water = smooth
    return water


def maze(blocks: Blocks, rng: Random) -> set[int]:
    """Returns the water of a maze: walls are opened at random until all corridors are connected,
    then a few more.
    """
    rows, cols = blocks.rows, blocks.cols
    is_wall = [
        cell // cols % MAZE_CELL == 0 or cell % cols % MAZE_CELL == 0 for cell in range(rows * cols)
    ]
    # A mirrored block begins with its last line, which is not a wall.
    water = {one for cell in blocks.block() if is_wall[cell] for one in blocks.orbit(cell)}
    rooms = Components(range(rows * cols))
    walls = []
    for row in range(0, blocks.height, MAZE_CELL):
        for column in range(0, blocks.width, MAZE_CELL):
            walls.append([(row, column + i) for i in range(1, MAZE_CELL)])
            walls.append([(row + i, column) for i in range(1, MAZE_CELL)])
    for cell in range(rows * cols):
        if cell not in water:
            for near in neighbours(cell, rows, cols):
                if near not in water:
                    rooms.join(cell, near)
    rng.shuffle(walls)
    for wall in walls:
        opened = [one for row, column in wall for one in blocks.orbit(row * cols + column)]
        sides = {
            rooms.root(near)
            for cell in opened
            for near in neighbours(cell, rows, cols)
            if near not in water
        }
        if len(sides) > 1 or rng.random() < 0.2:
            water.difference_update(opened)
            for cell in opened:
                for near in neighbours(cell, rows, cols):
                    if near not in water:
                        rooms.join(cell, near)
    return water


def connect(blocks: Blocks, water: set[int]) -> None:
    """Dig through water, for all players alike, until all land is connected."""
    rows, cols = blocks.rows, blocks.cols
    while True:
        start = next(cell for cell in range(rows * cols) if cell not in water)
        reached = flood(start, water, rows, cols)
        if len(reached) + len(water) == rows * cols:
            return
        # The shortest way through water from the reached land to the rest.
        came: dict[int, int] = {cell: cell for cell in reached}
        queue = sorted(reached)
        for cell in queue:
            if cell not in reached and cell not in water:
                while cell not in reached:
                    water.difference_update(blocks.orbit(cell))
                    cell = came[cell]
                break
            for near in neighbours(cell, rows, cols):
                if near not in came:
                    came[near] = cell
                    queue.append(near)


def flood(start: int, water: set[int], rows: int, cols: int) -> set[int]:
    """Returns the land that can be reached from a cell."""
    reached, todo = {start}, [start]
    while todo:
        for near in neighbours(todo.pop(), rows, cols):
            if near not in water and near not in reached:
                reached.add(near)
                todo.append(near)
    return reached


class Components:
    """Connected sets of cells (union-find)."""

    def __init__(self, cells: range):
        self.parents = list(cells)

    def root(self, cell: int) -> int:
        while self.parents[cell] != cell:
            self.parents[cell] = self.parents[self.parents[cell]]
            cell = self.parents[cell]
        return cell

    def join(self, one: int, other: int) -> None:
        self.parents[self.root(one)] = self.root(other)
