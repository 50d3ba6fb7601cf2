"""Kuhn poker, whose equilibria are known: for tests of searches with hidden information.

Source: H. Kuhn, "A Simplified Two-Person Poker" (Contributions to the Theory of Games 1, 1950).
Each of two players puts in 1 and gets one of three cards. They pass or bet 1 more in turn. A player
that passes after a bet loses what it put in, else the higher card wins. The value to player 0 is
-1/18.

    setup   nothing
    state   the cards of player 0 and 1, -1 before they are dealt, and the actions so far: 1, then a
            bit for each
    action  0 passes, 1 bets; of chance: a deal, 3 (card of player 0) + (card of player 1)
"""

from shared.core.game import CHANCE, TurnGame
from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below

CARDS, ACTIONS = 0, 2
PASS, BET = range(2)
N_CARDS = 3
# Values of the actions so far.
BEGUN, PASSED_ALL, BET_PASSED, BET_BET, PASSED_BET_PASSED, PASSED_BET_BET = 1, 4, 6, 7, 10, 11


def new_setup():
    """An empty setup: Kuhn poker has no parameters."""
    return int_buffer(1)


def new_state(cards=(-1, -1), actions=()):
    """The start, or a position with cards after actions."""
    played = BEGUN
    for action in actions:
        played = 2 * played + action
    return int_buffer([*cards, played])


@inline
def to_move(setup, state):
    """CHANCE before the cards are dealt, then 0 and 1 in turn."""
    if state[CARDS] < 0:
        return CHANCE
    return 1 if 2 <= state[ACTIONS] < 4 else 0


@inline
def legal(setup, state, actions):
    """To pass and to bet, or all deals."""
    if state[CARDS] >= 0:
        actions[0], actions[1] = PASS, BET
        return 2
    n = 0
    for deal in range(N_CARDS * N_CARDS):
        if deal // N_CARDS != deal % N_CARDS:
            actions[n] = deal
            n += 1
    return n


@inline
def other_card(card, rng):
    """One of the two other cards, drawn uniformly."""
    other = random_below(rng, N_CARDS - 1)
    return other + 1 if other >= card else other


@inline
def sample(setup, state, rng):
    """A deal or an action, drawn uniformly."""
    if state[CARDS] >= 0:
        return random_below(rng, 2)
    card = random_below(rng, N_CARDS)
    return N_CARDS * card + other_card(card, rng)


@inline
def chances(setup, state, actions, n, shares):
    """Writes the deals' probabilities: all the same."""
    for i in range(n):
        shares[i] = 1.0 / n


@inline
def apply(setup, state, action, after):
    """Deal the cards, or add an action."""
    is_dealt = state[CARDS] >= 0
    after[ACTIONS] = 2 * state[ACTIONS] + action if is_dealt else BEGUN
    for player in range(2):
        after[CARDS + player] = state[CARDS + player]
    if not is_dealt:
        after[CARDS], after[CARDS + 1] = action // N_CARDS, action % N_CARDS


@inline
def is_over(setup, state):
    """True after two passes, two bets, or a pass after a bet."""
    return state[ACTIONS] == PASSED_ALL or state[ACTIONS] >= BET_PASSED


@inline
def evaluate(setup, state, scores):
    """Writes the gains, 1 or 2, and 0 before the end."""
    actions, gain = state[ACTIONS], 1.0 if state[CARDS] > state[CARDS + 1] else -1.0
    if actions in (BET_BET, PASSED_BET_BET):
        gain *= 2.0
    elif actions == BET_PASSED:
        gain = 1.0
    elif actions == PASSED_BET_PASSED:
        gain = -1.0
    elif actions != PASSED_ALL:
        gain = 0.0
    scores[0], scores[1] = gain, -gain


@inline
def key(setup, state):
    """The state's numbers packed into one."""
    return (state[ACTIONS] * 4 + state[CARDS] + 1) * 4 + state[CARDS + 1] + 1


@inline
def information(setup, state, player):
    """The player's own card and the actions."""
    return state[ACTIONS] * 4 + state[CARDS + player] + 1


@inline
def draw(setup, state, player, rng):
    """Draw the other player's card, if it is dealt."""
    if state[CARDS] >= 0:
        state[CARDS + 1 - player] = other_card(state[CARDS + player], rng)


GAME = TurnGame(
    n_players=2,
    max_actions=N_CARDS * N_CARDS,
    state_size=3,
    to_move=to_move,
    legal=legal,
    sample=sample,
    apply=apply,
    is_over=is_over,
    evaluate=evaluate,
    key=key,
    chances=chances,
    information=information,
    draw=draw,
)
