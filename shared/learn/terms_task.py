"""The task of fitting an evaluation's weights: the terms that its player wrote, and examples made
of games by alpha-beta. At home only.

`bots/<contest>/terms.py` has TERMS, the names; `write_terms(setup, state, terms)`; and if needed
HIDDEN, the units of hidden layers (`shared/search/evaluation.py`), OPTIONS and STAGES, the further
arguments of alpha-beta's `make_search` in the bot.
"""

from typing import Any, NamedTuple

import numpy as np

from ..core.jit import Ints, inline, int_buffer, kernel
from ..learn.regression import linear_layer, quantized
from ..learn.searched_games import Positions, Side, alpha_beta_side
from ..learn.task import (
    MAX_PLIES,
    N_CHECKED,
    SPARE_WORDS,
    UNTOUCHED,
    Task,
    TaskError,
    targets,
)
from ..learn.temporal_difference import learn_by_self_play
from ..search.alphabeta import Options
from ..search.evaluation import Evaluation, make_game, new_evaluation
from ..search.tables import stages_with_tables

TD_GAMES = 2000
TD_RATE = 0.05  # for terms whose squares add up to 1
MOST_POINTS = 1 << 30


@inline
def points_of_a_win(setup: Evaluation) -> int:
    """Returns the points worth tanh(1) of a win."""
    return setup.weights[len(setup.weights) - 1]


class TermExamples(NamedTuple):
    """terms int32[N, F] for the player to move; values float32[N], the targets."""

    terms: np.ndarray
    values: np.ndarray


class TermsTask(Task):
    """The task of an evaluation's terms. Raises TaskError if its files do not fit."""

    def __init__(self, contest: str):
        super().__init__(contest, "terms", "bots/infexion/terms.py shows one")
        self.names = tuple(self.find("TERMS"))
        self.sizes = (len(self.names), *self.find("HIDDEN", ()))
        if not self.names or min(self.sizes) < 1:
            raise TaskError(f"{self.file}: TERMS are names, HIDDEN numbers of units from 1")
        self.write_terms = self.find("write_terms")
        self._look = kernel(self._make_look())
        self._first: Any = None

    def _make_look(self) -> Any:
        write_terms, legal, is_over = self.write_terms, self.game.legal, self.game.is_over

        def look(tables: Ints, state: Ints, terms: Ints, actions: Ints) -> int:
            write_terms(tables, state, terms)
            return 0 if is_over(tables, state) else legal(tables, state, actions)

        return look

    def side(self, is_trained: bool) -> Side:
        """Returns the search by trained weights, or by `first_weights`, a sum of terms."""
        sizes = self.sizes if is_trained else self.sizes[:1]
        game = make_game(self.game, self.write_terms, sizes)
        stages = self.find("STAGES", ())
        listed = stages_with_tables(*stages) if stages else ()
        return alpha_beta_side(game, self.find("OPTIONS", Options()), listed, points_of_a_win)

    def setup(self, weights: "dict[str, Any] | None") -> Any:
        """Returns a side's setup. weights: trained ones, None for `first_weights`."""
        if weights is not None:
            return new_evaluation(self.tables, weights["weights"], self.sizes)
        if self._first is None:
            self._first = self.first_weights()
        return new_evaluation(self.tables, self._first, self.sizes[:1])

    def first_weights(self) -> np.ndarray:
        """Returns weights by temporal differences in games one ply deep, equal in each process."""
        terms = np.array(self._random_terms(1), np.float64)
        squares = np.square(terms).sum(axis=1).mean()
        if not squares:
            raise TaskError(f"{self.file}: write_terms writes nothing but zeros")
        found = learn_by_self_play(
            self.game,
            self.tables,
            self.start,
            self.write_terms,
            len(self.names),
            TD_GAMES,
            rate=TD_RATE / squares,
        )
        return quantized(linear_layer(found), terms)

    def _random_terms(self, seed: int) -> "list[np.ndarray]":
        """Returns terms of random games' positions. Raises TaskError if they do not fit."""
        rng, found = np.random.default_rng(seed), []
        for _ in range(N_CHECKED):
            state, actions = np.array(self.start, np.int64), int_buffer(self.game.max_actions)
            for _ in range(MAX_PLIES):
                terms, n = self._look_at(state, actions)
                found.append(terms)
                if n == 0 or self._step(self.tables, state, int(actions[rng.integers(n)])):
                    break
        return found

    def _look_at(self, state: Any, actions: Any) -> "tuple[np.ndarray, int]":
        n_terms = len(self.names)
        terms = np.full(n_terms + SPARE_WORDS, UNTOUCHED)
        n = self._look(self.tables, state, terms, actions)
        untouched = np.flatnonzero(terms[:n_terms] == UNTOUCHED)
        if len(untouched):
            name = self.names[untouched[0]]
            raise TaskError(f"{self.file}: write_terms does not write {untouched[0]}, {name!r}")
        beyond = np.flatnonzero(terms[n_terms:] != UNTOUCHED)
        if len(beyond):
            raise TaskError(
                f"{self.file}: write_terms writes number {n_terms + beyond[0]}, but TERMS has"
                f" {n_terms} names: numbers 0 to {n_terms - 1}"
            )
        wide = np.flatnonzero(abs(terms[:n_terms]) >= MOST_POINTS)
        if len(wide):
            raise TaskError(f"{self.file}: {self.names[wide[0]]!r} is {terms[wide[0]]}: too much")
        return terms[:n_terms], n

    def check(self, seed: int = 1) -> None:
        """Play games. Raises TaskError for terms unfit or constant."""
        found = np.array(self._random_terms(seed))
        constant = np.flatnonzero((found == found[0]).all(axis=0))
        if len(constant):
            name = self.names[constant[0]]
            raise TaskError(
                f"{self.file}: {name!r} is {found[0, constant[0]]} in all positions of"
                f" {N_CHECKED} random games: no game can teach its weight"
            )

    def examples(self, positions: Positions) -> TermExamples:
        """Returns examples of the positions whose best action is quiet."""
        is_used, actions = positions.shares.any(axis=1), int_buffer(self.game.max_actions)
        looks = [self._look_at(state, actions)[0] for state in positions.states[is_used]]
        terms = np.array(looks, np.int32).reshape(-1, len(self.names))
        return TermExamples(terms, targets(positions)[is_used])
