"""Checks the buffers of a search's call: compiled, the search would read and write beyond them.

`limits.py` notes the trees that are made, and gives each search a `check_call` that `kernel` runs
once a call. No bundle has this module: its source's calls were checked.
"""

import functools
import inspect
import weakref
from collections.abc import Sequence
from typing import Any, Callable, Optional

import numpy as np

# The id of a buffer -> the buffer, weakly, and the arguments that its tree was made with
_made: dict[int, tuple[Any, dict[str, Any]]] = {}


def note_tree(tree: Any, arguments: dict[str, Any]) -> None:
    """Note the arguments that a tree was made with, while its buffers live."""
    for buffer in tree:
        if isinstance(buffer, np.ndarray):
            forget = functools.partial(_forget, id(buffer))
            _made[id(buffer)] = weakref.ref(buffer, forget), arguments


def _forget(key: int, _: Any) -> None:
    _made.pop(key, None)


def _arguments_of(tree: Any) -> Optional[dict[str, Any]]:
    """Returns the arguments that made a tree or one sharing buffers, or None."""
    for buffer in tree:
        alive, arguments = _made.get(id(buffer), (lambda: None, None))
        if alive() is buffer:
            return arguments
    return None


def _is_other_game(game: Any, other: Any) -> bool:
    """Returns True if games share no rule: a bot may replace some rules in a copy."""
    rules = ("legal", "apply", "is_over")
    names = [name for name in rules if hasattr(game, name) and hasattr(other, name)]
    return bool(names) and not any(
        _place_of(getattr(game, name)) == _place_of(getattr(other, name)) for name in names
    )


def _place_of(function: Any) -> tuple[Any, Any]:
    return getattr(function, "__module__", None), getattr(function, "__qualname__", function)


def make_check(
    function: Any, game: Any, options: Any, new_tree: Any, of_trees: Sequence[str] = ()
) -> Callable[..., None]:
    """Returns `check_call` of a search, which takes the search's arguments.

    function: the search that `make_search` made of the game and the options; new_tree: the function
    that makes its buffers, without checks; of_trees: options that are read from the tree alone, so
    that trees may differ in them. `check_call` raises ValueError for a root that is no state of
    the game, and for buffers that were made for another game or other sizes.
    """
    names = list(inspect.signature(function).parameters)
    call = f"search({', '.join(names)})"
    root_at = next((i for i, name in enumerate(names) if name in ("root", "state")), None)
    tree_at = next(i for i, name in enumerate(names) if name in ("tree", "trees", "population"))
    tree_name = names[tree_at]
    size: int = getattr(game, "state_size", 0)  # not of each kind of game
    fitting: list[dict[str, Any]] = []

    def check_root(setup: Any, root: Any) -> None:
        # A longer root may hold what a copy of the game reads.
        is_swapped = len(root) != size and not isinstance(setup, tuple) and len(setup) == size
        if len(root) < size or is_swapped:
            raise ValueError(
                f"{call}: the root holds {len(root):,} numbers, a state of the game {size:,}: give"
                " the setup first, then a state"
            )

    def check_tree(tree: Any) -> None:
        arguments = _arguments_of(tree)
        if arguments is None or any(arguments is known for known in fitting):
            return
        if _is_other_game(game, arguments["game"]):
            raise ValueError(f"{call}: {tree_name} was made for another game: make its own")
        if game is not arguments["game"] or options != arguments["options"]:
            kept = {name: getattr(arguments["options"], name) for name in of_trees}
            changed = {"game": game, "options": options._replace(**kept)}
            needed = new_tree(**{**arguments, **changed})
            for name, buffer, other in zip(tree._fields, tree, needed):
                if len(buffer) < len(other):
                    raise ValueError(
                        f"{call}: {tree_name}.{name} holds {len(buffer):,} numbers, this game and"
                        f" these options need {len(other):,}: make it with them"
                    )
        fitting.append(arguments)

    def check_call(*arguments: Any) -> None:
        # Others are refused by `kernel`, by their types.
        if root_at is not None and size and hasattr(arguments[root_at], "__len__"):
            check_root(arguments[0], arguments[root_at])
        if hasattr(arguments[tree_at], "_fields"):
            check_tree(arguments[tree_at])

    return check_call
