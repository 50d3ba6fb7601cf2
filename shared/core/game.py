"""The interface of a game to a search: free `njit` functions over flat buffers, in a NamedTuple.

The functions have these names: `legal`, `sample`, `apply`, `is_over`, `result`,
`evaluate`, `key`. Games of alternating moves are complete in `shared/games/<game>/game.py` (GAME);
if the rules define no evaluation, GAME uses the result and a bot replaces it. In the other contests
the rules give `apply` and `is_over` of whole turns, and `bots/<contest>/game.py` makes the game
(`make_game`): the actions considered and the evaluation are a bot's own choice.

Letters, here and in `shared/search`: S numbers of a state, P agents, A the most actions of an
agent.

setup        [*]         map, roles, weights, as the game lays them out.
state        [S]         one position, as the game lays it out; both float64 or both int64.
joint_action int64[P]    an action of each agent.
actions      int64[A]    room for a list of actions.
rng          int64[1]    the state of a random generator.
scores       float64[P]  of a position for each agent, the higher the better, in the game's unit.

The functions allocate and raise nothing; in `setup` they write only random states and memos, which
change no result.
"""

from typing import Any, NamedTuple

from ..core.jit import Floats, Function

# Creating one has no side effect: bundles prune unused ones.
EFFECT_FREE = ("SimultaneousGame", "AlternatingGame", "SequentialGame", "SoloGame", "TurnGame")

CHANCE = -1  # moves in a TurnGame


class SimultaneousGame(NamedTuple):
    """A game in which all agents choose at once.

    legal(setup, state, agent, actions) -> n    writes the agent's actions, in a fixed order; n >= 1
    sample(setup, state, agent, rng) -> action  a random action in a rollout.
    apply(setup, state, joint_action)           plays a turn in place.
    is_over(setup, state) -> bool               no turn follows.
    evaluate(setup, state, scores)              writes each agent's score.
    numbers                                     Floats or Ints: what setup and state hold.
    """

    n_agents: int
    max_actions: int
    state_size: int
    legal: Function
    sample: Function
    apply: Function
    is_over: Function
    evaluate: Function
    numbers: Any = Floats


class AlternatingGame(NamedTuple):
    """A game of two players, 0 and 1, who move in turns and see everything; zero-sum.

    Its buffers are int64. An action is a number 0..max_actions-1 that means the same in every
    position, so that a search may keep statistics of it; scores are from the view of the player to
    move.

    to_move(setup, state) -> 0 or 1
    legal(setup, state, actions) -> n     writes the actions, each once, in a fixed order; n >= 1
                                          unless the game is over.
    sample(setup, state, rng) -> action   one legal action at random, as a rollout plays.
    apply(setup, state, action, after)    writes the position after `action`; `after` may be `state`
    is_over(setup, state) -> bool         no move follows.
    result(setup, state) -> 1, 0 or -1    of a game that is over, for the player to move.
    evaluate(setup, state) -> int         value of an open position, within +-2**61.
    key(setup, state) -> int64            a hash of the position with the player to move (Zobrist's)
    setup_type                            what `setup` is: a NamedTuple of buffers, None for Ints.
    priors(setup, state, actions, n, shares)  writes to float64[n] the probability of each legal
                                          action to be the best; None without priors.
    following(setup, state, action) -> action  the next in the order of `legal`, the first after -1,
                                          -1 after the last; None: the search lists all.
    """

    max_actions: int
    state_size: int
    to_move: Function
    legal: Function
    sample: Function
    apply: Function
    is_over: Function
    result: Function
    evaluate: Function
    key: Function
    setup_type: Any = None
    priors: Any = None
    following: Any = None


class SequentialGame(NamedTuple):
    """A game with full information for P players, who move in turns; some may be out.

    Its buffers are int64. A higher score is a better position for the player, in finished and open
    games alike.

    to_move(setup, state) -> 0..P-1
    legal(setup, state, actions) -> n      writes the actions, each once, in a fixed order; n >= 1
                                           unless the game is over.
    apply(setup, state, action, after)     writes the position after `action`.
    is_over(setup, state) -> bool          no move follows.
    evaluate(setup, state, scores)         writes each player's score.
    key(setup, state) -> int64             a hash of the position with the player to move; 0 for
                                           a position that is kept out of tables.
    """

    n_players: int
    max_actions: int
    state_size: int
    to_move: Function
    legal: Function
    apply: Function
    is_over: Function
    evaluate: Function
    key: Any = None


class TurnGame(NamedTuple):
    """A game of P players who move in any order, several times in a row for instance, and of
    chance: dice are rolled, cards are dealt.

    Its buffers are int64. Where chance moves, an action is an outcome: the number rolled, the card.
    A higher score is a better position for the player, in finished and open games alike.

    to_move(setup, state) -> 0..P-1, or CHANCE
    legal(setup, state, actions) -> n       writes the actions, each once, in a fixed order; n >= 1
                                            unless the game is over.
    sample(setup, state, rng) -> action     one legal action at random, as a rollout plays; of
                                            chance's, each with its probability.
    apply(setup, state, action, after)      writes the position after `action`; `after` may be
                                            `state`.
    is_over(setup, state) -> bool           no action follows.
    evaluate(setup, state, scores)          writes each player's score.
    key(setup, state) -> int64              a hash of the position with the player to move.
    chances(setup, state, actions, n, shares)  writes to float64[n] the probability of each of n
                                            outcomes, above 0, 1 in all; None without chance.
    information(setup, state, player) -> int64  a hash of all that the player has seen, its own
                                            actions among it; None if all players see everything.
    draw(setup, state, player, rng)         draws anew, in place, all that the player has not seen,
                                            each case with its probability given what it has seen.
    """

    n_players: int
    max_actions: int
    state_size: int
    to_move: Function
    legal: Function
    sample: Function
    apply: Function
    is_over: Function
    evaluate: Function
    key: Function
    chances: Any = None
    information: Any = None
    draw: Any = None


class SoloGame(NamedTuple):
    """A game of one agent who sees everything, for as high a score as can be.

    Its buffers are int64; scratch space that the functions need is a part of `setup`.

    legal(setup, state, actions) -> n     writes the actions, each once, in a fixed order; n >= 1
                                          unless the game is over.
    sample(setup, state, rng) -> action   one legal action at random, as a rollout plays.
    apply(setup, state, action, after)    writes the position after `action`; `after` may be `state`
    is_over(setup, state) -> bool         no action follows.
    score(setup, state) -> number         the score so far; where the game is over the final one.
    evaluate(setup, state) -> number      rates a position among positions of as many actions.
    key(setup, state) -> int64            a hash of the position without its score, from 0 on.
    code(setup, state, action) -> int     0..n_codes-1, equal for actions that are alike in
                                          different positions: an adaptive policy learns a weight
                                          of each; None where the game has none.
    expand(setup, state, actions, values) -> n   writes the actions, as `legal` does, and
                                          `evaluate` of the position after each: None where it is
                                          no faster than the three functions.
    """

    max_actions: int
    state_size: int
    legal: Function
    sample: Function
    apply: Function
    is_over: Function
    score: Function
    evaluate: Function
    key: Function
    code: Any = None
    n_codes: int = 0
    expand: Any = None
