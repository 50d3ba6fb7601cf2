"""Games whose setup is a tuple of buffers, of which `tables` is the setup of the game's own
functions: games of networks and weighted terms.
"""

from typing import Any

from ..core.game import AlternatingGame
from ..core.jit import Function, inline


def with_tables(game: AlternatingGame) -> AlternatingGame:
    """Wrap a game's functions to take the tuple."""
    return game._replace(
        to_move=take_tables(game.to_move),
        legal=take_tables(game.legal),
        sample=take_tables(game.sample),
        apply=take_tables(game.apply),
        is_over=take_tables(game.is_over),
        result=take_tables(game.result),
        key=take_tables(game.key),
    )


def take_tables(function: Function) -> Function:
    """Wrap a function of a setup to take the tuple."""

    @inline
    def call(setup: Any, *others: Any) -> Any:
        return function(setup.tables, *others)

    return call


def stages_with_tables(noisy: Function, quiet: Function, futility_margin: int) -> "tuple[Any, ...]":
    """Returns arguments of alpha-beta's `make_search` for the game with tables."""
    return take_tables(noisy), take_tables(quiet), futility_margin
