"""The walks of X-mas Rush, literally by the rules: tiles are lists [paths, item], items
(name, owner) or None.

Slow and plain on purpose; `test_xmas.py` compares the searches of walks with it.
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
