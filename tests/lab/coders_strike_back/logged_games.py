"""Runners and blockers in logged games of Coders Strike Back, counted for each bot.

    onefile arena coders_strike_back BOT BOT --games 20 --nodes 4000 --limits off \
        --all-logs --log-dir DIR
    python -m tests.lab.coders_strike_back.logged_games DIR

Roles are those that the project's bots would assign, since logs do not contain a bot's own. For
each bot it prints

    games       their number, the won ones, and those lost by the rule of 100 turns.
    turns       of a game, on average.
    idle        share of its blocker's turns without thrust or shield.
    shields     share of its blocker's turns with a raised shield.
    far         share of its blocker's turns farther from the rival's runner than from its gate.
    slow        share of its runner's turns within 3,000 of the gate at a speed below 200.
    long legs   legs that took its runner 40 turns and more, in a hundred games.
    longest     the longest of them.
    bumps       collisions of its runner with the rival's blocker, a game.
"""

import math
from collections import Counter, defaultdict
from pathlib import Path
from typing import Annotated

import typer

from bots.coders_strike_back.game import assign_roles
from bots.coders_strike_back.smitsimax import ROLE_HYSTERESIS
from referee.log.file import read_log
from shared.games.coders_strike_back.protocol import parse_action
from shared.games.coders_strike_back.sim import RAISE_SHIELD
from shared.games.coders_strike_back.state import (
    GATES,
    N_PLAYERS,
    NEXT,
    ROLES,
    RUNNER,
    VX,
    VY,
    X,
    Y,
    new_setup,
    new_state,
)

NEAR, SLOW = 3000.0, 200.0  # units, units a turn
LONG_LEG = 40  # turns


def runner_of(setup, player):
    """The pod that is a player's runner."""
    return 2 * player + (setup[ROLES + 2 * player] != RUNNER)


def gate_of(setup, state, pod):
    """The place of a pod's next gate."""
    at = GATES + 2 * int(state[NEXT + pod])
    return setup[at], setup[at + 1]


def place(state, pod):
    return state[X + pod], state[Y + pod]


def read_pods(state, pods):
    """Take places, speeds and gates from a log's snapshot."""
    for pod, (x, y, vx, vy, _, gate, *_) in enumerate(pods):
        for field, value in zip((X, Y, VX, VY, NEXT), (x, y, vx, vy, gate)):
            state[field + pod] = value


def watch(log, seen):
    """Add the statistics of a log to `seen`, a Counter for each bot's name."""
    names = [bot.name for bot in log.header.bots]
    course = log.header.setup
    setup = new_setup(course["checkpoints"], course["laps"])
    state = new_state(course["checkpoints"])
    since = [0] * N_PLAYERS
    for turn in log.turns:
        assign_roles(setup, state, ROLE_HYSTERESIS)
        gates = [state[NEXT + runner_of(setup, player)] for player in range(N_PLAYERS)]
        runners = [runner_of(setup, player) for player in range(N_PLAYERS)]
        for player, name in enumerate(names):
            watch_blocker(setup, state, player, turn.players[player].output, seen[name])
            watch_runner(setup, state, player, seen[name])
        read_pods(state, turn.state["pods"])
        for player, name in enumerate(names):
            runner, blocker = runners[player], 4 * (1 - player) + 1 - runners[1 - player]
            for _, *pair, _, _ in turn.state["collisions"]:
                seen[name]["bumps"] += set(pair) == {runner, blocker}
            since[player] += 1
            if state[NEXT + runner] > gates[player] or turn is log.turns[-1]:
                seen[name]["long legs"] += since[player] >= LONG_LEG
                seen[name]["longest"] = max(seen[name]["longest"], since[player])
                since[player] = 0
    for player, name in enumerate(names):
        seen[name]["games"] += 1
        seen[name]["turns"] += len(log.turns)
        seen[name]["won"] += log.outcome.ranks[player] == 0
        seen[name]["timeouts"] += f"player {player} passed no" in log.outcome.reason


def watch_blocker(setup, state, player, lines, counts):
    """Count a blocker's behaviour in a turn."""
    blocker = 4 * player + 1 - runner_of(setup, player)
    rival = runner_of(setup, 1 - player)
    if len(lines) <= blocker % 2:
        return
    command = parse_action(lines[blocker % 2])[2]
    counts["blocker"] += 1
    counts["shields"] += command == RAISE_SHIELD
    counts["idle"] += command == 0
    gate = gate_of(setup, state, rival)
    to_rival = math.dist(place(state, blocker), place(state, rival))
    counts["far"] += to_rival > math.dist(place(state, rival), gate)


def watch_runner(setup, state, player, counts):
    """Count a runner's behaviour in a turn."""
    runner = runner_of(setup, player)
    near = math.dist(place(state, runner), gate_of(setup, state, runner)) < NEAR
    counts["slow"] += near and math.hypot(state[VX + runner], state[VY + runner]) < SLOW


def main(
    logs: Annotated[list[Path], typer.Argument(help="Logs, or folders of logs.")],
):
    """Print driving statistics of each bot in some logs."""
    seen = defaultdict(Counter)
    for path in logs:
        for file in sorted(path.glob("*.jsonl*")) if path.is_dir() else [path]:
            log = read_log(file)
            if log.outcome:
                watch(log, seen)
    for name, counts in seen.items():
        games, turns, blocker = counts["games"], counts["turns"], counts["blocker"]
        print(
            f"{name}: {games} games, {counts['won']} won, {counts['timeouts']} by 100 turns lost;"
            f" {turns / games:.0f} turns; blocker idle {counts['idle'] / blocker:.1%},"
            f" shields {counts['shields'] / blocker:.1%}, far {counts['far'] / blocker:.1%};"
            f" runner slow {counts['slow'] / turns:.1%},"
            f" long legs {100 * counts['long legs'] / games:.0f}, longest {counts['longest']},"
            f" bumps {counts['bumps'] / games:.1f}"
        )


if __name__ == "__main__":
    typer.run(main)
