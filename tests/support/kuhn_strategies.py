"""Strategies of Kuhn poker: their value, and how much a best answer wins from them.

A strategy is {(card, actions): the probability to bet}, `actions` as in the game's state.
"""

import itertools

DEALS = [*itertools.permutations(range(3), 2)]
SETS = [[(card, actions) for actions in own for card in range(3)] for own in ((1, 5), (2, 3))]


def gain(cards, actions):
    """Player 0's gain, from a table of all final betting lines; None before the end."""
    line = f"{actions:b}"[1:].replace("0", "p").replace("1", "b")
    higher = 1 if cards[0] > cards[1] else -1
    return {"pp": higher, "bb": 2 * higher, "pbb": 2 * higher, "bp": 1, "pbp": -1}.get(line)


def value(strategies, cards=None, actions=1):
    """Player 0's expected gain if both play their strategies."""
    if cards is None:
        return sum(value(strategies, deal) for deal in DEALS) / len(DEALS)
    won = gain(cards, actions)
    if won is not None:
        return won
    player = 1 if actions in (2, 3) else 0
    bets = strategies[player][cards[player], actions]
    total = 0.0
    for action, share in ((0, 1 - bets), (1, bets)):
        if share:
            total += share * value(strategies, cards, 2 * actions + action)
    return total


def exploitability(strategies):
    """The mean of what a best answer to either strategy wins, beyond the game's value: 0 for an
    equilibrium.
    """
    total = 0.0
    for player in (0, 1):
        gains = []
        for bets in itertools.product((0.0, 1.0), repeat=6):
            pair = list(strategies)
            pair[player] = dict(zip(SETS[player], bets, strict=True))
            gains.append(value(pair) * (1 - 2 * player))
        total += max(gains)
    return total / 2
