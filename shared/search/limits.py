"""Checks the options of all searches and the sizes of their trees, in one place.

`check_calls(globals())` at the end of a search's module lets its functions refuse values that
cannot work. It stands under `if AT_HOME:`, so it is no part of a bundle: its source was checked.

Names mean the same in all searches, so a range belongs to a name. Where they differ, the search's
own comes first ("smitsimax.noise").
"""

import functools
import inspect
import math
import numbers
import os
from typing import Any, Callable

from shared.core.rng import MASK

# The values of each name, and the words for them.
POSITIVE = (math.ulp(0.0), math.inf, "above 0")
NOT_NEGATIVE = (0, math.inf, "0 or more")
FROM_ONE = (1, math.inf, "1 or more")
SHARE = (0, 1, "from 0 to 1")
POSITIVE_SHARE = (math.ulp(0.0), 1, "above 0 and at most 1")
FINITE = (-1e12, 1e12, "from -1e12 to 1e12")
RANK = (0, 1 << 40, "from 0 to 2**40")  # a bonus of ranks, which are below 2**62
RANGES = {
    "alpha": NOT_NEGATIVE,
    "amplitude": NOT_NEGATIVE,
    "aspiration": RANK,
    "best_share": SHARE,
    "capacity": (1, MASK >> 1, "from 1 to 2**31 - 1"),
    "cold": POSITIVE,
    "converged": POSITIVE_SHARE,
    "cooling": POSITIVE,
    "crossover": SHARE,
    "decay": POSITIVE_SHARE,
    "depth": FROM_ONE,
    "expectimax.depth": (1, 255, "from 1 to 255"),
    "exploration": NOT_NEGATIVE,
    "first_play": FINITE,
    "goal": (0, 1, "0 or 1"),
    "greatest": FINITE,
    "growth": NOT_NEGATIVE,
    "history": RANK,
    "hot": POSITIVE,
    "iterations": FROM_ONE,
    "killers": RANK,
    "late_reductions": NOT_NEGATIVE,
    "least": FINITE,
    "level": FROM_ONE,
    "max_agents": FROM_ONE,
    "max_depth": FROM_ONE,
    "mutation_rate": SHARE,
    "noise": NOT_NEGATIVE,
    "passes": FROM_ONE,
    "population": FROM_ONE,
    "prior_share": SHARE,
    "prior_visits": NOT_NEGATIVE,
    "probe": FROM_ONE,
    "queue": FROM_ONE,
    "quiescence": (0, 62, "from 0 to 62"),
    "random_visits": NOT_NEGATIVE,
    "rave_visits": NOT_NEGATIVE,
    "reductions": NOT_NEGATIVE,
    "reevaluate_every": FROM_ONE,
    "rival_every": FROM_ONE,
    "rollout_plies": NOT_NEGATIVE,
    "runs": FROM_ONE,
    "scale": NOT_NEGATIVE,
    "score_scale": POSITIVE,
    "searchers": FROM_ONE,
    "information_set.scale": POSITIVE,
    "set_bits": (1, 32, "from 1 to 32"),
    "siblings": NOT_NEGATIVE,
    "smooth": NOT_NEGATIVE,
    "smitsimax.noise": SHARE,
    "spread": NOT_NEGATIVE,
    "step": FROM_ONE,
    "steps": FROM_ONE,
    "table_bits": (1, 32, "from 1 to 32"),
    "turn_uct.scale": POSITIVE,
    "temperature": NOT_NEGATIVE,
    "width": (1, MASK >> 1, "from 1 to 2**31 - 1"),
}
# The names that buffers grow with.
SIZES = ("width", "queue", "capacity", "population", "table_bits", "max_depth")
# The names that may be None.
OPTIONAL = {"flat_monte_carlo.exploration"}

# Their answer is a child of the root in a tree, which has room for all children or for none.
WITH_CHILDREN = {"mcts", "smitsimax", "turn_uct"}
# Their trees are those of `tree.py`: a node has 15 bits for the number of its children.
IN_TREES = WITH_CHILDREN | {"single_player_mcts"}


def _has_moves(noisy: Any) -> bool:
    return noisy.__name__ != "no_actions"


# Values that do not fit together: the rule, and the advice where it is broken. A rule applies where
# a call has all of its values; `game` and `search`, the module's name, are among them.
RULES: list[tuple[Callable[..., bool], str]] = [
    (
        lambda holds: bool(holds) and all(isinstance(n, int) and n > 0 for n in holds),
        "holds is a number of turns a choice, as in (1, 1, 2), not {holds}",
    ),
    (lambda hot, cold: hot >= cold, "hot is at least cold, not {hot} for {cold}"),
    (
        lambda depth, step: step <= depth,
        "step is 1 to depth, {depth}, not {step}: a search deepens by so many plies",
    ),
    (
        lambda search, depth, quiescence: search != "alphabeta" or depth + quiescence <= 63,
        "depth and quiescence must be 1 to 63 together, not {depth} and {quiescence}",
    ),
    (
        lambda least, greatest: least < greatest,
        "least is below greatest, not {least} and {greatest}",
    ),
    (
        lambda search, game: search != "information_set"
        or None not in (game.information, game.draw),
        "hidden information is drawn anew: give the game `information` and `draw`",
    ),
    (
        lambda search, game: search != "beam" or game.max_actions <= 1 << 20,
        "a beam notes an action in 20 bits: a position has at most 2**20 actions, not"
        " {game.max_actions}",
    ),
    (
        lambda search, game: search not in IN_TREES or game.max_actions < 1 << 15,
        "a node of a tree has fewer than 2**15 children, not {game.max_actions}",
    ),
    (lambda minimum, mean: not (minimum and mean), "choose minimum or mean, not both"),
    (
        lambda reductions, scouts: scouts or not reductions,
        "reductions need scouts=True, which search late actions with a null window",
    ),
    (
        lambda reductions, quiet: quiet is not None or not reductions,
        "reductions are of quiet actions: give make_search those, as `quiet`",
    ),
    (
        lambda quiescence, noisy: _has_moves(noisy) or not quiescence,
        "quiescence follows noisy actions: give make_search those, as `noisy`",
    ),
    (
        lambda rave_visits, rave: (rave is None) == (not rave_visits),
        "rave_visits and RAVE go together: make_search(game, Options(rave_visits=300.0), RAVE)",
    ),
    (
        lambda game, prior_visits: not prior_visits or getattr(game, "priors", None) is None,
        "the game gives its own priors: leave prior_visits at 0",
    ),
    (
        lambda search, game, capacity: search not in WITH_CHILDREN or capacity > game.max_actions,
        "capacity is above the {game.max_actions} actions that a position may have, not {capacity}:"
        " otherwise the root may have no children",
    ),
    (
        lambda search, game: search != "matrix_game" or game.n_agents == 2,
        "a matrix game is for 2 agents, the game has {game.n_agents}",
    ),
    (
        lambda search, game: search != "policy_adaptation"
        or (game.n_codes > 0 and game.code is not None),
        "NRPA learns a weight of each code: the game has no code and n_codes",
    ),
    (
        lambda table, paranoid, game: not table or (paranoid and game.key is not None),
        "a table is for paranoid search of a game with a key",
    ),
]


def check_values(search: str, values: dict[str, Any], whole: set[str]) -> None:
    """Raise ValueError for values of a search that cannot work, with those expected.

    values: the options and arguments of a call; whole: the names of those that are integers.
    """
    for name, value in values.items():
        own = f"{search}.{name}"
        if name not in RANGES or isinstance(value, bool) or (value is None and own in OPTIONAL):
            continue
        least, greatest, words = RANGES.get(own, RANGES[name])
        kind, noun = numbers.Real, "a number"
        if name in whole:
            kind, noun = numbers.Integral, "a whole number"
        # NaN is in no range, and infinity in none that can be used.
        is_finite = isinstance(value, kind) and math.isfinite(value)
        if not is_finite or not least <= float(value) <= greatest:
            raise ValueError(f"{name} is {noun} {words}, not {value!r}")
    for fits, advice in RULES:
        needed = inspect.signature(fits).parameters
        if needed.keys() <= values.keys() and not fits(**{name: values[name] for name in needed}):
            raise ValueError(advice.format(**values))


def check_memory(buffers: Any, sizes: str) -> None:
    """Raise MemoryError if buffers need more than the machine's memory: reserved at first, they
    would end the process once a search writes to them.
    """
    if not hasattr(os, "sysconf"):  # not a POSIX system
        return
    n_bytes = sum(getattr(buffer, "nbytes", 0) for buffer in buffers)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if n_bytes > memory:
        raise MemoryError(
            f"the buffers need {n_bytes / 1e9:,.1f} GB, the machine has {memory / 1e9:,.1f} GB:"
            f" lower {sizes}"
        )


def _checked(function: Callable, search: str) -> Callable:
    """A function of (game, options, ...) that checks its arguments first."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        options = bound.arguments["options"]
        values = {**options._asdict(), **bound.arguments, "search": search}
        hints = {name: one.annotation for name, one in signature.parameters.items()}
        hints |= type(options).__annotations__
        check_values(search, values, {name for name, hint in hints.items() if hint in (int, "int")})
        sizes = " or ".join(f"{name} ({values[name]})" for name in SIZES if name in values)
        try:
            made = function(*arguments, **named)
        except (MemoryError, OverflowError) as error:
            raise MemoryError(f"no memory has room for the buffers: lower {sizes}") from error
        if not callable(made):
            check_memory(made, sizes)
        return made

    return checked


def check_calls(module: dict[str, Any]) -> None:
    """Let the functions of a search's module, given by its `globals()`, refuse invalid values."""
    search = module["__name__"].rpartition(".")[2]
    for name in ("make_search", "new_tree", "new_trees", "new_population"):
        if name in module:
            module[name] = _checked(module[name], search)
