"""Coders Strike Back by Smitsimax: a tree for each of the four pods, the rivals' as well."""

import sys

from shared.core.clock import Clock
from shared.core.game import SimultaneousGame
from shared.core.jit import kernel
from shared.games.coders_strike_back.actions import (
    MAX_ACTIONS,
    action_command,
    action_rotation,
    apply_actions,
    legal_actions,
    sample_action,
)
from shared.games.coders_strike_back.evaluate import Weights, assign_roles, make_evaluate
from shared.games.coders_strike_back.sim import race_is_over
from shared.games.coders_strike_back.state import N_PODS, STATE_SIZE
from shared.games.coders_strike_back.tracker import Tracker
from shared.search.smitsimax import (
    Options,
    expect,
    make_search,
    new_trees,
    reset,
    summary,
)

# How they were tuned: NOTES.md.
FIRST_MS, TURN_MS, MARGIN_MS = 1000, 75, 18
CAPACITY = 1000000  # nodes
ROLE_HYSTERESIS = 1000.0
OPTIONS = Options(holds=(1,) * 6, exploration=0.4, noise=0.25)
WEIGHTS = Weights()

GAME = SimultaneousGame(
    n_agents=N_PODS,
    max_actions=MAX_ACTIONS,
    state_size=STATE_SIZE,
    legal=legal_actions,
    sample=sample_action,
    apply=apply_actions,
    is_over=race_is_over,
    evaluate=make_evaluate(WEIGHTS),
)
search = kernel(make_search(GAME, OPTIONS))


def choose(tracker, trees, clock):
    """The actions of one's own two pods; what is left of the lines is expected next turn."""
    reset(trees)
    assign_roles(tracker.setup, tracker.state, ROLE_HYSTERESIS)
    while nodes := clock.grant():
        search(tracker.setup, tracker.state, trees, nodes)
    lines = summary(trees).lines
    for pod, line in enumerate(lines):
        expect(trees, pod, line[1:])
    return [line[0] for line in lines[:2]]


def main():
    clock = Clock(FIRST_MS, TURN_MS, MARGIN_MS)
    trees = new_trees(GAME, OPTIONS, CAPACITY)
    tracker = Tracker(sys.stdin.readline)
    while tracker.read_turn():
        clock.start()
        tracker.update()
        for pod, action in enumerate(choose(tracker, trees, clock)):
            print(tracker.command(pod, action_rotation(action), action_command(action)))
        clock.report()
        sys.stdout.flush()


if __name__ == "__main__":
    main()
