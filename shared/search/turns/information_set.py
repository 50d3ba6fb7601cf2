"""Information-set Monte Carlo tree search: games in turns with hidden information, such as cards.

Sources: P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search" (IEEE
Transactions on Computational Intelligence and AI in Games 4(2), 2012), with a single or multiple
observers; J. Heinrich and D. Silver, "Smooth UCT Search in Computer Poker" (IJCAI 2015).

Each iteration draws anew all that the searching player has not seen, and plays that one game on.
The statistics of an action belong to an information set: all positions in which a player has seen
the same. Every draw that leads there shares them, so no action looks good only because the draw is
known (strategy fusion). As not all draws have the same legal actions, UCB1 counts for each action
how often it was available, instead of the visits of all.

With multiple observers, a move's sets are its player's: each plays by what it sees. With a single
one the sets are the searching player's: the others' moves are pooled over all that they may hold,
which needs fewer iterations.

UCB1 alone need not converge to an equilibrium. Smooth UCT mixes it with the average of the past
choices, the more so the more often a set was visited, and comes close to one in small games; its
answer is the share of the visits, `strategy`, and not the most visited action.
"""

import math
from typing import Any, Callable, NamedTuple, Optional

from ...core.game import CHANCE, TurnGame
from ...core.jit import AT_HOME, Floats, Ints, copy_numbers, float_buffer, inline, int_buffer
from ...core.rng import random_below, random_unit, seed_rng

RNG, ITERATIONS, N_SETS, ROOT, N_COUNTERS = range(5)
MOST_PROBES = 16
MEAN, VISITS, AVAILABLE, N_STATISTICS = range(4)
# They distinguish the sets of different viewers and players to move: 55 bits, for products of 64.
VIEWER_KEY, MOVER_KEY = 0x5851F42D4C957F, 0x2545F4914F6CDD


class Options(NamedTuple):
    """Options of a search.

    exploration: the constant C of UCB1, for scores of about -1 to 1 after division by
    `score_scale`.
    multiple: information sets are those of the player to move, else those of the searching player.
    smooth: mix in average strategies: 0 for UCB1 alone, else how soon, such as 0.001; the share of
    UCB1 is max(0.1, 0.9 / (1 + smooth sqrt(visits))).
    rollout_plies: the most plies of a rollout, after which the position is evaluated.
    max_depth: the most actions of players before the rollout.
    score_scale: a large score of the game.
    """

    exploration: float = 1.0
    multiple: bool = True
    smooth: float = 0.0
    rollout_plies: int = 1000
    max_depth: int = 200
    score_scale: float = 1.0


class Tree(NamedTuple):
    """The state of a search. Letters: E information sets, A actions, D the deepest one, P players.

    counters [4]     random state, iterations, information sets in use, the root set's place: -1
                     before the first iteration.
    keys     [E]     the sets' hashes, 0 for a free place.
    visits   [E]     the number of visits of each set.
    actions  [3 E A] mean score of the player to move, visits and times available of each action.
    path, chosen, movers [D]  the sets, actions and players of this iteration.
    state [S], listed [A], scores [P]  scratch space.
    """

    counters: Ints
    keys: Ints
    visits: Ints
    actions: Floats
    path: Ints
    chosen: Ints
    movers: Ints
    state: Ints
    listed: Ints
    scores: Floats


def new_tree(game: TurnGame, options: Options, set_bits: int = 12, seed: int = 1) -> Tree:
    """Returns an empty table of 2**set_bits information sets, 16 + 24 A bytes each."""
    n_sets = 1 << set_bits
    counters = int_buffer(N_COUNTERS)
    seed_rng(counters, seed)
    tree = Tree(
        counters=counters,
        keys=int_buffer(n_sets),
        visits=int_buffer(n_sets),
        actions=float_buffer(N_STATISTICS * n_sets * game.max_actions),
        path=int_buffer(options.max_depth),
        chosen=int_buffer(options.max_depth),
        movers=int_buffer(options.max_depth),
        state=int_buffer(game.state_size),
        listed=int_buffer(game.max_actions),
        scores=float_buffer(game.n_players),
    )
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Forget all information sets; the random stream continues."""
    for i in range(len(tree.keys)):
        tree.keys[i] = tree.visits[i] = 0
    for i in range(len(tree.actions)):
        tree.actions[i] = 0.0
    tree.counters[ITERATIONS] = tree.counters[N_SETS] = 0
    tree.counters[ROOT] = -1


@inline
def place_of(tree: Tree, key: int) -> int:
    """Returns the place of an information set, for a new set a free place; -1 without room."""
    mask = len(tree.keys) - 1
    mixed = (key ^ key >> 31) * 0x9E3779B1 & 0x7FFFFFFFFFFF
    for i in range(MOST_PROBES):
        place = (mixed >> 16) + i & mask
        if tree.keys[place] == key or tree.keys[place] == 0:
            return place
    return -1


def make_search(game: TurnGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, runs n more iterations from the state `root`.

    The searching player is the one to move there. Of the hidden part of `root` nothing is used; it
    is left unchanged, and the division into calls changes nothing. If chance moves, player 0's view
    is taken: from the start of a game all players' strategies are learned.
    """
    to_move, legal, sample, apply = game.to_move, game.legal, game.sample, game.apply
    is_over, evaluate, state_size = game.is_over, game.evaluate, game.state_size
    information, draw, most = game.information, game.draw, game.max_actions
    exploration, multiple, smooth = options.exploration, options.multiple, options.smooth
    rollout_plies, max_depth = options.rollout_plies, options.max_depth
    factor = 1.0 / options.score_scale

    @inline
    def choose_average(tree: Tree, place: int, n: int) -> int:
        """Draw one of n listed actions by its share of visits; -1 before any visits."""
        total = 0.0
        for i in range(n):
            at = N_STATISTICS * (most * place + tree.listed[i])
            total += tree.actions[at + VISITS]
        left = random_unit(tree.counters) * total
        for i in range(n):
            at = N_STATISTICS * (most * place + tree.listed[i])
            left -= tree.actions[at + VISITS]
            if left < 0.0:
                return tree.listed[i]
        return -1

    @inline
    def choose_bound(tree: Tree, place: int, n: int) -> int:
        """Choose the listed action of greatest bound; a random unvisited one first."""
        best, greatest, n_new = tree.listed[0], -1e300, 0
        for i in range(n):
            at = N_STATISTICS * (most * place + tree.listed[i])
            visits = tree.actions[at + VISITS]
            if visits == 0.0:
                n_new += 1
                if random_below(tree.counters, n_new) == 0:
                    best = tree.listed[i]
            elif n_new == 0:
                bonus = math.sqrt(math.log(tree.actions[at + AVAILABLE]) / visits)
                bound = tree.actions[at + MEAN] + exploration * bonus
                if bound > greatest:
                    greatest, best = bound, tree.listed[i]
        return best

    @inline
    def choose(tree: Tree, place: int, n: int) -> int:
        """Choose one of n listed actions in an information set."""
        for i in range(n):
            at = N_STATISTICS * (most * place + tree.listed[i])
            tree.actions[at + AVAILABLE] += 1.0
        if smooth > 0.0:
            share = max(0.1, 0.9 / (1.0 + smooth * math.sqrt(tree.visits[place])))
            if random_unit(tree.counters) >= share:
                action = choose_average(tree, place, n)
                if action >= 0:
                    return action
        return choose_bound(tree, place, n)

    @inline
    def select(setup: Any, tree: Tree, me: int) -> int:
        """Play from the state to the first new information set; returns the actions chosen."""
        state, counters = tree.state, tree.counters
        ply, is_new = 0, False
        while ply < max_depth and not is_new and not is_over(setup, state):
            mover = to_move(setup, state)
            if mover == CHANCE:
                apply(setup, state, sample(setup, state, counters), state)
                continue
            viewer = mover if multiple else me
            key = information(setup, state, viewer) ^ (viewer + 1) * VIEWER_KEY
            key ^= (mover + 1) * MOVER_KEY
            place = place_of(tree, key)
            if place < 0:
                break
            is_new = tree.keys[place] == 0
            if is_new:
                tree.keys[place] = key
                counters[N_SETS] += 1
            if ply == 0 and counters[ROOT] < 0:
                counters[ROOT] = place
            n = legal(setup, state, tree.listed)
            action = choose(tree, place, n)
            apply(setup, state, action, state)
            tree.path[ply], tree.chosen[ply], tree.movers[ply] = place, action, mover
            ply += 1
        return ply

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        state, counters = tree.state, tree.counters
        me = max(to_move(setup, root), 0)
        for _ in range(n):
            copy_numbers(root, 0, state, 0, state_size)
            draw(setup, state, me, counters)
            n_chosen = select(setup, tree, me)
            left = rollout_plies
            while left > 0 and not is_over(setup, state):
                apply(setup, state, sample(setup, state, counters), state)
                left -= 1
            evaluate(setup, state, tree.scores)
            for i in range(n_chosen):
                place = tree.path[i]
                tree.visits[place] += 1
                at = N_STATISTICS * (most * place + tree.chosen[i])
                tree.actions[at + VISITS] += 1.0
                error = tree.scores[tree.movers[i]] * factor - tree.actions[at + MEAN]
                tree.actions[at + MEAN] += error / tree.actions[at + VISITS]
            counters[ITERATIONS] += 1

    return search


def strategy_at(tree: Tree, place: int) -> dict[int, float]:
    """Returns {action: its share of the visits} of an information set in the table."""
    size = len(tree.actions) // len(tree.keys)
    actions = tree.actions[size * place : size * (place + 1)]
    visits = [float(actions[i + VISITS]) for i in range(0, size, N_STATISTICS)]
    total = sum(visits)
    return {action: n / total for action, n in enumerate(visits) if n > 0}


def strategy(tree: Tree) -> dict[int, float]:
    """Returns {action: the probability to play it} at the root, {} before an iteration."""
    root = int(tree.counters[ROOT])
    return strategy_at(tree, root) if root >= 0 else {}


def best_action(tree: Tree) -> Optional[int]:
    """Returns the root's most visited action, the first of equals; None before any."""
    shares = strategy(tree)
    return max(shares, key=shares.__getitem__) if shares else None


class Summary(NamedTuple):
    """The counts of a search since `reset`, and its strategy at the root.

    sets: the information sets in use. strategy: see `strategy`. means: the mean score of each of
    its actions, by `score_scale`, for the player to move.
    """

    iterations: int
    sets: int
    strategy: dict[int, float]
    means: dict[int, float]


def summary(tree: Tree) -> Summary:
    """Returns a `Summary`."""
    shares, root = strategy(tree), int(tree.counters[ROOT])
    first = len(tree.actions) // len(tree.keys) * root
    return Summary(
        iterations=int(tree.counters[ITERATIONS]),
        sets=int(tree.counters[N_SETS]),
        strategy=shares,
        means={a: float(tree.actions[first + N_STATISTICS * a + MEAN]) for a in shares},
    )


def show_nodes(search: Any, node: Any, state: Ints) -> "list[dict[str, Any]]":
    """Returns a position's actions as rows for `explore`, by its information set; [] without one.
    The hidden part of the root's position is a guess of the bot's own.
    """
    game, tree, options = search.game, search.tree, search.options
    actions, rows = search.legal(state), []
    mover = int(game.to_move(search.setup, state))
    if mover == CHANCE:
        shares = search.chances(state, actions)
        return [
            {"node": 1, "action": action, "value": 0.0, "prior": share, "weight": share}
            for action, share in zip(actions, shares)
        ]
    viewer = mover if options.multiple else search.viewer
    key = int(game.information(search.setup, state, viewer))
    key ^= (viewer + 1) * VIEWER_KEY ^ (mover + 1) * MOVER_KEY
    place = int(place_of(tree, key))
    if place < 0 or tree.keys[place] != key:
        return []
    for action in actions:
        at = N_STATISTICS * (game.max_actions * place + action)
        visits, mean = int(tree.actions[at + VISITS]), float(tree.actions[at + MEAN])
        row = {"node": 1, "action": action, "visits": visits}
        if visits:
            spread = math.sqrt(math.log(float(tree.actions[at + AVAILABLE])) / visits)
            row |= {"value": mean, "bound": mean + options.exploration * spread}
        rows.append({**row, "prior": visits / max(int(tree.visits[place]), 1)})
    return rows


if AT_HOME:
    from ...search.checks.limits import check_calls

    check_calls(globals())
