"""Options of Monte Carlo tree search, by the best actions found with few iterations."""

import random

from shared.core.game import AlternatingGame
from shared.core.jit import inline, int_buffer, kernel
from shared.core.rng import random_below
from shared.games.connect_four import game as connect_four
from shared.search import flat_monte_carlo, mcts
from shared.search.rave import RAVE
from tests.support.alternating_games import Rules, Solver, find_puzzles
from tests.support.games import nim

PLAIN = mcts.Options(exploration=1.0, rollout_plies=40, max_depth=40, solver=False)
PRIORS = PLAIN._replace(prior_visits=3.0, score_scale=10.0)
BY_UCB1 = flat_monte_carlo.Options(exploration=2.0, rollout_plies=16)
ITERATIONS = (10, 50, 200, 800)
N_PUZZLES = 40
N_SEEDS = 40

# Picking: two players take items of different value in turn; the player with the greater sum wins.
# An item's value does not depend on the time of its choice, as RAVE assumes.

N_ITEMS = 14
TAKEN, PLIES, LEAD = range(3)


@inline
def picking_to_move(setup, state):
    return state[PLIES] & 1


@inline
def picking_legal(setup, state, actions):
    n = 0
    for item in range(N_ITEMS):
        if not state[TAKEN] >> item & 1:
            actions[n] = item
            n += 1
    return n


@inline
def picking_sample(setup, state, rng):
    item = random_below(rng, N_ITEMS)
    while state[TAKEN] >> item & 1:
        item = random_below(rng, N_ITEMS)
    return item


@inline
def picking_apply(setup, state, action, after):
    after[TAKEN] = state[TAKEN] | 1 << action
    after[PLIES] = state[PLIES] + 1
    after[LEAD] = -state[LEAD] - setup[action]


@inline
def picking_is_over(setup, state):
    return state[PLIES] == N_ITEMS


@inline
def picking_result(setup, state):
    return (1 if state[LEAD] > 0 else 0) - (1 if state[LEAD] < 0 else 0)


@inline
def picking_evaluate(setup, state):
    return state[LEAD]


@inline
def picking_key(setup, state):
    return state[TAKEN]


PICKING = AlternatingGame(
    max_actions=N_ITEMS,
    state_size=3,
    to_move=picking_to_move,
    legal=picking_legal,
    sample=picking_sample,
    apply=picking_apply,
    is_over=picking_is_over,
    result=picking_result,
    evaluate=picking_evaluate,
    key=picking_key,
)


WITH_RAVE = PLAIN._replace(exploration=0.3, rave_visits=500.0)


def first_action(search, tree, setup, root, n):
    """The action that n iterations choose."""
    search(setup, root, tree, n)
    return uct_action(tree)


def puzzles_solved(options):
    """Returns a function of a number of iterations n: the number of connect four puzzles on 5 x 5
    cells in which a search of n iterations finds a best action.
    """
    rules = Rules(connect_four.GAME, connect_four.new_setup(5, 5))
    puzzles = find_puzzles(rules, Solver(rules, 25), N_PUZZLES)
    search = kernel(mcts.make_search(rules.game, options))

    def solved(n):
        trees = [mcts.new_tree(rules.game, options, 100_000, seed) for seed in range(len(puzzles))]
        return sum(
            first_action(search, tree, rules.setup, state, n) in actions
            for tree, (state, actions, _) in zip(trees, puzzles)
        )

    return solved


def best_items_taken(options):
    """Returns a function of a number of iterations n: the number of seeds of the picking game in
    which a search of n iterations chooses the best item.
    """
    rave = RAVE if options.rave_visits else None
    search = kernel(mcts.make_search(PICKING, options, rave))

    def taken(n):
        found = 0
        for seed in range(N_SEEDS):
            worths = random.Random(seed).sample(range(1, 60), N_ITEMS)
            tree = mcts.new_tree(PICKING, options, 100_000, seed)
            first = first_action(search, tree, int_buffer(worths), int_buffer(3), n)
            found += worths[first] == max(worths)
        return found

    return taken


def nim_won(module, options, buffers, best_action):
    """Returns a function of a number of iterations n: the number of N_SEEDS searches of n
    iterations that choose the winning action from heaps of 1, 2 and 4. Against random replies it is
    not the best.
    """
    setup, root, right = nim.new_setup(3), nim.new_state([1, 2, 4]), 2 * nim.MAX_SIZE
    search = kernel(module.make_search(nim.GAME, options))

    def won(n):
        found = 0
        for seed in range(N_SEEDS):
            state = buffers(seed)
            search(setup, root, state, n)
            found += best_action(state) == right
        return found

    return won


def uct_tree(seed):
    return mcts.new_tree(nim.GAME, PLAIN, 100_000, seed)


def flat_samples(seed):
    return flat_monte_carlo.new_tree(nim.GAME, BY_UCB1, seed)


def uct_action(tree):
    return mcts.summary(tree).line[0]


def options_measured():
    """A row for each option beside plain UCT: the number of right actions, by iterations."""
    measures = {
        f"connect four, best move of {N_PUZZLES}: plain": puzzles_solved(PLAIN),
        "connect four: priors": puzzles_solved(PRIORS),
        f"picking, best item of {N_SEEDS} games: plain": best_items_taken(PLAIN),
        "picking: RAVE": best_items_taken(WITH_RAVE),
        f"nim, the win in {N_SEEDS} runs: plain": nim_won(mcts, PLAIN, uct_tree, uct_action),
        "nim: flat Monte Carlo by UCB1": nim_won(
            flat_monte_carlo, BY_UCB1, flat_samples, flat_monte_carlo.best_action
        ),
    }
    rows = [[name, *(str(count(n)) for n in ITERATIONS)] for name, count in measures.items()]
    columns = ["game and option", *(f"{n} iterations" for n in ITERATIONS)]
    return "Monte Carlo tree search, how often it is right", columns, rows
