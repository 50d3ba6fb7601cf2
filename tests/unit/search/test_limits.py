"""Options and sizes that cannot work are refused, by a table; every option is checked."""

import inspect
import math
import os
import re
import subprocess
import sys
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from bundler.bundle import make_bundle
from shared.games.connect_four import game as connect_four
from shared.games.samegame.game import GAME as SAMEGAME
from shared.search import max_n, mcts
from shared.search.checks import limits
from shared.search.checks.limits import RANGES
from shared.search.rave import RAVE
from shared.search.solo import beam
from shared.search.turns import expectimax
from tests.conftest import PROJECT

FOLDER = PROJECT / "shared" / "search"
# The modules whose functions check their arguments, by their last name
MODULES = {
    path.stem: ".".join(path.relative_to(PROJECT).with_suffix("").parts)
    for path in FOLDER.rglob("*.py")
    if path.stem != "limits" and "check_calls(globals())" in path.read_text(encoding="utf-8")
}
BUFFERS = ("new_tree", "new_trees", "new_population")
NAN = math.nan
# The options without defaults
NEEDED = {
    "annealing": {"hot": 2.0, "cold": 1.0},
    "beam": {"width": 3},
    "evolution": {"depth": 2},
    "expectimax": {"depth": 2},
    "max_n": {"depth": 2},
    "smitsimax": {"holds": (1, 1)},
}
# Any game: its functions are called by no function tested here.
NUMBERS = (
    "undo_size n_agents n_teams n_players max_actions n_genes n_moves n_contexts n_codes"
    " solution_size"
)
FUNCTIONS = (
    "legal sample apply is_over evaluate result to_move key score code change take_back keep place"
    " apply_genes setup_type priors chances information draw buffers numbers"
    " judge context expand lift put open_moves current following"
)
GAME = SimpleNamespace(
    **dict.fromkeys(NUMBERS.split(), 2),
    **dict.fromkeys(FUNCTIONS.split(), None),
    state_size=3,
)
THREE = SimpleNamespace(**{**vars(GAME), "n_players": 3})
KEYED = SimpleNamespace(**{**vars(GAME), "key": connect_four.GAME.key})
DICE = SimpleNamespace(**{**vars(GAME), "chances": connect_four.GAME.evaluate})
MANY = connect_four.GAME._replace(max_actions=1 << 20)
HUGE = SAMEGAME._replace(max_actions=(1 << 20) + 1)
ACTIONS = [connect_four.GAME._replace(max_actions=n) for n in (1 << 15, 0, 7.0)]
PRIORS = connect_four.GAME._replace(priors=connect_four.GAME.evaluate)


def refuse(search, arguments, said, **options):
    """A row of the table: a search, its changed options, the other arguments, and the advice."""
    # These would name the addresses of functions, which differ between processes.
    hidden = {"game", "rave"}
    shown = options or {name: value for name, value in arguments.items() if name not in hidden}
    return pytest.param(search, arguments, options, said, id=f"{search} {shown}")


REFUSED = [
    refuse("alphabeta", {"table_bits": 10.0}, "table_bits is a whole number"),
    refuse("alphabeta", {"depth": 64}, "1 to 63 together, not 64 and 0"),
    refuse("alphabeta", {}, "give make_search those, as `noisy`", quiescence=4),
    refuse(
        "alphabeta",
        {},
        "need principal_variation=True",
        late_move_reductions=3,
        principal_variation=False,
    ),
    refuse("alphabeta", {}, "give make_search those, as `quiet`", late_move_reductions=3),
    refuse("alphabeta", {}, "give both, or neither", single_reductions=2),
    refuse("alphabeta", {"table_bits": False}, "table_bits is a whole number from 1 to 32, not Fa"),
    refuse("alphabeta", {}, "table is True or False, not 'no'", table="no"),
    refuse("alphabeta", {}, "a table needs the game's key"),
    refuse("alphabeta", {}, "are known by the game's key", table=False, repetition=True),
    refuse("alphabeta", {}, "with table=False", repetition=True),
    refuse("alphabeta", {"game": MANY}, "fewer than 2**20 actions, not 1048576; or search with"),
    refuse("annealing", {}, "hot is at least cold, not 1.0 for 2.0", hot=1.0, cold=2.0),
    refuse("annealing", {}, "hot is a number from 1e-12 to 1e12, not inf", hot=math.inf),
    refuse("beam", {}, "noise is a number from 0 to 1e12, not nan", noise=NAN),
    refuse("beam", {"game": HUGE}, "2**20 actions, not 1048577"),
    refuse("expectimax", {}, "least is below greatest, not 1.0 and 1.0", least=1.0),
    refuse("expectimax", {"game": THREE}, "for 2 players or one, the game has 3: take UCT in t"),
    refuse("information_set", {}, "give the game `information` and `draw`"),
    refuse("max_n", {}, "step is 1 to depth, 2, not 3", step=3),
    refuse("max_n", {"game": KEYED}, "a table is for paranoid", paranoid=False, table=True),
    refuse("max_n", {}, "killers are for paranoid search", paranoid=False, killers=True),
    refuse("max_n", {"game": DICE}, "max^n and paranoid search know no chance"),
    refuse("mcts", {"capacity": 7, "game": connect_four.GAME}, "above the 7 actions"),
    refuse("mcts", {"game": ACTIONS[0]}, "fewer than 2**15 children, not 32768"),
    refuse("mcts", {"game": ACTIONS[1]}, "max_actions is a whole number 1 or more, not 0"),
    refuse("mcts", {"game": ACTIONS[2]}, "max_actions is a whole number 1 or more, not 7.0"),
    refuse("mcts", {"capacity": np.int64(50)}, ": write int(capacity)"),
    refuse("mcts", {"seed": None}, "seed is a whole number of any size, not None"),
    refuse("mcts", {}, "exploration is a number from 0 to 1e12, not None", exploration=None),
    refuse("mcts", {}, "exploration is a number from 0 to 1e12, not '1.0'", exploration="1.0"),
    refuse("mcts", {"game": PRIORS}, "leave prior_visits at 0", prior_visits=2.0),
    refuse("mcts", {}, "rave_visits and RAVE go together", rave_visits=50.0),
    refuse("mcts", {"rave": RAVE}, "rave_visits and RAVE go together"),
    refuse("policy_adaptation", {}, "the game has no code and n_codes"),
    refuse("proof_number", {}, "needs the game's key"),
    refuse("sampler", {}, "choose minimum or mean, not both", minimum=True, mean=True),
    refuse("smitsimax", {}, "as in (1, 1, 2), not ()", holds=()),
    refuse("smitsimax", {}, "holds is", holds=(1, 0)),
    refuse("smitsimax", {}, "noise is a number from 0 to 1, not 1.5", noise=1.5),
]


def functions_of(search):
    """Returns (function, the names of its arguments) of those that a search refuses options in."""
    module = import_module(MODULES[search])
    made = [getattr(module, name) for name in ("make_search", *BUFFERS) if hasattr(module, name)]
    return [(function, inspect.signature(function).parameters) for function in made]


def default_of(search):
    return import_module(MODULES[search]).Options(**NEEDED.get(search, {}))


def errors_of(search, options, game=GAME, **given):
    """Returns the errors of all functions of a search that take these arguments."""
    errors = []
    for function, parameters in functions_of(search):
        if given.keys() <= parameters.keys():
            sizes = {name: 50 for name in ("capacity", "max_agents") if name in parameters}
            try:
                function(game, options, **{**sizes, **given})
            except (ValueError, AttributeError, TypeError) as error:
                errors.append(str(error))
    return errors


@pytest.mark.parametrize(("search", "arguments", "options", "said"), REFUSED)
def test_what_cannot_work_is_refused_with_what_can(search, arguments, options, said):
    """By the function that takes the argument; an option by the buffers or by the search."""
    errors = errors_of(search, default_of(search)._replace(**options), **arguments)
    assert any(said in error for error in errors), errors


def refusals(search):
    """Yields (name, its errors for a value) of every number that a search takes."""
    options = default_of(search)
    change = options._replace
    for name, value in options._asdict().items():
        if name != "holds" and not isinstance(value, bool):
            yield name, lambda wrong, name=name: errors_of(search, change(**{name: wrong}))
    for name in {name for _, names in functions_of(search) for name in names} & RANGES.keys():
        yield name, lambda wrong, name=name: errors_of(search, options, **{name: wrong})


@pytest.mark.parametrize("search", MODULES)
def test_every_number_has_a_range_beyond_which_it_is_refused(search):
    """Those of the options, and the sizes of buffers."""
    for name, errors_for in refusals(search):
        least, greatest, words = RANGES.get(f"{search}.{name}") or RANGES[name]
        for wrong in (least - 1, greatest + 1):
            said = f"{name} is a( whole)? number {re.escape(f'{words}, not {wrong}')}"
            errors = errors_for(wrong)
            assert any(re.match(said, error) for error in errors), (said, errors)


def test_a_bundle_that_carries_a_search_whole_does_without_the_checks():
    """Its import would fail: the module of the checks is at home."""
    bot = PROJECT / "bots" / "ultimate_tic_tac_toe" / "rollouts.py"
    text = make_bundle(bot, "python", carry=True).text
    assert "check_calls" not in text and "RANGES" not in text
    done = subprocess.run([sys.executable, "-"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_search_that_outgrows_the_memory_is_told_what_to_lower():
    """Buffers that cannot be had, and those that a machine would reserve and then run out of."""
    with pytest.raises(MemoryError, match=r"lower width \(2147483647\) or max_depth \(200\)"):
        beam.new_tree(SAMEGAME, beam.Options((1 << 31) - 1))
    with pytest.raises(ValueError, match="width is a whole number from 1 to"):
        beam.new_tree(SAMEGAME, beam.Options(1 << 31))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    half = np.broadcast_to(np.zeros(1), memory // 16 + 1)
    limits.check_memory([half], "width")
    with pytest.raises(MemoryError, match=r"the buffers need .* GB, the machine has .*lower width"):
        limits.check_memory([half, half], "width")


def test_a_game_of_another_kind_is_told_its_interface():
    with pytest.raises(
        TypeError, match="expectimax is for the interface TurnGame: AlternatingGame"
    ):
        expectimax.make_search(connect_four.GAME, expectimax.Options(3))
    with pytest.raises(TypeError, match=r"options are those of mcts, as in Options\(\), not"):
        mcts.make_search(connect_four.GAME, expectimax.Options(3))
    with pytest.raises(TypeError, match="options are those of mcts"):
        mcts.make_search(connect_four.GAME, mcts.Options)


def test_the_depth_of_a_stack_is_told_where_it_grows_with_it():
    options = max_n.Options(10**6)
    with pytest.raises(MemoryError, match=r"lower .*depth \(1000000\)"):
        max_n.new_tree(SimpleNamespace(**vars(GAME)), options)
