"""The task of training a contest's evaluation: the player's file, the game, and examples made of
games. At home only.

The player's file is `bots/<contest>/features.py` (`network_task.py`) or `terms.py`
(`terms_task.py`). The game is GAME, `new_setup` and `new_state` of that file, else of
`bots/<contest>/game.py`, else of the rules.
"""

from importlib import import_module, util
from typing import Any

import numpy as np

from ..core.game import AlternatingGame
from ..core.jit import Ints, kernel
from ..learn.searched_games import Positions

MODULES = ("bots.{}.game", "shared.games.{}.game", "shared.games.{}.state")
MAX_PLIES = 400  # longer games are drawn
VALUE_SHARE = 0.5  # weight of the search's value in a target; the rest is the game's result
N_CHECKED = 12  # games
SPARE_WORDS, UNTOUCHED = 64, -(1 << 55)


class TaskError(ValueError):
    """The player's file does not fit the game; the text says where."""


class Task:
    """The task of a contest. Raises TaskError if its files do not fit."""

    def __init__(self, contest: str, name: str, advice: str):
        self.file = f"bots/{contest}/{name}.py"
        names = [f"bots.{contest}.{name}", *(module.format(contest) for module in MODULES)]
        if not util.find_spec(names[0]):
            raise TaskError(f"{self.file} is missing: {advice.format(contest)}")
        self.modules = [import_module(name) for name in names if util.find_spec(name)]
        self.game: AlternatingGame = self.find("GAME")
        if not isinstance(self.game, AlternatingGame):
            raise TaskError(
                f"{contest} is a {type(self.game).__name__}: training is for games of two"
                " players in turns, an AlternatingGame"
            )
        self.tables, self.start = self.find("new_setup")(), self.find("new_state")()
        apply, is_over = self.game.apply, self.game.is_over

        @kernel
        def step(tables: Ints, state: Ints, action: int) -> bool:
            """Play an action; returns is_over."""
            apply(tables, state, action, state)
            return is_over(tables, state)

        self._step = step

    def find(self, name: str, default: Any = None) -> Any:
        """Look up `name` in the modules, else return default. Raises TaskError."""
        for module in self.modules:
            if hasattr(module, name):
                return getattr(module, name)
        if default is None:
            places = ", ".join(module.__name__ for module in self.modules)
            raise TaskError(f"{self.file} lacks {name}, which {places} do not have either")
        return default


def targets(positions: Positions) -> np.ndarray:
    """Returns values float32[N] to learn: mean of search and result, or a proven value."""
    proven = np.isin(positions.values, (-1.0, 0.0, 1.0))
    share = np.where(proven, 1.0, VALUE_SHARE)
    return (positions.results + share * (positions.values - positions.results)).astype(np.float32)
