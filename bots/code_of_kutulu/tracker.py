"""A bot's knowledge of the game: its input, and memory of earlier input.

The reader is player 0 of the state, the others follow by id, cyclically. The input omits:
slashers that have come (after a turn begun below 200 sanity), pairs of yeller and receiver, and the
cells where slashers saw their targets.
"""

from shared.core.jit import int_buffer
from shared.core.protocol import ProtocolError, parse_numbers
from shared.games.code_of_kutulu.maze import (
    EMPTY,
    MAX_CELLS,
    MAX_SHELTERS,
    MAX_SIDE,
    MAX_SPAWNS,
    MAZE_SIZE,
    N_SHELTERS,
    SHELTER,
    SHELTER_CELLS,
    SPAWN,
    WALL,
    cell_at,
    is_clear,
    new_maze,
    pair_of,
)
from shared.games.code_of_kutulu.sim import SLASHER_SANITY
from shared.games.code_of_kutulu.state import (
    ALIVE,
    CELLS,
    EFFECTS,
    FRESH,
    KINDS,
    LIGHTS,
    LIT,
    MAX_MINIONS,
    MINIONS,
    N_MINIONS,
    N_PLAYERS,
    NEXT_ID,
    NO_SEED,
    PLANS,
    RUSHING,
    SANITIES,
    SEED,
    SHELTER_BITS,
    SHELTERS,
    SLASHED,
    SPAWNING,
    STALKING,
    STATE_SIZE,
    STUNNED,
    TIMER,
    TURN,
    YELLED,
    YELLS,
    living,
    pack_minion,
)

KNOWN_CELLS = (EMPTY, SPAWN, SHELTER)
EFFECTS_TOLD = ("EFFECT_PLAN", "EFFECT_LIGHT", "EFFECT_SHELTER", "EFFECT_YELL")
ENTITY = f"EXPLORER, {', '.join((*KINDS, *EFFECTS_TOLD))}: 6 numbers"


class Tracker:
    """A player's view of one game: `maze`, and `state` at the turn to be answered.

    read_line: gives the next line of input, an empty text at its end. maze_size, state_size: buffer
    sizes.
    """

    def __init__(self, read_line, maze_size=MAZE_SIZE, state_size=STATE_SIZE):
        self.read_line = read_line
        self.maze_size = maze_size
        self.maze = None
        self.state = int_buffer(state_size)
        self.turn = 0
        self.me = 0  # the reader's id in the input
        self.slashed = self.yelled = 0
        self.memories = {}  # {slasher's id: (state, target, 1 + the cell it remembers)}

    def read_turn(self):
        line = self.read_line()
        if not line:
            return False
        if self.maze is None:
            self._read_maze(line)
            line = self.read_line()
            if not line:
                return False
        (count,) = parse_numbers(line, 1, "the number of entities")
        if not 1 <= count <= MAX_MINIONS:
            raise ProtocolError(f"expected 1 to {MAX_MINIONS} entities, got {count}")
        entities = [self._read_entity(number) for number in range(1, count + 1)]
        self._start_turn(entities)
        for kind, *numbers in entities:
            self._add(kind, numbers)
        self._end_turn()
        return True

    def _read_maze(self, line):
        (width,) = parse_numbers(line, 1, "the width of the maze")
        (height,) = parse_numbers(self.read_line(), 1, "the height of the maze")
        rows = [self.read_line().strip() for _ in range(min(height, MAX_SIDE + 1))]
        numbers = parse_numbers(self.read_line(), 4, "sanity lost, spawn and life time")
        cells = "".join(rows).replace(WALL, "")
        fits = len(cells) <= MAX_CELLS and cells.count(SPAWN) <= MAX_SPAWNS
        fits = fits and cells.count(SHELTER) <= MAX_SHELTERS and set(numbers) <= set(range(TIMER))
        if not (fits and 0 < height <= MAX_SIDE and 0 < width <= MAX_SIDE):
            raise ProtocolError(f"too large a maze for this bot: {rows!r}, {numbers}")
        if {len(row) for row in rows} != {width} or not cells or set(cells) - {*KNOWN_CELLS}:
            raise ProtocolError(f"expected {height} rows of {width} of # . w U, got {rows!r}")
        self.maze = new_maze(rows, *numbers, size=self.maze_size)

    def _read_entity(self, number):
        line = self.read_line()
        kind, _, rest = line.strip().partition(" ")
        is_known = kind == "EXPLORER" or kind in KINDS or kind in EFFECTS_TOLD
        numbers = parse_numbers(rest if is_known else line, 6, f"entity {number}, {ENTITY}")
        identity, x, y, *others = numbers
        cell = cell_at(self.maze, x, y)
        if kind == "EXPLORER":
            is_known = 0 <= identity < N_PLAYERS and others[0] > 0
        elif kind in KINDS:
            is_known = min(identity, *others[:2]) >= 0 and others[1] <= STUNNED
        is_known = is_known and all(-1 <= other <= TIMER for other in others)
        if not is_known or (cell < 0 and kind != "EFFECT_YELL"):
            text = line.rstrip()[:200]
            raise ProtocolError(f"entity {number} is in a wall or has strange numbers: {text!r}")
        return [kind, identity, cell, *others]

    def _start_turn(self, entities):
        explorers = [entity[1] for entity in entities if entity[0] == "EXPLORER"]
        if entities[0][0] != "EXPLORER" or len(set(explorers)) < len(explorers):
            raise ProtocolError("expected the reader's own explorer first, and each one once")
        self.me = explorers[0]
        state = self.state
        for i in range(MINIONS):
            state[i] = 0
        state[TURN], state[SEED], state[NEXT_ID] = self.turn, NO_SEED, 1 << 12

    def _agent(self, player):
        return (player - self.me) % N_PLAYERS

    def _add(self, kind, numbers):
        state = self.state
        identity, cell, first, second, third = numbers
        if kind == "EXPLORER":
            agent = self._agent(identity)
            state[ALIVE] |= 1 << agent
            state[CELLS + agent], state[SANITIES + agent] = cell, first
            state[PLANS + agent], state[LIGHTS + agent] = second, third
        elif kind in KINDS:
            target = 1 + self._agent(third) if third >= 0 else 0
            memory = 0
            if kind == "SLASHER":
                memory = self._memory_of(identity, cell, second, target - 1)
            minion = pack_minion(KINDS.index(kind), cell, second, first, target, memory, identity)
            state[MINIONS + state[N_MINIONS]] = minion
            state[N_MINIONS] += 1
        elif kind == "EFFECT_SHELTER":
            for i in range(self.maze[N_SHELTERS]):
                if self.maze[SHELTER_CELLS + i] == cell:
                    state[SHELTERS] |= first << SHELTER_BITS * i
        elif kind == "EFFECT_YELL":
            bit = 1 << N_PLAYERS * self._agent(second) + self._agent(third)
            state[YELLS] |= bit << FRESH if first == 2 else bit
            self.yelled |= bit
        else:
            state[EFFECTS + self._agent(second)] = first | (LIT if kind == "EFFECT_LIGHT" else 0)

    def _memory_of(self, identity, cell, minion_state, target):
        """Returns 1 + the cell to which a slasher rushes if it sees no player, 0 for no cell."""
        state = self.state
        before, pursued, known = self.memories.get(identity, (minion_state, target, 0))
        if minion_state == SPAWNING:
            known = cell + 1
        elif minion_state == STALKING or (minion_state == RUSHING and before == STALKING):
            # The slasher has looked for players: it forgets the cell if several are equally near.
            if target >= 0:
                known = int(state[CELLS + target]) + 1
            elif sum(self._sees(cell, player) for player in living(state)) > 1:
                known = 0
        elif minion_state != RUSHING:
            known = 0
        if target < 0 and pursued >= 0 and not state[ALIVE] >> pursued & 1:
            known = 0  # a slasher forgets the cell of an eliminated player
        self.memories[identity] = minion_state, target, known
        return known

    def _sees(self, cell, player):
        return is_clear(pair_of(self.maze, cell, self.state[CELLS + player]))

    def _end_turn(self):
        state = self.state
        state[YELLED], state[SLASHED] = self.yelled, self.slashed
        for player in living(state):
            if state[SANITIES + player] < SLASHER_SANITY:
                self.slashed |= 1 << player
        self.turn += 1
