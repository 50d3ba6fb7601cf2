"""Proofs of endgames: does the player to move win?

`ProvingPlayer` is the bot `network` with proofs, of which the bot's `NOTES.md` tells. It is no bot,
since its native bundle has more characters than a site takes.

The proof-number search generates some 15 million positions a second of CPU. It needs a seventh of
the positions and half of the time for each if the state contains its hash, if positions count their
actions, and if a win at once is seen without a search.

    state int64[13]   that of the rules, then the hash of the position, HASH
"""

from bots.ultimate_tic_tac_toe.game import winning_cells
from bots.ultimate_tic_tac_toe.network import NetworkPlayer
from shared.core.bits import count_bits
from shared.core.jit import inline, int_buffer, kernel
from shared.games.ultimate_tic_tac_toe.game import GAME
from shared.games.ultimate_tic_tac_toe.sim import (
    DIGIT,
    apply,
    boards_won,
    key,
    nth,
    open_cells,
    playable,
)
from shared.games.ultimate_tic_tac_toe.state import (
    KEYS,
    N_CELLS,
    NEXT,
    NEXT_KEYS,
    STATE_SIZE,
    TURN,
    WINS,
)
from shared.search import mcts
from shared.search.bandit import fix_arm, is_fixed
from shared.search.proof_number import (
    Options,
    is_finished,
    make_search,
    new_tree,
    reset,
    summary,
)
from shared.search.tree import best_child, child_of, node_action

# Tuning: see NOTES.md. From this ply on, each part of the search is followed by proofs, a 15th of
# the time.
FIRST_PROOF = 26
PART = 1000
PROOF_NODES = 1500

HASH = STATE_SIZE
OPTIONS = Options(goal=1, max_depth=82)
TABLE_BITS = 18


@inline
def apply_hashed(setup, state, action, after):
    """Write the position after an action, and its hash, into `after`."""
    hashed = state[HASH] ^ setup[NEXT_KEYS + state[NEXT]]
    shift = N_CELLS if state[TURN] & 1 else 0
    apply(setup, state, action, after)
    stone = 2 * N_CELLS * (action >> DIGIT) + (action & 15) + shift
    after[HASH] = hashed ^ setup[KEYS + stone] ^ setup[NEXT_KEYS + after[NEXT]]


@inline
def hash_of(setup, state):
    return state[HASH]


@inline
def outlook(setup, state):
    """The number of actions, or 0 if one of them wins the game."""
    mover = state[TURN] & 1
    wins = setup[WINS + boards_won(state, mover)]
    boards = playable(state)
    n = 0
    while boards:
        board = nth(setup, boards, 0)
        boards &= boards - 1
        if wins >> board & 1 and winning_cells(setup, state, board, mover):
            return 0
        n += count_bits(open_cells(state, board))
    return n


def hashed(setup, state):
    """A copy of a position of the rules, with its hash."""
    return int_buffer([*state, key(setup, state)])


PROOF_GAME = GAME._replace(state_size=STATE_SIZE + 1, apply=apply_hashed, key=hash_of)

search = kernel(make_search(PROOF_GAME, OPTIONS, outlook))


class Prover:
    """Refutes the best action of a tree: does the rival win after it? If it does not, does the
    player to move win by any action? The proofs' table is kept through the game.
    """

    def __init__(self, setup):
        self.setup = setup
        self.proofs = new_tree(PROOF_GAME, OPTIONS, TABLE_BITS)

    def start(self, state):
        """Take another position."""
        self.root = hashed(self.setup, state)
        self.safe = []  # the rival does not win after these actions
        self.asked = None
        self.is_decided = False  # the position is won, or not

    def prove(self, tree, nodes):
        """Search for the proof by so many nodes; a proven value is written into the tree."""
        child = best_child(tree, 0)
        action = node_action(tree, child)
        if is_fixed(tree.arms, child) or (self.is_decided and action in self.safe):
            return
        asked = -1 if action in self.safe else action
        if asked != self.asked:
            self.asked = asked
            reset(self.proofs)
            self.position = int_buffer(self.root)
            if asked >= 0:
                apply_hashed(self.setup, self.root, action, self.position)
        search(self.setup, self.position, self.proofs, nodes)
        if not is_finished(self.proofs):
            return
        found = summary(self.proofs)
        if asked < 0:
            self.is_decided = True
            if found.reached:
                fix_arm(tree.arms, child_of(tree, 0, found.action), 1.0)
                fix_arm(tree.arms, 0, -1.0)
        elif found.reached:
            fix_arm(tree.arms, child, -1.0)
        else:
            self.safe.append(action)


class ProvingPlayer(NetworkPlayer):
    """Its search goes in turns with proofs of its best action."""

    def __init__(self):
        super().__init__()
        self.prover = Prover(self.setup)
        self.search_alone, self.search = self.search, self.search_and_prove

    def searched_setup(self):
        self.prover.start(self.state)
        self.searched = 0
        return super().searched_setup()

    def search_and_prove(self, setup, state, tree, nodes):
        while nodes and not mcts.is_finished(tree):
            part = min(nodes, PART - self.searched % PART)
            self.search_alone(setup, state, tree, part)
            nodes -= part
            self.searched += part
            if self.searched % PART == 0 and state[TURN] >= FIRST_PROOF:
                self.prover.prove(tree, PROOF_NODES)
