"""A bot's knowledge of the race: its input, and the state that the input omits.

The text shows whole degrees and no shields, boosts or timeouts. They follow from the last turn,
simulated with the own commands and those of the rival that come nearest to the observed state.
"""

import math

from shared.core.jit import Floats, float_buffer, inline, kernel
from shared.games.coders_strike_back.protocol import (
    COMMAND_NAMES,
    format_action,
    read_start,
    read_turn,
)
from shared.games.coders_strike_back.sim import (
    BOOST,
    MAX_ROTATION,
    MAX_THRUST,
    RAISE_SHIELD,
    apply,
)
from shared.games.coders_strike_back.state import (
    ANGLE,
    N_PLAYERS,
    N_PODS,
    NEXT,
    STATE_SIZE,
    TIMEOUT,
    TURN,
    VX,
    VY,
    WON,
    X,
    Y,
    copy_state,
    new_setup,
    new_state,
)

FAR = 100000.0  # distance of a target: its rounding turns a pod by less than 1e-5 radians
# More than 18 degrees: the rule's own limit makes the rotation exact.
OVERTURN = 1.5
RIVALS = (2, 3)
N_GUESSES = 4


@inline
def guess_command(guess):
    """Returns the command of a guess; the first wins a tie."""
    if guess == 0:
        return MAX_THRUST
    if guess == 1:
        return 0
    return BOOST if guess == 2 else RAISE_SHIELD


@kernel
def explain_turn(
    setup: Floats, before: Floats, seen: Floats, moves: Floats, trial: Floats, best: Floats
) -> None:
    """Write into `best` the outcome of the turn `before` nearest to the state `seen`.

    before, seen, trial, best: float64[S]; moves float64[12]: the commands of pods 0 and 1 and the
    targets of pods 2 and 3, whose commands are tried out.
    """
    least = math.inf
    for guesses in range(N_GUESSES * N_GUESSES):
        moves[3 * 2 + 2] = float(guess_command(guesses // N_GUESSES))
        moves[3 * 3 + 2] = float(guess_command(guesses % N_GUESSES))
        copy_state(before, trial)
        apply(setup, trial, moves)
        error = 0.0
        for i in range(X, VX + 2 * N_PODS):
            error += abs(trial[i] - seen[i])
        if error < least:
            least = error
            copy_state(trial, best)


def told(state, turns):
    """Yields a text for `expect` of each turn's moves."""
    angles = state[ANGLE : ANGLE + N_PODS]
    for moves in turns:
        angles = [angle + move[0] for angle, move in zip(angles, moves)]
        commands = [COMMAND_NAMES.get(move[1], move[1]) for move in moves]
        yield ";".join(f"{math.degrees(a):.0f} {b}" for a, b in zip(angles, commands))


class Tracker:
    """A player's view of one race: `setup` and `state`, the own pods first.

    read_line: gives the next line of input, and an empty text at its end.
    """

    def __init__(self, read_line):
        self.read_line = read_line
        laps, self.checkpoints = read_start(read_line)
        self.setup = new_setup(self.checkpoints, laps)
        self.state = new_state(self.checkpoints)
        self.before = float_buffer(STATE_SIZE)
        self.seen = float_buffer(STATE_SIZE)
        self.trial = float_buffer(STATE_SIZE)
        self.moves = float_buffer(3 * N_PODS)
        self.started = False

    def read_turn(self):
        """Read a turn; returns False after the game's end. Raises ProtocolError."""
        copy_state(self.state, self.before)
        copy_state(self.state, self.seen)
        return read_turn(self.read_line, len(self.checkpoints), self.seen)

    def update(self):
        """Update `state`, at some cost of the turn's time."""
        if self.started:
            self._explain()
        else:
            self._face_first_gate()
        for field in (X, Y, VX, VY, NEXT):
            for pod in range(N_PODS):
                self.state[field + pod] = self.seen[field + pod]
        self.started = True

    def _explain(self):
        for pod in RIVALS:
            angle = self.seen[ANGLE + pod]
            self.moves[3 * pod] = self.before[X + pod] + FAR * math.cos(angle)
            self.moves[3 * pod + 1] = self.before[Y + pod] + FAR * math.sin(angle)
        explain_turn(self.setup, self.before, self.seen, self.moves, self.trial, self.state)
        for player in range(N_PLAYERS):
            self.state[TIMEOUT + player] = self.seen[TIMEOUT + player] - 1
        for pod in RIVALS:
            self.state[ANGLE + pod] = self.seen[ANGLE + pod]
        for pod in range(N_PODS):
            # the race goes on, whatever the result of the inferred commands
            self.state[WON + pod] = 0

    def _face_first_gate(self):
        """Before the first turn pods may turn freely: let all face their gate."""
        gate_x, gate_y = self.checkpoints[1]
        for pod in range(N_PODS):
            dx, dy = gate_x - self.seen[X + pod], gate_y - self.seen[Y + pod]
            self.state[ANGLE + pod] = math.atan2(dy, dx)

    def lines(self, moves):
        """Returns the own pods' lines. moves: [(rotation, command)]."""
        return [self.command(pod, *move) for pod, move in enumerate(moves)]

    def command(self, pod, rotation, command, message=""):
        """Returns the line that turns a pod by `rotation` radians with `command`."""
        if abs(rotation) >= MAX_ROTATION and self.state[TURN] > 0:
            rotation *= OVERTURN
        angle = self.state[ANGLE + pod] + rotation
        target_x = round(self.state[X + pod] + FAR * math.cos(angle))
        target_y = round(self.state[Y + pod] + FAR * math.sin(angle))
        self.moves[3 * pod : 3 * pod + 3] = [target_x, target_y, command]
        return format_action(target_x, target_y, command, message)
