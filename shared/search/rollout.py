"""The value of a position to a search that samples: by its result, evaluation or a random game."""

from typing import Any

from ..core.game import AlternatingGame
from ..core.jit import Function, Ints, inline


def make_value(game: AlternatingGame, score_scale: float) -> Function:
    """value(setup, state) -> float from -1 to 1 for the player to move: 1 for a win, -1 for a loss.

    An unfinished game counts its squashed evaluation: `score_scale` points are half a win.
    """
    is_over, result, evaluate = game.is_over, game.result, game.evaluate

    @inline
    def value(setup: Any, state: Ints) -> float:
        if is_over(setup, state):
            return 1.0 * result(setup, state)
        score = evaluate(setup, state)
        return score / (abs(score) + score_scale)

    return value


def make_rollout(game: AlternatingGame, max_plies: int) -> Function:
    """rollout(setup, state, line, ply, rng) -> ply at its end: plays the game's samples, in place.

    The actions go into `line` from `ply` on; it stops after `max_plies` plies at the latest.
    """
    is_over, sample, apply = game.is_over, game.sample, game.apply

    @inline
    def rollout(setup: Any, state: Ints, line: Ints, ply: int, rng: Ints) -> int:
        last = ply + max_plies
        while ply < last and not is_over(setup, state):
            line[ply] = sample(setup, state, rng)
            apply(setup, state, line[ply], state)
            ply += 1
        return ply

    return rollout
