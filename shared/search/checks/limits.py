"""Checks the options of all searches and the sizes of their trees, in one place.

`check_calls(globals())` at the end of a search's module lets its functions refuse values that
cannot work. It stands under `if AT_HOME:`, so it is no part of a bundle: its source was checked.

Names mean the same in all searches, so a range belongs to a name. A search's own
range comes first ("smitsimax.noise").
"""

import functools
import inspect
import math
import os
from typing import Any, Callable

import numpy as np

from ...core.jit import Floats
from ...core.rng import MASK
from ...search.checks.calls import make_check, note_tree

# The values of each name, and the words for them.
POSITIVE = (1e-12, 1e12, "from 1e-12 to 1e12")  # its reciprocal is finite, too
NOT_NEGATIVE = (0, 1e12, "from 0 to 1e12")
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
    "first_play_urgency": FINITE,
    "futility_margin": RANK,
    "goal": (0, 1, "0 or 1"),
    "greatest": FINITE,
    "growth": NOT_NEGATIVE,
    "history": RANK,
    "hot": POSITIVE,
    "killers": RANK,
    "single_reductions": NOT_NEGATIVE,
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
    "late_move_reductions": NOT_NEGATIVE,
    "repetitions": FROM_ONE,
    "reevaluate_every": FROM_ONE,
    "rival_every": FROM_ONE,
    "rollout_plies": NOT_NEGATIVE,
    "runs": FROM_ONE,
    "score_scale": POSITIVE,
    "searchers": FROM_ONE,
    "seed": (-math.inf, math.inf, "of any size"),
    "set_bits": (1, 32, "from 1 to 32"),
    "siblings": NOT_NEGATIVE,
    "smooth": NOT_NEGATIVE,
    "smitsimax.noise": SHARE,
    "spread": NOT_NEGATIVE,
    "step": FROM_ONE,
    "steps": FROM_ONE,
    "table_bits": (1, 32, "from 1 to 32"),
    "smitsimax.score_scale": NOT_NEGATIVE,
    "temperature": NOT_NEGATIVE,
    "width": (1, MASK >> 1, "from 1 to 2**31 - 1"),
}
# The names that buffers grow with, a search's own with its name.
SIZES = {
    "width",
    "queue",
    "capacity",
    "population",
    "table_bits",
    "max_depth",
    "max_n.depth",
    "expectimax.depth",
}
# The names of a game's numbers that are 1 or more.
COUNTS = ("max_actions", "state_size", "n_players", "n_agents")
# The numbers of a buffer that are looked at for NaN: those near the root come first.
N_LOOKED_AT = 10_000
# The names that may be None.
OPTIONAL = {"flat_monte_carlo.exploration"}

# Their answer is a child of the root in a tree, which has room for all children or for none.
WITH_CHILDREN = {"mcts", "smitsimax", "turn_uct"}
# Their trees are those of `tree.py`: a node has 15 bits for the number of its children.
IN_TREES = WITH_CHILDREN | {"single_player_mcts"}
# Their table is an option; that of proof-number search is not.
WITH_TABLES = {"alphabeta", "expectimax", "max_n"}
# The options that a search reads from its tree.
OF_TREES = {"proof_number": ("max_depth",)}


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
        lambda search, game: search != "expectimax" or game.n_players <= 2,
        "expectimax is for 2 players or one, the game has {game.n_players}: take UCT in turns",
    ),
    (
        lambda search, game: search != "max_n" or getattr(game, "chances", None) is None,
        "max^n and paranoid search know no chance: take UCT in turns",
    ),
    (
        lambda search, game, table: search not in WITH_TABLES
        or not table
        or game.max_actions < 1 << 20,
        "a table notes an action in 20 bits: a position has fewer than 2**20 actions, not"
        " {game.max_actions}; or search with table=False",
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
        lambda late_move_reductions, single_reductions: late_move_reductions
        or not single_reductions,
        "single_reductions are among late_move_reductions: give both, or neither",
    ),
    (
        lambda late_move_reductions, principal_variation: principal_variation
        or not late_move_reductions,
        "late_move_reductions need principal_variation=True: they search with a null window",
    ),
    (
        lambda late_move_reductions, quiet: quiet is not None or not late_move_reductions,
        "late_move_reductions are of quiet actions: give make_search those, as `quiet`",
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
        lambda game, table: not table or game.key is not None,
        "a table needs the game's key: give it one, or search with table=False",
    ),
    (
        lambda game, repetition: not repetition or game.key is not None,
        "repeated positions are known by the game's key: give it one",
    ),
    (
        lambda repetition, table: not (repetition and table),
        "a draw by repetition depends on the line, so a table would give wrong values: search with"
        " table=False",
    ),
    (
        lambda search, game: search != "proof_number" or game.key is not None,
        "proof-number search needs the game's key",
    ),
    (
        lambda killers, paranoid: paranoid or not killers,
        "killers are for paranoid search: in max^n no action cuts",
    ),
    (lambda table, paranoid: paranoid or not table, "a table is for paranoid search"),
]


def check_values(search: str, values: dict[str, Any], hints: dict[str, Any]) -> None:
    """Raise ValueError with the expected values if a search's values cannot work.

    values: the options and arguments of a call; hints: their types.
    """
    for name, value in values.items():
        own, hint = f"{search}.{name}", hints.get(name)
        if hint is bool and not isinstance(value, bool):
            raise ValueError(f"{name} is True or False, not {value!r}")
        if hint is bool or name not in RANGES or (value is None and own in OPTIONAL):
            continue
        least, greatest, words = RANGES.get(own, RANGES[name])
        # Numbers of numpy would overflow in plain Python where others do not.
        kinds: tuple[type, ...] = (int,) if hint is int else (int, float)
        noun = "a whole number" if hint is int else "a number"
        is_number = isinstance(value, kinds) and not isinstance(value, bool)
        is_foreign = isinstance(value, np.number) and not is_number
        advice = f": write {kinds[-1].__name__}({name})" if is_foreign else ""
        # NaN is in no range, and infinity in none that can be used.
        if not is_number or not least <= value <= greatest or abs(value) == math.inf:
            raise ValueError(f"{name} is {noun} {words}, not {value!r}{advice}")
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


def check_kinds(search: str, game: Any, options: Any, kinds: tuple[Any, Any]) -> None:
    """Raise TypeError for options of another search or a game of another kind, ValueError for a
    count below 1.

    kinds: classes of games and options.
    """
    kind, expected = kinds
    if getattr(options, "_fields", None) != expected._fields or isinstance(options, type):
        raise TypeError(f"options are those of {search}, as in Options(), not {options!r}")
    lacking = [name for name in kind._fields if not hasattr(game, name)]
    if lacking:
        raise TypeError(
            f"{search} is for the interface {kind.__name__}: {type(game).__name__} has no"
            f" {lacking[0]}; shared/search/README.md lists the interface of each search"
        )
    for name in COUNTS:
        count = getattr(game, name, 1)
        if not isinstance(count, int) or count < 1:
            raise ValueError(f"the game's {name} is a whole number 1 or more, not {count!r}")


def _checked(
    function: Callable[..., Any], search: str, kind: type, new_tree: Callable[..., Any]
) -> Callable[..., Any]:
    """Make a function of (game, options, ...) check its arguments first.

    new_tree: the function that makes the search's buffers, without checks.
    """
    signature = inspect.signature(function)
    game_kind = signature.parameters["game"].annotation
    hints = {name: one.annotation for name, one in signature.parameters.items()}
    hints |= kind.__annotations__

    @functools.wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        game, options = bound.arguments["game"], bound.arguments["options"]
        check_kinds(search, game, options, (game_kind, kind))
        values = {**options._asdict(), **bound.arguments, "search": search}
        check_values(search, values, hints)
        grow = [name for name in values if {name, f"{search}.{name}"} & SIZES]
        sizes = " or ".join(f"{name} ({values[name]})" for name in grow)
        try:
            made = function(*arguments, **named)
        except (MemoryError, OverflowError) as error:
            raise MemoryError(f"no memory has room for the buffers: lower {sizes}") from error
        if callable(made):
            made.check_call = make_check(made, game, options, new_tree, OF_TREES.get(search, ()))
        else:
            check_memory(made, sizes)
            note_tree(made, dict(bound.arguments))
        return made

    return checked


def _finite(function: Callable[..., Any], search: str) -> Callable[..., Any]:
    """Make a function of (tree, ...) refuse trees with scores or priors that are not finite."""

    @functools.wraps(function)
    def checked(tree: Any, *arguments: Any, **named: Any) -> Any:
        for name, hint in getattr(type(tree), "__annotations__", {}).items():
            if hint is Floats and not np.isfinite(getattr(tree, name)[:N_LOOKED_AT]).all():
                raise ValueError(
                    f"{search} met scores or priors that are NaN or infinite (its {name}): let"
                    " `evaluate`, `score` and `priors` of the game write finite numbers"
                )
        return function(tree, *arguments, **named)

    return checked


def check_calls(module: dict[str, Any]) -> None:
    """Let the functions of a search's module, given by its `globals()`, refuse invalid values."""
    search = module["__name__"].rpartition(".")[2]
    for name in ("best_action", "best_actions", "summary", "expected"):
        if name in module:
            module[name] = _finite(module[name], search)
    makers = [name for name in ("new_tree", "new_trees", "new_population") if name in module]
    new_tree = module[makers[0]]
    for name in ("make_search", *makers):
        module[name] = _checked(module[name], search, module["Options"], new_tree)
