"""Checks of a game before a search plays it: random games, as plain Python.

Compiled code checks no index and no type, so a game's mistake is a wrong action or a crash.
`check_game` plays with buffers that refuse what compiled code would not, and reports each mistake
in a line.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...core import jit
from ...core.game import (
    CHANCE,
    AlternatingGame,
    SequentialGame,
    SimultaneousGame,
    SoloGame,
    TurnGame,
)

GAMES = (AlternatingGame, SequentialGame, SimultaneousGame, SoloGame, TurnGame)
MOST_PLIES = 2_000
UNTOUCHED = -(1 << 40)  # in room for actions
LARGEST_EVALUATION = 1 << 61

State = list[Any]


class GuardedBuffer(list[Any]):
    """A buffer that refuses every index beyond it, and negative ones."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(self.checked(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(self.checked(index), value)

    def checked(self, index: Any) -> Any:
        """Returns an index, or raises IndexError."""
        if not isinstance(index, slice) and not 0 <= index < len(self):
            raise IndexError(f"index {index} of a buffer of {len(self)}")
        return index


class Mistake(Exception):
    """A mistake of a game; the first argument names its kind."""


def check_game(
    game: Any,
    setup: Any,
    state: Sequence[float],
    n_games: int = 20,
    seed: int = 1,
    apart: bool = False,
) -> list[str]:
    """Play random games from a position. Returns a line for each kind of mistake, or [].

    apart: also report where an agent's actions depend on the choices of other agents, which
    Smitsimax's trees do not see. Raises TypeError if `game` has no interface of
    `shared/core/game.py`, RuntimeError if numba compiles it: this is for plain Python.
    """
    if not isinstance(game, GAMES):
        names = ", ".join(kind.__name__ for kind in GAMES)
        raise TypeError(f"{type(game).__name__} is no game: give one of {names}")
    if jit.COMPILED:
        raise RuntimeError("check_game runs as plain Python: set CG_JIT=0 before Python starts")
    lines: dict[str, str] = {}
    rng = random.Random(seed)
    try:
        for mistake in _shape_mistakes(game, state):
            raise mistake
        known: dict[Any, tuple[Any, ...]] = {}
        for number in range(n_games):
            line: list[Any] = []
            try:
                _play(_Checked(game, setup, known, apart), list(state), rng, line)
            except Mistake as mistake:
                shown = ", ".join(map(str, line[-8:])) or "none"
                after = f"game {number}, after {len(line)} actions ({shown})"
                lines.setdefault(mistake.args[0], f"{mistake.args[1]} [{after}]")
    except Mistake as mistake:
        lines[mistake.args[0]] = mistake.args[1]
    return [*lines.values()]


def _shape_mistakes(game: Any, state: Sequence[float]) -> Iterator[Mistake]:
    """Yields the mistakes visible before a game."""
    for name in type(game)._fields:
        annotation = type(game).__annotations__[name]
        if annotation is jit.Function and not callable(getattr(game, name)):
            yield Mistake(name, f"{name} is {getattr(game, name)!r}: give the game this function")
    if len(state) != game.state_size:
        says = f"the state has {len(state)} numbers, state_size is {game.state_size}"
        yield Mistake("state_size", f"{says}: make them equal")
    kind = float if getattr(game, "numbers", jit.Ints) == jit.Floats else int
    if wrong := [number for number in state if type(number) is not kind]:
        new = "float_buffer" if kind is float else "int_buffer"
        says = f"the state holds {wrong[0]!r}, this game's numbers are {kind.__name__}"
        yield Mistake("numbers", f"{says}: make it by {new}")


class _Checked:
    """A game whose functions are called with guarded buffers and checked answers."""

    def __init__(
        self, game: Any, setup: Any, known: dict[Any, tuple[Any, ...]], apart: bool
    ) -> None:
        self.game, self.setup, self.known, self.apart = game, _guarded(setup), known, apart
        self.n_players: int = game.n_agents if isinstance(game, SimultaneousGame) else 2
        self.n_players = getattr(game, "n_players", self.n_players)
        self.is_simultaneous = isinstance(game, SimultaneousGame)
        self.is_solo = isinstance(game, SoloGame)

    def call(self, name: str, state: State, *more: Any, changes_state: bool = False) -> Any:
        """Returns a function's answer. Raises Mistake for errors and unexpected state changes."""
        function: Callable[..., Any] = getattr(self.game, name)
        given = GuardedBuffer(state)
        try:
            answer = function(self.setup, given, *more)
        except Mistake:
            raise
        except Exception as error:
            place = _place_of(error)
            raise Mistake(name, f"{name}{place} raises {type(error).__name__}: {error}") from error
        if changes_state:
            state[:] = given
        elif list(given) != state:
            raise Mistake(
                name, f"{name} changes the state: let it write to its other buffers alone"
            )
        return answer

    def actions(self, state: State, *agent: int) -> list[int]:
        """Returns the legal actions. Raises Mistake."""
        game = self.game
        room = GuardedBuffer([UNTOUCHED] * game.max_actions)
        n = self.call("legal", state, *agent, room)
        again = GuardedBuffer([UNTOUCHED] * game.max_actions)
        if not isinstance(n, int) or not 0 <= n <= game.max_actions:
            says = f"legal returns {n!r}: the number of actions is a whole number up to max_actions"
            raise Mistake("legal", f"{says}, {game.max_actions}")
        actions = list(room[:n])
        if UNTOUCHED in actions:
            says = f"legal returns {n} and writes {actions.index(UNTOUCHED)} actions"
            raise Mistake("legal", f"{says}: return the number written")
        if n == 0:
            says = "legal writes no action, and is_over is False"
            raise Mistake("legal", f"{says}: a player that cannot move passes by an action")
        if len({*actions}) < n:
            raise Mistake("legal", f"legal writes an action twice: {sorted(actions)}")
        if (
            isinstance(game, AlternatingGame)
            and not 0 <= min(actions) <= max(actions) < game.max_actions
        ):
            says = f"legal writes {min(actions)} to {max(actions)}"
            raise Mistake(
                "legal", f"{says}: an action is 0 to max_actions - 1, {game.max_actions - 1}"
            )
        if self.call("legal", state, *agent, again) != n or again[:n] != actions:
            raise Mistake("legal", "legal writes other actions when it is asked again")
        if getattr(game, "following", None) is not None:
            for action, expected in zip([-1, *actions], [*actions, -1]):
                answer = self.call("following", state, action)
                if answer != expected:
                    says = f"following gives {answer!r} after {action}"
                    raise Mistake("following", f"{says}, legal has {expected}")
        return actions

    def sampled(self, state: State, actions: list[int], rng: State, *agent: int) -> None:
        """Check an action of `sample`, if the game has it."""
        if hasattr(self.game, "sample"):
            action = self.call("sample", state, *agent, rng)
            if action not in actions:
                raise Mistake("sample", f"sample draws {action!r}, legal has {actions[:20]}")

    def numbers(self, name: str, numbers: Sequence[Any], says: str = "a finite number") -> None:
        """Check that all numbers are finite."""
        for number in numbers:
            if not isinstance(number, (int, float)) or not math.isfinite(number):
                raise Mistake(name, f"{name} gives {number!r}: {says} is expected")

    def shares(self, name: str, state: State, actions: list[int]) -> None:
        """Check the probabilities that a function of the game writes for actions."""
        room = GuardedBuffer([math.nan] * len(actions))
        self.call(name, state, GuardedBuffer(actions), len(actions), room)
        self.numbers(name, room, "a probability of each action")
        if min(room) <= 0.0 or not math.isclose(sum(room), 1.0, rel_tol=1e-6):
            says = f"{name} writes {min(room):g} at least and {sum(room):g} in all"
            raise Mistake(name, f"{says}: probabilities are above 0, and 1 in all")

    def values(self, state: State, is_over: bool) -> tuple[Any, ...]:
        """Returns a position's checked values; () for SoloGame: keys omit the score."""
        game = self.game
        if isinstance(game, AlternatingGame):
            if is_over:
                result = self.call("result", state)
                if result not in (-1, 0, 1):
                    says = f"result is {result!r}: 1, 0 or -1 for the player to move"
                    raise Mistake("result", says)
                return (result,)
            value = self.call("evaluate", state)
            if not isinstance(value, int) or abs(value) > LARGEST_EVALUATION:
                says = f"evaluate returns {value!r}: a whole number within 2**61 is expected"
                raise Mistake("evaluate", says)
            return (value,)
        if self.is_solo:
            score, value = self.call("score", state), self.call("evaluate", state)
            self.numbers("score", [score])
            self.numbers("evaluate", [value])
            return ()
        scores = GuardedBuffer([math.nan] * self.n_players)
        self.call("evaluate", state, scores)
        self.numbers("evaluate", scores, f"a finite score of each of {self.n_players}")
        return tuple(scores)

    def look_up(self, state: State, seen: tuple[Any, ...]) -> None:
        """Check a position's key. seen: facts that the key determines."""
        if getattr(self.game, "key", None) is None:
            return
        key = self.call("key", state)
        if not isinstance(key, int) or not -(1 << 63) <= key < 1 << 63:
            raise Mistake("key", f"key returns {key!r}: a whole number of 64 bits is expected")
        if self.is_solo and key < 0:
            raise Mistake("key", f"key returns {key}: keys are from 0 on")
        if key == 0 and not self.is_solo and hasattr(self.game, "n_players"):
            return  # kept out of tables
        if self.known.setdefault(key, seen) != seen:
            says = f"key is {key} for two positions that differ in mover, actions or values"
            raise Mistake("key", f"{says}: hash all that these depend on")


def _guarded(setup: Any) -> Any:
    """Returns a setup, a buffer or a NamedTuple of buffers, with guarded buffers."""
    if isinstance(setup, tuple) and hasattr(setup, "_make"):
        return type(setup)._make(map(_guarded, setup))
    return GuardedBuffer(setup) if isinstance(setup, list) else setup


def _place_of(error: BaseException) -> str:
    """Returns an error's place as " (file:line)"."""
    traceback, place = error.__traceback__, ""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename != __file__:
            place = f" ({code.co_filename}:{traceback.tb_lineno})"
        traceback = traceback.tb_next
    return place


def _play(checked: _Checked, state: State, rng: random.Random, line: list[Any]) -> None:
    """Play a game from a state, checking each position. line: receives actions."""
    drawn = GuardedBuffer([rng.getrandbits(31)])
    while not (is_over := checked.call("is_over", state)):
        if len(line) == MOST_PLIES:
            says = f"is_over is False after {MOST_PLIES} actions: let games end"
            raise Mistake("is_over", says)
        if checked.is_simultaneous:
            line.append(_play_at_once(checked, state, rng, drawn, line))
        else:
            line.append(_play_in_turn(checked, state, rng, drawn))
    values = checked.values(state, True)
    if not checked.is_solo:  # its key may leave out the actions that are left
        checked.look_up(state, (bool(is_over), *values))


def _play_at_once(
    checked: _Checked, state: State, rng: random.Random, drawn: State, line: list[Any]
) -> list[int]:
    """Play a turn of all agents after a line of turns. Returns their actions."""
    checked.values(state, False)
    joint = []
    for agent in range(checked.n_players):
        actions = checked.actions(state, agent)
        checked.sampled(state, actions, drawn, agent)
        own = tuple(turn[agent] for turn in line)
        if checked.apart and checked.known.setdefault((agent, own), (*actions,)) != (*actions,):
            says = f"agent {agent} has other actions after the same of its own"
            raise Mistake("apart", f"{says}: Smitsimax forbids it, simultaneous UCT does not")
        joint.append(rng.choice(actions))
    checked.call("apply", state, GuardedBuffer(joint), changes_state=True)
    return joint


def _play_in_turn(checked: _Checked, state: State, rng: random.Random, drawn: State) -> int:
    """Play and return an action of the player to move."""
    game = checked.game
    mover = 0 if checked.is_solo else checked.call("to_move", state)
    least = CHANCE if isinstance(game, TurnGame) and game.chances is not None else 0
    if not isinstance(mover, int) or not least <= mover < checked.n_players:
        says = f"to_move returns {mover!r}: a player is 0 to {checked.n_players - 1}"
        raise Mistake("to_move", says)
    actions = checked.actions(state)
    checked.look_up(state, (False, mover, tuple(actions), *checked.values(state, False)))
    checked.sampled(state, actions, drawn)
    if mover == CHANCE:
        checked.shares("chances", state, actions)
    elif getattr(game, "priors", None) is not None:
        checked.shares("priors", state, actions)
    for action in actions if getattr(game, "code", None) is not None else ():
        code = checked.call("code", state, action)
        if not isinstance(code, int) or not 0 <= code < game.n_codes:
            raise Mistake("code", f"code is {code!r}: 0 to n_codes - 1, {game.n_codes - 1}")
    action = rng.choice(actions)
    after = GuardedBuffer([0] * len(state))
    checked.call("apply", state, action, after)
    given = GuardedBuffer(state)
    try:
        game.apply(checked.setup, given, action, given)
    except Exception as error:
        says = f"apply{_place_of(error)} raises {type(error).__name__} where `after` is the state"
        raise Mistake("apply", f"{says}: {error}") from error
    is_solo_or_turns = hasattr(game, "sample")  # only these searches apply in place
    if is_solo_or_turns and list(given) != list(after):
        says = "apply writes another position where `after` is the state itself"
        raise Mistake("apply", f"{says}: read what it needs before it writes")
    if isinstance(game, AlternatingGame) and not checked.call("is_over", [*after]):
        following = checked.call("to_move", [*after])
        if following == mover:
            says = "the same player moves twice: searches of AlternatingGame take turns"
            raise Mistake("to_move", f"{says}; give them with_passes(game) of double_moves.py")
    state[:] = after
    return action
