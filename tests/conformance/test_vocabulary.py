"""Every game uses the same function names: those of `shared/core/game.py`, and those of a
contest.
"""

import importlib
import inspect
import re
from typing import Any

import pytest

from shared.core.game import AlternatingGame, SequentialGame, SimultaneousGame, SoloGame
from tests.conftest import PROJECT

GAMES = sorted(path.parent.name for path in PROJECT.glob("shared/games/*/__init__.py"))
CONTESTS = [name for name in GAMES if (PROJECT / f"shared/games/{name}/contest.py").is_file()]
# Their rules alone make the GAME for searches. Elsewhere a bot's `make_game` does, as actions and
# evaluation are its own choice.
ALTERNATING = (
    "connect_four",
    "infexion",
    "tic_tac_toe",
    "ultimate_tic_tac_toe",
)
SIMULTANEOUS = ("code_of_kutulu", "coders_strike_back", "xmas_rush")
SOLO = ("samegame",)
# Actions of several organisms a turn; a bot makes it a game for one.
IN_LINES = ("cellularena",)
# Players answer queries about a map: no action changes a state.
WITHOUT_MOVES = ("wayfinder",)
# X-mas Rush has turns of two kinds, `push_turn` and `walk`; Ants ends by counts outside its state
# (`ending.py`).
OWN_WAY = {"xmas_rush": {"apply"}, "ants": {"is_over"}}
VERBS = {"to_move", "legal", "sample", "apply", "is_over", "result", "evaluate", "key"}
# Synonyms of these names, and of the parts of a contest.
SYNONYMS = re.compile(
    r"(legal|get|list)_(actions|moves)|sample_action|apply_(action|move)|(position|state)_key"
    r"|(game|race)_is_over|play_(turn|commands)|resolve|read_(course|sight)|(course|setup)_lines"
)


def module_of(name: str, part: str) -> Any:
    return importlib.import_module(f"shared.games.{name}.{part}")


def functions_of(module: Any) -> set[str]:
    """Returns the names of the functions defined by a module itself."""
    return {
        name
        for name, one in vars(module).items()
        if inspect.isroutine(one) and getattr(one, "__module__", "") == module.__name__
    }


def test_every_game_has_its_kind():
    kinds = {*ALTERNATING, *SIMULTANEOUS, *SOLO, *IN_LINES, *WITHOUT_MOVES, "ants"}
    assert kinds == set(GAMES)


@pytest.mark.parametrize("name", ALTERNATING)
def test_the_functions_of_an_alternating_game_have_the_names_of_its_fields(name):
    game = module_of(name, "game").GAME
    assert isinstance(game, AlternatingGame)
    named = {verb: getattr(game, verb).__name__ for verb in VERBS}
    # If the rules define no evaluation, each bot defines one to replace the result.
    assert named == {verb: verb for verb in VERBS} | {"evaluate": named["evaluate"]}
    assert named["evaluate"] in ("evaluate", "result")


@pytest.mark.parametrize("name", SIMULTANEOUS)
def test_a_bots_game_of_simultaneous_moves_is_made_of_weights(name):
    bot = importlib.import_module(f"bots.{name}.game")
    game = bot.make_game(bot.Weights())
    assert isinstance(game, SimultaneousGame)
    assert (game.legal.__name__, game.sample.__name__) == ("legal", "sample")


@pytest.mark.parametrize("name", SOLO)
def test_the_functions_of_a_game_for_one_have_the_names_of_its_fields(name):
    game = module_of(name, "game").GAME
    assert isinstance(game, SoloGame)
    verbs = ("legal", "sample", "apply", "is_over", "score", "key")
    assert {getattr(game, verb).__name__ for verb in verbs} == {*verbs}


def test_a_game_of_players_one_after_another_is_sequential():
    from bots.code_of_kutulu.game import Weights
    from bots.code_of_kutulu.sequential import make_sequential

    assert isinstance(make_sequential(Weights()), SequentialGame)


@pytest.mark.parametrize("name", [name for name in CONTESTS if name not in WITHOUT_MOVES])
def test_rules_define_apply_and_is_over(name):
    verbs = {"apply", "is_over"} - OWN_WAY.get(name, set())
    assert verbs <= vars(module_of(name, "sim")).keys()


@pytest.mark.parametrize("name", CONTESTS)
def test_a_contest_has_a_match_and_limits(name):
    contest = module_of(name, "contest")
    assert issubclass(contest.CONTEST.new_match, contest.Match)
    assert contest.CONTEST.limits == module_of(name, "protocol").LIMITS


@pytest.mark.parametrize("name", GAMES)
def test_no_game_has_another_name_for_a_verb(name):
    for path in PROJECT.glob(f"shared/games/{name}/*.py"):
        if path.stem not in ("__init__", "truth"):
            others = filter(SYNONYMS.fullmatch, functions_of(module_of(name, path.stem)))
            assert not [*others], path
