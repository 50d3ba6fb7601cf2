"""The task of training a network for a contest: the features that its player wrote, and examples
made of games. At home only.

`bots/<contest>/features.py` has SHAPE, `write_features` and `output_of`, and if needed `value_row`
and `symmetries` (`shared/search/network.py`, `make_game` and `Symmetries`).

Letters as in `shared/search/network.py`, N positions.
"""

from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from ..core.jit import Ints, int_buffer, kernel
from ..learn.searched_games import Positions, Side, tree_side
from ..learn.task import (
    MAX_PLIES,
    N_CHECKED,
    SPARE_WORDS,
    UNTOUCHED,
    Task,
    TaskError,
    targets,
)
from ..search.mcts import Options
from ..search.network import (
    SCORE,
    Shape,
    Symmetries,
    first_row,
    make_game,
    make_refresh,
    new_network,
    unfolded,
)
from ..search.second_layer import joined, make_second_layer, ratios, unfolded_twice

DEPTH = 200
ROLLOUTS = Options(exploration=0.7, rollout_plies=MAX_PLIES, max_depth=DEPTH)
NETWORK = Options(exploration=1.0, rollout_plies=0, max_depth=DEPTH, score_scale=SCORE)


class Examples(NamedTuple):
    """features uint8[N, W B / 8], bits packed; values float32[N], the targets for the player to
    move; shares uint8[N, A] of the visits of each action, legal uint8[N, A / 8 rounded up]; chosen
    uint8[N], the row of the value's weights.
    """

    features: np.ndarray
    values: np.ndarray
    shares: np.ndarray
    legal: np.ndarray
    chosen: np.ndarray


class Look(NamedTuple):
    """A position as its player sees it: bits uint8[F]; the legal actions and their outputs; the row
    of the value's weights.
    """

    bits: np.ndarray
    actions: np.ndarray
    outputs: np.ndarray
    row: int


class NetworkTask(Task):
    """The task of a contest's network. Raises TaskError if its files do not fit."""

    def __init__(self, contest: str):
        super().__init__(contest, "features", "onefile new {} --network writes it")
        self.shape: Shape = self.find("SHAPE")
        if not 1 <= self.shape.word_bits <= 62 or self.shape.actions < 1:
            raise TaskError(f"{self.file}: {self.shape}: word_bits are 1 to 62, actions at least 1")
        self.write_features = self.find("write_features")
        self.output_of = self.find("output_of")
        self.value_row = self.find("value_row", first_row)
        symmetries = self.find("symmetries", lambda: None)()
        self.symmetries: Optional[Symmetries] = symmetries and Symmetries(
            *(np.asarray(part, np.int64) for part in symmetries)
        )
        self._look = kernel(self._make_look())

    def side(self, is_trained: bool) -> Side:
        """Returns a side that plays by a network (setup: a Network) or rollouts."""
        if not is_trained:
            return tree_side(self.game, ROLLOUTS)
        deepen = make_second_layer(self.shape) if self.shape.second else None
        game = make_game(
            self.game, self.write_features, self.output_of, self.shape, self.value_row, deepen
        )
        return tree_side(game, NETWORK, make_refresh(self.write_features, self.shape))

    def setup(self, weights: "Optional[dict[str, np.ndarray]]") -> Any:
        """Returns a side's setup. weights: None for rollouts. Raises TaskError."""
        if weights is None:
            return self.tables
        try:
            if self.symmetries:
                unfold = unfolded_twice if self.shape.second else unfolded
                weights = unfold(weights, self.symmetries)
            whole = joined(weights) if self.shape.second else weights
            return new_network(self.tables, whole, self.shape)
        except (ValueError, LookupError) as error:
            raise TaskError(f"{self.file}: the weights do not fit SHAPE: {error}") from error

    def _make_look(self) -> Callable:
        write_features, output_of, value_row = self.write_features, self.output_of, self.value_row
        to_move, legal, room = self.game.to_move, self.game.legal, self.game.max_actions

        def look(tables: Ints, state: Ints, flip: int, words: Ints, actions: Ints) -> int:
            write_features(tables, state, to_move(tables, state) ^ flip, words)
            n = legal(tables, state, actions)
            for i in range(n):
                actions[room + i] = output_of(actions[i])
            actions[2 * room] = value_row(tables, state)
            return n

        return look

    def look(self, state: Ints, flip: int = 0) -> Look:
        """Returns the mover's Look; with flip=1 the other player's. Raises TaskError if the
        features do not fit the shape.
        """
        room, (n_words, word_bits) = self.game.max_actions, self.shape[:2]
        words = np.zeros(n_words + SPARE_WORDS, np.int64)
        words[n_words:] = UNTOUCHED
        actions = int_buffer(2 * room + 1)
        n = self._look(self.tables, state, flip, words, actions)
        beyond = np.flatnonzero(words[n_words:] != UNTOUCHED)
        if len(beyond):
            raise TaskError(
                f"{self.file}: write_features writes word {n_words + beyond[0]}, but SHAPE has"
                f" words={n_words}: numbers 0 to {n_words - 1}"
            )
        wide = np.flatnonzero(words[:n_words] >> word_bits)
        if len(wide):
            raise TaskError(
                f"{self.file}: write_features writes {int(words[wide[0]]):#x} to word {wide[0]},"
                f" more than the word_bits={word_bits} of SHAPE"
            )
        bits = (words[:n_words, None] >> np.arange(word_bits) & 1).astype(np.uint8).ravel()
        numbers = np.array(actions)
        return Look(bits, numbers[:n], numbers[room : room + n], int(numbers[2 * room]))

    def examples(self, positions: Positions) -> Examples:
        """Returns positions' Examples."""
        looks = [self.look(state) for state in positions.states]
        n, n_actions = len(looks), self.shape.actions
        shares, legal = (np.zeros((n, n_actions), np.uint8) for _ in range(2))
        for i, look in enumerate(looks):
            shares[i, look.outputs] = positions.shares[i, look.actions]
            legal[i, look.outputs] = 1
        bits = np.array([look.bits for look in looks], np.uint8)
        return Examples(
            np.packbits(bits.reshape(n, self.shape.words * self.shape.word_bits), axis=1),
            targets(positions),
            shares,
            np.packbits(legal, axis=1),
            np.array([look.row for look in looks], np.uint8),
        )

    def check(self, seed: int = 1) -> None:
        """Play random games, and their images under each symmetry. Raises TaskError if features,
        outputs or symmetries do not fit the game.
        """
        if self.symmetries:
            self._check_permutations(self.symmetries)
        rng = np.random.default_rng(seed)
        for _ in range(N_CHECKED):
            n_images = len(self.symmetries.features) if self.symmetries else 1
            states = [np.array(self.start, np.int64) for _ in range(n_images)]
            played: list[int] = []
            while len(played) < MAX_PLIES:
                looks = [self.look(state) for state in states]
                self.look(states[0], flip=1)
                self._check_look(looks[0], played)
                if self.symmetries:
                    self._check_images(self.symmetries, looks, played)
                i = rng.integers(len(looks[0].actions))
                action, output = int(looks[0].actions[i]), looks[0].outputs[i]
                played.append(action)
                ends = [self._step(self.tables, states[0], action)]
                for g in range(1, n_images):
                    image = self.symmetries.actions[g][output] if self.symmetries else 0
                    [action] = looks[g].actions[looks[g].outputs == image]
                    ends.append(self._step(self.tables, states[g], int(action)))
                if len(set(ends)) > 1:
                    raise TaskError(f"{self.file}: symmetries: only one image of {played} is over")
                if ends[0]:
                    break

    def _check_look(self, look: Look, played: list[int]) -> None:
        n_actions, n_values = self.shape.actions, self.shape.values
        where = f"after the actions {played}"
        outside = look.outputs[(look.outputs < 0) | (look.outputs >= n_actions)]
        if len(outside):
            raise TaskError(
                f"{self.file}: output_of gives {outside[0]} {where}, but SHAPE has"
                f" actions={n_actions}"
            )
        if len(set(look.outputs.tolist())) < len(look.outputs):
            raise TaskError(f"{self.file}: output_of gives two legal actions one output {where}")
        if not 0 <= look.row < n_values:
            raise TaskError(
                f"{self.file}: value_row gives {look.row} {where}, but SHAPE has values={n_values}"
            )

    def _check_permutations(self, symmetries: Symmetries) -> None:
        shape = self.shape
        sizes = (shape.words * shape.word_bits, shape.actions, shape.values)
        n_images = len(symmetries.features)
        for name, places, size in zip(symmetries._fields, symmetries, sizes):
            expected = np.arange(size)
            if places.shape != (n_images, size) or (np.sort(places, axis=1) != expected).any():
                raise TaskError(
                    f"{self.file}: symmetries: {name} must be {n_images} permutations of {size}"
                    " numbers"
                )
            if (places[0] != expected).any():
                raise TaskError(f"{self.file}: symmetries: the first of {name} must change nothing")
        for name in ("hidden", "second"):
            if getattr(shape, name) % n_images:
                raise TaskError(
                    f"{self.file}: {name}={getattr(shape, name)} must be a multiple of the"
                    f" {n_images} symmetries"
                )
        if shape.second:
            try:
                ratios(symmetries.features)
            except ValueError as error:
                raise TaskError(f"{self.file}: symmetries: {error}") from error

    def _check_images(self, symmetries: Symmetries, looks: list[Look], played: list[int]) -> None:
        for g, image in enumerate(looks):
            where = f"symmetry {g} of symmetries() does not hold after the actions {played}"
            wrong = np.flatnonzero(image.bits[symmetries.features[g]] != looks[0].bits)
            if len(wrong):
                to = symmetries.features[g][wrong[0]]
                raise TaskError(
                    f"{self.file}: {where}: feature {wrong[0]} is not feature {to} of the image"
                )
            if set(symmetries.actions[g][looks[0].outputs]) != set(image.outputs.tolist()):
                raise TaskError(f"{self.file}: {where}: the legal actions differ")
            if symmetries.values[g][looks[0].row] != image.row:
                raise TaskError(f"{self.file}: {where}: the rows of the value differ")
