"""`make infexion-report`: the agents of a report on Infexion against each other, beside its table.

The report is "COMP30024 Project: Part B" by N. Chiorsac and V. Luu (2023). Each pair plays as many
games with either colour; minimax plays itself once. Differences to the report's agents: greedy
chooses evenly among equal actions (the report's favoured later ones); spawns among themselves, and
spreads, come in the order of the cells instead of that of Python's sets and dictionaries.
"""

import math

from rich.console import Console
from rich.table import Table

from bots.infexion import greedy, random_player, report_minimax
from bots.infexion.report import REPORT_GAME, new_report_setup
from shared.core.bits import count_bits
from shared.core.jit import Ints, int_buffer, kernel
from shared.core.rng import seed_rng
from shared.games.infexion.sim import N_ACTIONS, apply, is_over, legal, power_within, result
from shared.games.infexion.state import BLUE, N_PLAYERS, RED, STONES, TURN, new_setup, new_state
from shared.search.alphabeta import new_tree

N_GAMES = 10  # of a pair, with either colour
# Its cells: win/loss/draw of the agent above, as RED and as BLUE, against the opponent on the left.
REPORT_TABLE = (
    ("6/2/2 2/6/2", "10/0/0 10/0/0", "6/3/1 8/2/0", "10/0/0 10/0/0"),
    ("0/10/0 0/10/0", "6/4/0 4/6/0", "0/10/0 0/10/0", "10/0/0 10/0/0"),
    ("2/8/0 3/6/1", "10/0/0 10/0/0", "0/6/4 6/0/4", "10/0/0 10/0/0"),
    ("0/10/0 0/10/0", "0/10/0 0/10/0", "0/10/0 0/10/0", "1/0/0 0/1/0"),
)
SETUP = new_setup()
N_ITERATIONS, EXPLORATION = 100, 0.1  # of the report's Monte Carlo tree search
WORST = 1e300


@kernel
def roll_out(setup: Ints, state: Ints, after: Ints, actions: Ints) -> int:
    """Play greedily in place to the game's end, always the first action of the lowest (cells +
    power of the rival) / (cells + power); returns 1, 0 or -1: who then has more cells, for the
    player who moved last before.
    """
    mover = 1 - (state[TURN] & 1)
    while not is_over(setup, state):
        player = state[TURN] & 1
        best, best_utility = actions[0], 2.0 * WORST
        for i in range(legal(setup, state, actions)):
            apply(setup, state, actions[i], after)
            own, other = after[STONES + player], after[STONES + 1 - player]
            strength = count_bits(own) + power_within(after, own)
            weakness = count_bits(other) + power_within(after, other)
            utility = weakness / strength if strength else WORST
            if utility < best_utility:
                best, best_utility = actions[i], utility
        apply(setup, state, best, state)
    lead = count_bits(state[STONES + mover]) - count_bits(state[STONES + 1 - mover])
    return (1 if lead > 0 else 0) - (1 if lead < 0 else 0)


class Node:
    """A position of the tree: its actions that are not tried yet, and the others' children."""

    def __init__(self, state, actions):
        is_end = is_over(SETUP, state)
        self.left = [] if is_end else list(actions[: legal(SETUP, state, actions)])
        self.children = []  # (action, node)
        self.visits = self.wins = 0

    def best_child(self, exploration):
        """The first (action, node) of the best mean and bonus."""

        def bound(child):
            bonus = math.sqrt(2.0 * math.log(self.visits) / child[1].visits)
            return child[1].wins / child[1].visits + exploration * bonus

        return max(self.children, key=bound)


def search(root):
    """The action of the report's Monte Carlo tree search, whose faults are kept: 100 iterations,
    hardly one for each action; the same rollout at each visit of a leaf; cells decide, not power;
    the same result counts for all nodes of the path, whoever moves there.
    """
    actions, after = int_buffer(N_ACTIONS), new_state()
    tree = Node(root, actions)
    for _ in range(N_ITERATIONS):
        state, path = int_buffer(root), [tree]
        while not is_over(SETUP, state):
            node = path[-1]
            if node.left:
                action = node.left.pop()
                apply(SETUP, state, action, state)
                node.children.append((action, Node(state, actions)))
                path.append(node.children[-1][1])
                break
            action, child = node.best_child(EXPLORATION)
            apply(SETUP, state, action, state)
            path.append(child)
        value = roll_out(SETUP, state, after, actions)
        for node in path:
            node.visits += 1
            node.wins += value
    return int(tree.best_child(0.0)[0])


def by_chance(player, seed):
    rng = int_buffer(1)
    seed_rng(rng, 2 * seed + player)
    return lambda state: random_player.choose(SETUP, state, rng)


def by_greed(player, seed):
    setup, rng = new_report_setup(player), int_buffer(1)
    seed_rng(rng, 2 * seed + player)
    actions, after = int_buffer(N_ACTIONS), new_state()
    return lambda state: greedy.choose(setup, state, rng, actions, after)


def by_minimax(player, seed):
    options, plies = report_minimax.OPTIONS, report_minimax.PLIES
    setup, tree = new_report_setup(player), new_tree(REPORT_GAME, options, 1, plies)
    return lambda state: report_minimax.choose(setup, state, tree)


AGENTS = {
    "Random": by_chance,
    "Greedy": by_greed,
    "MCTS": lambda player, seed: search,
    "Minimax": by_minimax,
}


def play(agents, seed):
    """The winner of a game of (agent as RED, agent as BLUE): RED, BLUE or None."""
    choosers = [agent(player, seed) for player, agent in enumerate(agents)]
    state = new_state()
    while not is_over(SETUP, state):
        apply(SETUP, state, choosers[int(state[TURN]) % N_PLAYERS](state), state)
    value = int(result(SETUP, state))
    mover = int(state[TURN]) % N_PLAYERS
    return {1: mover, -1: 1 - mover, 0: None}[value]


def cell(agent, opponent, n_games):
    """Win/loss/draw of an agent as RED and as BLUE."""
    texts = []
    for colour in (RED, BLUE):
        pair = (agent, opponent) if colour == RED else (opponent, agent)
        winners = [play(pair, seed) for seed in range(n_games)]
        counts = winners.count(colour), winners.count(1 - colour), winners.count(None)
        texts.append("/".join(map(str, counts)))
    return " ".join(texts)


def main():
    """Play and print."""
    table = Table("against", "", *AGENTS, title="Win/loss/draw of the agent above, RED then BLUE")
    for (opponent, other), theirs in zip(AGENTS.items(), REPORT_TABLE):
        ours = [
            cell(agent, other, 1 if agent is other is by_minimax else N_GAMES)
            for agent in AGENTS.values()
        ]
        table.add_row(opponent, "here", *ours)
        table.add_row("", "the report", *theirs, end_section=True)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
