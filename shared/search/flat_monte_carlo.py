"""Flat Monte Carlo search: it samples every action of the root and plays the one with the best
mean. The tree is one ply deep.

The actions are the arms of a bandit (`bandit.py`): sampled in turn, or by UCB1, which spends more
on those that may be best. Either way samples continue at random, so an action refuted by a single
reply always looks good; the tree of `mcts.py` corrects this.
"""

from typing import Any, Callable, NamedTuple, Optional

from ..core.game import AlternatingGame
from ..core.jit import AT_HOME, Floats, Ints, float_buffer, int_buffer
from ..core.rng import seed_rng
from ..search.bandit import MEAN, add_reward, best_bound, clear_arm, exploration_weight
from ..search.rollout import make_rollout, make_value

RNG, ITERATIONS, PLIES = range(3)


class Options(NamedTuple):
    """Options of a search.

    exploration: the constant C of UCB1, for results in -1..1; None samples the actions in turn.
    rollout_plies: the most plies of a sample after its action, after which the position is
    evaluated.
    score_scale: an evaluation of this many points counts as half a win.
    """

    exploration: Optional[float] = 1.0
    rollout_plies: int = 1000
    score_scale: float = 1.0


class Tree(NamedTuple):
    """The state of a search. Letters: A actions, R plies of a rollout.

    actions  [A]      the root's actions.
    arms     [2 A]    their means, for the player to move at the root.
    pulls    [A]      samples of each action.
    counters [3]      random state, iterations, plies played.
    line     [R + 1]  the actions of a sample.
    state             room for a position.
    """

    actions: Ints
    arms: Floats
    pulls: Ints
    counters: Ints
    line: Ints
    state: Ints


def new_tree(game: AlternatingGame, options: Options, seed: int = 1) -> Tree:
    """Returns the buffers of a new search."""
    tree = Tree(
        actions=int_buffer(game.max_actions),
        arms=float_buffer(2 * game.max_actions),
        pulls=int_buffer(game.max_actions),
        counters=int_buffer(3),
        line=int_buffer(options.rollout_plies + 1),
        state=int_buffer(game.state_size),
    )
    seed_rng(tree.counters, seed)
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Discard all iterations; the random stream continues."""
    for arm in range(len(tree.pulls)):
        clear_arm(tree.arms, arm)
        tree.pulls[arm] = 0
    tree.counters[ITERATIONS] = tree.counters[PLIES] = 0


def make_search(game: AlternatingGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, runs n more iterations from the state `root`.

    `root` is left unchanged; the division into calls makes no difference. Where the game
    is over there are no iterations.
    """
    legal, apply, is_over = game.legal, game.apply, game.is_over
    state_size = game.state_size
    uniform = options.exploration is None
    exploration = options.exploration or 0.0
    value = make_value(game, options.score_scale)
    rollout = make_rollout(game, options.rollout_plies)

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        actions, arms, pulls, counters, line, state = tree
        n_actions = 0 if is_over(setup, root) else legal(setup, root, actions)
        for _ in range(n if n_actions > 0 else 0):
            arm = counters[ITERATIONS] % n_actions
            if not uniform:
                weight = exploration_weight(exploration, counters[ITERATIONS] + 1)
                arm = best_bound(arms, 0, n_actions, 1.0, weight)
            for i in range(state_size):
                state[i] = root[i]
            apply(setup, state, actions[arm], state)
            n_plies = rollout(setup, state, line, 1, counters)
            reward = value(setup, state)
            if n_plies & 1:
                reward = -reward
            pulls[arm] += 1
            add_reward(arms, arm, pulls[arm], reward)
            counters[ITERATIONS] += 1
            counters[PLIES] += n_plies

    return search


def best_arm(tree: Tree) -> Optional[int]:
    """Returns the arm of best mean, ties by the number of samples; None before any."""
    sampled = [arm for arm in range(len(tree.pulls)) if tree.pulls[arm]]
    return max(sampled, key=lambda arm: (tree.arms[2 * arm + MEAN], tree.pulls[arm]), default=None)


def best_action(tree: Tree) -> Optional[int]:
    """Returns the action of best mean, None before an iteration."""
    arm = best_arm(tree)
    return None if arm is None else int(tree.actions[arm])


class Summary(NamedTuple):
    """The counts of a search since `reset`, its best action and that action's mean result."""

    iterations: int
    plies: int
    action: Optional[int]
    value: float


def summary(tree: Tree) -> Summary:
    """Returns a `Summary`."""
    arm = best_arm(tree)
    return Summary(
        iterations=int(tree.counters[ITERATIONS]),
        plies=int(tree.counters[PLIES]),
        action=best_action(tree),
        value=0.0 if arm is None else float(tree.arms[2 * arm + MEAN]),
    )


def show_nodes(search: Any, node: int, state: Ints) -> "list[dict[str, Any]]":
    """Returns root actions as rows for `explore`."""
    tree, rows = search.tree, []
    if node == 0:
        for arm, action in enumerate(search.legal(state)):
            n, mean = int(tree.pulls[arm]), float(tree.arms[2 * arm + MEAN])
            value = mean if n else None
            rows.append({"node": arm + 1, "action": action, "visits": n, "value": value})
    return rows


if AT_HOME:
    from ..search.checks.limits import check_calls

    check_calls(globals())
