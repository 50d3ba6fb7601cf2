"""CPU time of Smitsimax a simulated turn of Coders Strike Back, by its parts.

The actions of a search are recorded, and each part is repeated alone; selection is the rest.
"""

import time

from bots.coders_strike_back.game import assign_roles
from bots.coders_strike_back.smitsimax import CAPACITY, GAME, OPTIONS, ROLE_HYSTERESIS, search
from shared.core.jit import Floats, Ints, inline, int_buffer, kernel
from shared.core.rng import random_bits
from shared.games.coders_strike_back.state import new_setup
from shared.search.smitsimax import Trees, back_up, make_search, new_trees
from shared.search.tree import N_NODES, RNG, action_of, add_children, children_of
from tests.lab.bench.coders_strike_back import CHECKPOINTS, POSITIONS, ROUNDS, position
from tests.lab.measure import spread

ITERATIONS = 30_000
DEPTH, N_AGENTS, STATE_SIZE = len(OPTIONS.holds), GAME.n_agents, GAME.state_size
TURNS, STRIDE = ITERATIONS * DEPTH, DEPTH + 2
# The place of the record in `setup`, behind its own numbers and room for its collisions.
PLAIN_SETUP = new_setup(CHECKPOINTS, 3)
RECORD = len(PLAIN_SETUP) + 1000
apply, evaluate = GAME.apply, GAME.evaluate


@inline
def apply_and_record(setup, state, joint_action):
    for agent in range(N_AGENTS):
        setup[RECORD + 1 + int(setup[RECORD])] = joint_action[agent]
        setup[RECORD] += 1.0
    apply(setup, state, joint_action)


recording_search = kernel(make_search(GAME._replace(apply=apply_and_record), OPTIONS))


@kernel
def repeat_game(setup: Floats, root: Floats, trees: Trees[Floats], actions: Ints) -> None:
    """Play the recorded turns and evaluate their ends."""
    at = 0
    while at < len(actions):
        for i in range(STATE_SIZE):
            trees.state[i] = root[i]
        for _ in range(DEPTH):
            for agent in range(N_AGENTS):
                trees.joint_action[agent] = actions[at + agent]
            at += N_AGENTS
            apply(setup, trees.state, trees.joint_action)
        evaluate(setup, trees.state, trees.scores)


@kernel
def find_paths(trees: Trees[Floats], actions: Ints, paths: Ints) -> None:
    """Write the path of each agent in each iteration: its number of nodes, then these."""
    for path in range(len(paths) // STRIDE):
        iteration, agent = path // N_AGENTS, path % N_AGENTS
        node, n = agent, 1
        paths[path * STRIDE + 1] = node
        for ply in range(DEPTH):
            action = actions[(iteration * DEPTH + ply) * N_AGENTS + agent]
            for child in children_of(trees.nodes, node):
                if n == ply + 1 and action_of(trees.nodes, child) == action:
                    node, n = child, n + 1
                    paths[path * STRIDE + n] = node
        paths[path * STRIDE] = n


@kernel
def repeat_backup(trees: Trees[Floats], paths: Ints) -> None:
    """Add a score to the nodes of all paths; trees.path: `paths`."""
    for path in range(len(paths) // STRIDE):
        back_up(trees, path % N_AGENTS, path * STRIDE, 1.0)


@kernel
def repeat_expansion(trees: Trees[Floats], n: int) -> None:
    """Give the root of the first agent n times new children."""
    trees.counters[N_NODES] = N_AGENTS
    for _ in range(n):
        add_children(trees, 0, trees.actions, 5)


@kernel
def count_draws(rng: Ints, end: int) -> int:
    """The number of random numbers drawn until the state is `end`."""
    n = 0
    while rng[0] != end:
        random_bits(rng)
        n += 1
    return n


def nanoseconds(function, *arguments):
    """CPU time of a call, in nanoseconds a turn of the search."""
    began = time.process_time()
    function(*arguments)
    return (time.process_time() - began) / TURNS * 1e9


def parts_of_a_turn(name):
    """Nanoseconds of the whole search, game, selection, expansion, backup, random numbers."""
    setup = PLAIN_SETUP.copy()
    setup.resize(RECORD + 1 + TURNS * N_AGENTS)
    root = position(name)
    assign_roles(setup, root, ROLE_HYSTERESIS)
    recorded, trees = (new_trees(GAME, OPTIONS, CAPACITY) for _ in range(2))
    start = int(trees.counters[RNG])
    recording_search(setup, root, recorded, ITERATIONS)
    assert setup[RECORD] == TURNS * N_AGENTS, "a race ended"
    actions = int_buffer(list(map(int, setup[RECORD + 1 :])))
    whole = nanoseconds(search, setup, root, trees, ITERATIONS)
    assert list(trees.counters) == list(recorded.counters)
    game = nanoseconds(repeat_game, setup, root, trees, actions)
    paths = int_buffer(ITERATIONS * N_AGENTS * STRIDE)
    find_paths(trees, actions, paths)
    backup = nanoseconds(repeat_backup, trees._replace(path=paths), paths)
    random_numbers = nanoseconds(count_draws, int_buffer([start]), int(trees.counters[RNG]))
    expansions = int(trees.counters[N_NODES]) // 5
    expansion = nanoseconds(repeat_expansion, trees, expansions)
    selection = whole - game - expansion - backup - random_numbers
    return whole, game, selection, expansion, backup, random_numbers


def smitsimax_parts():
    """A row for each position of the simulator's benchmark."""
    columns = ["position", "search", "game", "selection", "expansion", "backup", "random numbers"]
    rows = []
    for name in POSITIONS:
        parts_of_a_turn(name)  # compiles, and fills caches
        measured = zip(*(parts_of_a_turn(name) for _ in range(ROUNDS)))
        rows.append([name, *(spread(part, " ns", digits=1) for part in measured)])
    return f"Smitsimax, CPU time a turn of Coders Strike Back, {ROUNDS} runs", columns, rows
