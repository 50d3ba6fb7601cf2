"""CPU time of UCT, PUCT and alpha-beta by their parts.

A search is recorded, and each part is repeated alone. What remains of the whole search is its
selection, which UCT does after its backup; in alpha-beta the order of actions, the table and the
stack as well.
"""

import time

from bots.ultimate_tic_tac_toe import network, rollouts
from bots.ultimate_tic_tac_toe.game import GAME as ULTIMATE
from shared.core.jit import Ints, inline, int_buffer, kernel, njit
from shared.core.rng import seed_rng
from shared.games.connect_four import game as connect_four
from shared.games.ultimate_tic_tac_toe import truth
from shared.search import alphabeta, mcts
from shared.search.network import new_network
from shared.search.rollout import make_value
from shared.search.tree import MOST, N_NODES, RNG, add_children
from tests.lab.bench.adversarial import UCT
from tests.lab.bench.search_parts import count_draws
from tests.lab.bench.ultimate_tic_tac_toe import position, touched_tree
from tests.lab.measure import spread

ROUNDS = 5
ITERATIONS = 20_000
ROOM = 128 * ITERATIONS
GAME, EVALUATION, EXPANSION = range(3)  # each part is repeated with those before it


def make_tree_search(game, options):
    """Returns (search, recording search, repetition of parts, of the backup) of `mcts.py`."""
    one = njit(mcts.make_search(game, options))
    value = make_value(game, options.score_scale)
    legal, sample, apply, is_over = game.legal, game.sample, game.apply, game.is_over
    state_size, setup_type = game.state_size, game.setup_type or Ints
    has_priors = game.priors is not None
    priors = game.priors or legal

    @kernel
    def record(setup: setup_type, root: Ints, tree: mcts.Tree, n: int, log: Ints) -> int:
        """Search, and write of each iteration the plies in the tree, all plies, the new nodes, the
        actions and the path. Returns the length of that.
        """
        at = 0
        for _ in range(n):
            in_tree, later = tree.counters[mcts.TREE_PLIES], tree.counters[mcts.ROLLOUT_PLIES]
            nodes = tree.counters[N_NODES]
            one(setup, root, tree, 1)
            leaf = tree.counters[mcts.TREE_PLIES] - in_tree
            log[at] = leaf
            log[at + 1] = leaf + tree.counters[mcts.ROLLOUT_PLIES] - later
            log[at + 2] = tree.counters[N_NODES] - nodes
            for i in range(log[at + 1]):
                log[at + 3 + i] = tree.line[i]
            at += 3 + log[at + 1]
            for i in range(leaf + 1):
                log[at + i] = tree.path[i]
            at += leaf + 1
        return at

    @kernel
    def repeat(
        setup: setup_type, root: Ints, tree: mcts.Tree, log: Ints, end: int, part: int
    ) -> float:
        """Play all iterations with their samples, evaluate their ends and expand their nodes."""
        at, total = 0, 0.0
        while at < end:
            leaf, plies, n_new = log[at], log[at + 1], log[at + 2]
            for i in range(state_size):
                tree.state[i] = root[i]
            for i in range(plies):
                if part >= EXPANSION and n_new > 0 and i == leaf - 1:
                    n = legal(setup, tree.state, tree.actions)
                    mcts.shuffle(tree.actions, n, tree.counters)
                    if has_priors:
                        priors(setup, tree.state, tree.actions, n, tree.shares)
                        mcts.sort_by_prior(tree.actions, tree.shares, n)
                    first = add_children(tree, log[at + 3 + plies + i] & MOST, tree.actions, n)
                    for child in range(n if has_priors else 0):
                        tree.priors[first + child] = tree.shares[child]
                if i >= leaf:
                    total += sample(setup, tree.state, tree.counters)
                apply(setup, tree.state, log[at + 3 + i], tree.state)
                total += 1.0 if is_over(setup, tree.state) else 0.0
            if part >= EVALUATION:
                total += value(setup, tree.state)
            at += 4 + plies + leaf
        return total

    @kernel
    def repeat_backup(tree: mcts.Tree, log: Ints, end: int, times: int) -> None:
        """Add a result to the nodes of all paths, some times each."""
        at, reward = 0, 1.0
        while at < end:
            leaf = log[at]
            at += 3 + log[at + 1]
            for i in range(leaf + 1):
                tree.path[i] = log[at + i]
            for _ in range(times):
                above = reward
                for ply in range(leaf, -1, -1):
                    above = mcts.add_result(
                        tree, ply, leaf, above, options.prior_visits, options.solver, has_priors
                    )
            at += leaf + 1
            reward = -reward

    return kernel(mcts.make_search(game, options)), record, repeat, repeat_backup


def cpu_ns(count, function, *arguments):
    """Nanoseconds of CPU time of a call, each of `count`."""
    began = time.process_time()
    function(*arguments)
    return (time.process_time() - began) / count * 1e9


def tree_search_parts(functions, game, options, setup, root):
    """Nanoseconds an iteration: whole, game, evaluation, expansion, backup, selection; of all these
    random numbers.
    """
    search, record, repeat, repeat_backup = functions
    tree, log = touched_tree(game, options), int_buffer(ROOM)

    def anew():
        mcts.reset(tree)
        seed_rng(tree.counters, 1)

    anew()
    start = int(tree.counters[RNG])
    whole = cpu_ns(ITERATIONS, search, setup, root, tree, ITERATIONS)
    found = list(tree.counters)
    anew()
    end = record(setup, root, tree, ITERATIONS, log)
    assert list(tree.counters[: mcts.DEPTH]) == found[: mcts.DEPTH]
    # The second time, as selection has brought the nodes into the cache.
    once, twice = (cpu_ns(ITERATIONS, repeat_backup, tree, log, end, times) for times in (1, 2))
    draws = cpu_ns(ITERATIONS, count_draws, int_buffer([start]), found[RNG])
    times = []
    for part in (GAME, EVALUATION, EXPANSION):
        anew()
        times.append(cpu_ns(ITERATIONS, repeat, setup, root, tree, log, end, part))
    game_ns, evaluated, expanded = times
    parts = game_ns, evaluated - game_ns, expanded - evaluated, twice - once
    return whole, *parts, whole - sum(parts), draws


def mcts_parts():
    """UCT on connect four, UCT and PUCT on Ultimate Tic-Tac-Toe."""
    net = new_network(truth.TABLES, network.learned_weights(), network.SHAPE)
    middle = position(12)
    network.refresh(net, middle)
    setup = connect_four.new_setup()
    cases = {
        "UCT, connect four": (connect_four.GAME, UCT, setup, connect_four.new_state(setup)),
        "UCT, Ultimate Tic-Tac-Toe": (ULTIMATE, rollouts.OPTIONS, truth.TABLES, middle),
        "PUCT, Ultimate Tic-Tac-Toe": (network.NETWORK_GAME, network.OPTIONS, net, middle),
    }
    names = "search", "game", "evaluation", "expansion", "backup", "selection", "random numbers"
    rows = []
    for name, case in cases.items():
        functions = make_tree_search(*case[:2])
        tree_search_parts(functions, *case)  # fills caches
        measured = zip(*(tree_search_parts(functions, *case) for _ in range(ROUNDS)))
        rows.append([name, *(spread(part, " ns", digits=0) for part in measured)])
    title = f"UCT and PUCT, CPU time an iteration, {ROUNDS} runs; random numbers are in the others"
    return title, ["search", *names], rows


# Behind the numbers of a setup, for each function of the game: a count and that many records.
DEPTH, RECORDS = 11, 1 << 21
PLAIN = connect_four.new_setup()
APPLIED, EVALUATED, LISTED = (len(PLAIN) + i * RECORDS for i in range(3))
N_STATE = connect_four.GAME.state_size
RECORD = N_STATE + 1


@inline
def note(setup, place, state, action):
    """Append a call of a function to its records."""
    at = place + 1 + RECORD * setup[place]
    for i in range(N_STATE):
        setup[at + i] = state[i]
    setup[at + N_STATE] = action
    setup[place] += 1


@inline
def apply_and_record(setup, state, action, after):
    note(setup, APPLIED, state, action)
    connect_four.apply(setup, state, action, after)


@inline
def evaluate_and_record(setup, state):
    note(setup, EVALUATED, state, 0)
    return connect_four.evaluate(setup, state)


@inline
def list_and_record(setup, state, actions):
    note(setup, LISTED, state, 0)
    return connect_four.legal(setup, state, actions)


@kernel
def repeat_calls(setup: Ints, place: int, state: Ints, actions: Ints) -> int:
    """Call a function with all that it was called with."""
    total = 0
    for k in range(setup[place]):
        at = place + 1 + RECORD * k
        for i in range(N_STATE):
            state[i] = setup[at + i]
        if place == APPLIED:
            connect_four.apply(setup, state, setup[at + N_STATE], state)
            total += connect_four.is_over(setup, state)
        elif place == EVALUATED:
            total += connect_four.evaluate(setup, state)
        else:
            total += connect_four.legal(setup, state, actions)
    return total


def alpha_beta_parts():
    """Alpha-beta on connect four with a table, by iterative deepening."""
    options = alphabeta.Options(history=4)
    search = kernel(alphabeta.make_search(connect_four.GAME, options))
    recorded = connect_four.GAME._replace(
        apply=apply_and_record, evaluate=evaluate_and_record, legal=list_and_record
    )
    recording = kernel(alphabeta.make_search(recorded, options))
    setup = int_buffer([*PLAIN, *int_buffer(3 * RECORDS)])
    root, state, actions = connect_four.new_state(PLAIN), int_buffer(N_STATE), int_buffer(16)

    def whole(function, setup):
        tree = alphabeta.new_tree(connect_four.GAME, options, depth=DEPTH)
        while not alphabeta.is_finished(tree):
            function(setup, root, tree, 1_000_000)
        return alphabeta.summary(tree).generated

    n = whole(recording, setup)
    most = max(int(setup[place]) for place in (APPLIED, EVALUATED, LISTED))
    assert most * RECORD < RECORDS, "the records do not fit"

    def parts():
        times = [
            cpu_ns(n, repeat_calls, setup, place, state, actions)
            for place in (APPLIED, EVALUATED, LISTED)
        ]
        all_ns = cpu_ns(n, whole, search, PLAIN)
        return all_ns, *times, all_ns - sum(times)

    parts()
    measured = zip(*(parts() for _ in range(ROUNDS)))
    row = [f"connect four to depth {DEPTH}, {n:,} nodes"]
    columns = ["search", "whole", "game", "evaluation", "lists of actions", "the rest"]
    title = f"Alpha-beta, CPU time a node, {ROUNDS} runs"
    return title, columns, [[*row, *(spread(part, " ns", digits=1) for part in measured)]]
