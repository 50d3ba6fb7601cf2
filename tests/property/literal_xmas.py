"""X-mas Rush implemented a second time, literally by the rules: tiles are lists [paths, item],
items (name, owner) or None.

Slow and plain on purpose; `test_xmas.py` compares the simulator and the searches of walks with it.
"""

from collections import deque

SIZE = 7
STEPS = {"UP": (0, -1, 0), "RIGHT": (1, 0, 1), "DOWN": (0, 1, 2), "LEFT": (-1, 0, 3)}
MAX_STEPS = 20


class Board:
    """grid[y][x] and hands[player] are tiles; places[player] is [x, y]; wanted[player] the names of
    the visible quests.
    """

    def __init__(self, grid, hands, places, wanted):
        self.grid, self.hands, self.places, self.wanted = grid, hands, places, wanted
        self.done = [0, 0]

    def collect(self):
        for player, (x, y) in enumerate(self.places):
            tile = self.grid[y][x]
            if tile[1] and tile[1][1] == player and tile[1][0] in self.wanted[player]:
                self.wanted[player].remove(tile[1][0])
                tile[1] = None
                self.done[player] += 1

    def push(self, player, line, direction):
        dx, dy, _ = STEPS[direction]
        cells = [(line, y) if dy else (y, line) for y in range(SIZE)]
        if dx + dy < 0:
            cells.reverse()
        entering = self.hands[player]
        for x, y in cells:
            entering, self.grid[y][x] = self.grid[y][x], entering
        self.hands[player] = entering
        for place in self.places:
            if place[0 if dy else 1] == line:
                place[0] = (place[0] + dx) % SIZE
                place[1] = (place[1] + dy) % SIZE

    def push_turn(self, pushes):
        """pushes: (line, direction) of both players."""
        is_row = [direction in ("LEFT", "RIGHT") for _, direction in pushes]
        if is_row[0] == is_row[1] and pushes[0][0] == pushes[1][0]:
            return self.collect()
        for rows in (True, False):
            for player, (line, direction) in enumerate(pushes):
                if is_row[player] == rows:
                    self.push(player, line, direction)
            self.collect()

    def leads(self, x, y, direction):
        """The cell a step leads to, or None."""
        dx, dy, side = STEPS[direction]
        if not (0 <= x + dx < SIZE and 0 <= y + dy < SIZE):
            return None
        here, there = self.grid[y][x][0], self.grid[y + dy][x + dx][0]
        return (x + dx, y + dy) if here[side] == "1" and there[(side + 2) % 4] == "1" else None

    def walks(self, player):
        """Returns {(end, names taken): least number of steps} of all walks within a turn's
        steps.
        """
        start = (tuple(self.places[player]), frozenset())
        steps = {start: 0}
        queue = deque([start])
        while queue:
            (x, y), taken = node = queue.popleft()
            if steps[node] == MAX_STEPS:
                continue
            for direction in STEPS:
                cell = self.leads(x, y, direction)
                if cell is None:
                    continue
                item = self.grid[cell[1]][cell[0]][1]
                gains = item and item[1] == player and item[0] in self.wanted[player]
                reached = (cell, taken | {item[0]} if gains else taken)
                if reached not in steps:
                    steps[reached] = steps[node] + 1
                    queue.append(reached)
        return steps

    def best_walks(self, player):
        """Returns {(end, names taken): steps} of the walks that take the most items."""
        walks = self.walks(player)
        most = max(len(taken) for _, taken in walks)
        return {key: steps for key, steps in walks.items() if len(key[1]) == most}
