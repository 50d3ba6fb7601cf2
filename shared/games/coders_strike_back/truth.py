"""Compares the simulator with recorded games: all pods' fields after every turn.

A truth file is JSON, plain or gzipped: {"scenarios": [{"name", "kind", "laps", "checkpoints": [[x,
y], ...], "first_turn", "init": 4 x [x, y, vx, vy, angle, next, shield, boosted], "moves": [turn][4]
x [x, y, thrust | "BOOST" | "SHIELD"], "states": [turn][4] x [x, y, vx, vy, angle, next, shield,
boosted, won], "timeouts": [turn][2] or null, "bounces": [turn] or null}, ...]}. Angles agree when
they differ by a multiple of two pi, all else must be equal.
"""

import math

from ...core.checks.truth import MALFORMED, TruthError, check_records, load_json
from ...core.contest import VerifyReport
from ...core.jit import float_buffer
from ...games.coders_strike_back.protocol import COMMANDS
from ...games.coders_strike_back.sim import apply
from ...games.coders_strike_back.state import (
    COLLISIONS,
    N_PODS,
    TIMEOUT,
    TURN,
    new_setup,
    new_state,
)

FIELDS = ("x", "y", "vx", "vy", "angle", "next", "shield", "boosted", "won")
KEYS = {"name", "kind", "laps", "checkpoints", "first_turn", "init", "moves", "states"}
# The server rounds its angles further, and does not show who has finished.
RECORDED = "real_codingame_replay"
ANGLE_TOLERANCE = {"engine": 1e-9, RECORDED: 1e-6}
WHAT = "truth file of Coders Strike Back"


def load_scenarios(path):
    """Read a truth file's scenarios. Raises TruthError."""
    contents = load_json(path, WHAT)
    scenarios = contents.get("scenarios") if isinstance(contents, dict) else None
    return check_records(scenarios or [], KEYS, path, WHAT, "scenarios")


def differences(scenario):
    """Replay a scenario and yield (turn, difference) for each turn that differs.

    Raises one of MALFORMED if parts of the scenario are missing, or are too many to be compared.
    """
    setup = new_setup([tuple(point) for point in scenario["checkpoints"]], scenario["laps"])
    state = new_state(scenario["checkpoints"])
    state[TURN] = 0 if scenario["first_turn"] else 1
    for pod, values in zip(range(N_PODS), scenario["init"], strict=True):
        for field, value in zip(range(len(FIELDS) - 1), values, strict=True):
            state[N_PODS * field + pod] = value
    timeouts, bounces = scenario.get("timeouts"), scenario.get("bounces")
    turns = zip(scenario["moves"], scenario["states"], strict=True)
    for turn, (moves, expected) in enumerate(turns):
        flat = [
            COMMANDS.get(number, number)
            for _, (x, y, command) in zip(range(N_PODS), moves, strict=True)
            for number in (x, y, command)
        ]
        apply(setup, state, float_buffer(flat))
        found = list(pod_differences(state, expected, scenario["kind"]))
        if timeouts and [state[TIMEOUT], state[TIMEOUT + 1]] != timeouts[turn]:
            found.append(
                f"timeouts [{state[TIMEOUT]}, {state[TIMEOUT + 1]}], expected {timeouts[turn]}"
            )
        if bounces and setup[COLLISIONS] != bounces[turn]:
            found.append(f"{setup[COLLISIONS]} collisions, expected {bounces[turn]}")
        if found:
            yield turn, found[0]


def pod_differences(state, expected, kind):
    """Yields a text for each field of a pod that differs."""
    for pod, values in zip(range(N_PODS), expected, strict=True):
        for field, (name, value) in enumerate(zip(FIELDS, values, strict=True)):
            actual = float(state[N_PODS * field + pod])
            if name == "angle":
                same = abs(math.remainder(actual - value, 2 * math.pi)) <= ANGLE_TOLERANCE[kind]
            else:
                same = actual == value or (name == "won" and kind == RECORDED)
            if not same:
                yield f"player {pod // 2} pod {pod % 2} {name} is {actual!r}, expected {value!r}"


def verify(path):
    """Returns the VerifyReport of a truth file. Raises TruthError."""
    scenarios = load_scenarios(path)
    mismatches, first = 0, None
    for scenario in scenarios:
        try:
            for turn, text in differences(scenario):
                mismatches += 1
                first = first or f"{scenario['name']} turn {turn}: {text}"
        except MALFORMED as error:
            raise TruthError(
                f"{path}: scenario {scenario['name']!r} is damaged: {error!r}"
            ) from error
    turns = sum(len(scenario["moves"]) for scenario in scenarios)
    return VerifyReport(len(scenarios), turns, mismatches, first)
