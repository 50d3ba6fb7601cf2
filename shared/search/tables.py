"""Games whose setup is a tuple of buffers, of which `tables` is the setup of the game's own
functions: those of networks and of weighted terms.
"""

from typing import Any

from ..core.game import AlternatingGame
from ..core.jit import Function, Ints, inline


def with_tables(game: AlternatingGame) -> AlternatingGame:
    """The same game, whose functions take the tuple."""
    game_to_move, game_apply, game_sample = game.to_move, game.apply, game.sample
    game_is_over, game_result, game_key = game.is_over, game.result, game.key

    @inline
    def to_move(setup: Any, state: Ints) -> int:
        return game_to_move(setup.tables, state)

    @inline
    def sample(setup: Any, state: Ints, rng: Ints) -> int:
        return game_sample(setup.tables, state, rng)

    @inline
    def apply(setup: Any, state: Ints, action: int, after: Ints) -> None:
        game_apply(setup.tables, state, action, after)

    @inline
    def is_over(setup: Any, state: Ints) -> bool:
        return game_is_over(setup.tables, state)

    @inline
    def result(setup: Any, state: Ints) -> int:
        return game_result(setup.tables, state)

    @inline
    def key(setup: Any, state: Ints) -> int:
        return game_key(setup.tables, state)

    return game._replace(
        to_move=to_move,
        legal=list_with_tables(game.legal),
        sample=sample,
        apply=apply,
        is_over=is_over,
        result=result,
        key=key,
    )


def list_with_tables(list_actions: Function) -> Function:
    """The same `legal`, or another function that writes actions, which takes the tuple."""

    @inline
    def listed(setup: Any, state: Ints, actions: Ints) -> int:
        return list_actions(setup.tables, state, actions)

    return listed


def stages_with_tables(noisy: Function, quiet: Function, futility_margin: int) -> "tuple[Any, ...]":
    """The same arguments of alpha-beta's `make_search`, for the game with tables."""
    return list_with_tables(noisy), list_with_tables(quiet), futility_margin
