"""Speed of the simulator of Coders Strike Back against a C++ port."""

import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from shared.core.jit import Floats, Ints, float_buffer, int_buffer, kernel
from shared.core.rng import random_bits
from shared.games.coders_strike_back.sim import MAX_ROTATION, RAISE_SHIELD, move_pods, steer
from shared.games.coders_strike_back.state import (
    ANGLE,
    N_PODS,
    NEXT,
    TURN,
    VX,
    VY,
    X,
    Y,
    copy_state,
    new_setup,
    new_state,
)
from tests.conftest import PROJECT
from tests.lab.measure import cpu_of_children, spread

# The port and its parameters: both positions, its random actions and its depth are those of its own
# main().
CPP_PORT = PROJECT.parent / "shared" / "reference" / "csb_exact.cpp"
CHECKPOINTS = [(12460, 1350), (10540, 5980), (3580, 5180), (13580, 7600)]
POSITIONS = {
    "race start": [
        (12922, 1542, 0, 0),
        (11998, 1158, 0, 0),
        (13846, 1925, 0, 0),
        (11074, 775, 0, 0),
    ],
    "clash": [
        (8000, 4500, 200, 0),
        (9000, 4550, -200, 0),
        (8100, 5400, 0, -200),
        (9100, 5500, -200, -200),
    ],
}
DEPTH = 6
ROUNDS = 5


@kernel
def play_random_actions(setup: Floats, start: Floats, state: Floats, rng: Ints, n: int) -> None:
    """N times DEPTH turns from `start`: thrust half the time, a shield one time in twenty, any
    of three rotations.
    """
    for _ in range(n):
        copy_state(start, state)
        for _ in range(DEPTH):
            for pod in range(N_PODS):
                draw = random_bits(rng) % 100
                command = 200 if draw < 50 else 0
                if draw >= 95:
                    command = RAISE_SHIELD
                steer(setup, state, pod, (random_bits(rng) % 3 - 1) * MAX_ROTATION, command)
            move_pods(setup, state)


def position(name):
    """The state of a position of the port's benchmark."""
    state = new_state(CHECKPOINTS)
    state[TURN] = 1
    for pod, values in enumerate(POSITIONS[name]):
        for field, value in zip((X, Y, VX, VY), values):
            state[field + pod] = value
        state[ANGLE + pod] = 1.3 * pod
        state[NEXT + pod] = 1
    return state


def our_turns_per_second(name, seconds=2.0):
    setup, start = new_setup(CHECKPOINTS, 3), position(name)
    state, rng = float_buffer(len(start)), int_buffer([12345])
    batch, turns = 20000, 0
    play_random_actions(setup, start, state, rng, 1)  # compiles it
    began = time.process_time()
    while time.process_time() - began < seconds:
        play_random_actions(setup, start, state, rng, batch)
        turns += batch * DEPTH
    return turns / (time.process_time() - began)


def cpp_turns_per_second(program, mode):
    """Turns a CPU second; the port itself prints a rate by wall time."""
    began, cpu_began = time.perf_counter(), cpu_of_children()
    output = subprocess.run([program, str(mode)], capture_output=True, text=True, check=True).stdout
    passed = (time.perf_counter() - began) / (cpu_of_children() - cpu_began)
    return passed * float(re.search(r"turns/s (\d+)", output)[1])


def simulator_speed():
    """Turns of four pods a second, ours and the port's in turns."""
    columns = ["position", "ours, turns/s", "C++ port, turns/s", "ratio"]
    if not (CPP_PORT.exists() and shutil.which("g++")):
        rows = [
            [name, spread([our_turns_per_second(name) for _ in range(ROUNDS)])]
            for name in POSITIONS
        ]
        return "Coders Strike Back, one thread (no C++ port or no g++ here)", columns[:2], rows
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "port")
        subprocess.run(["g++", "-O3", "-march=native", str(CPP_PORT), "-o", program], check=True)
        for mode, name in enumerate(POSITIONS):
            ours, port = [], []
            for _ in range(ROUNDS):
                ours.append(our_turns_per_second(name))
                port.append(cpp_turns_per_second(program, mode))
            ratios = [a / b for a, b in zip(ours, port)]
            rows.append([name, spread(ours), spread(port), spread(ratios, digits=2)])
    title = f"Coders Strike Back, turns of four pods a CPU second, {ROUNDS} runs of each in turns"
    return title, columns, rows
