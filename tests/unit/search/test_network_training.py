"""Training at home: games are determined by their seeds, examples are invariant under rotations of
the board, weights survive rounding, and a run resumes. Skipped if JAX is not installed.
"""

import json

import numpy as np
import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install -e .[networks]")
pytest.importorskip("optax", reason="optax is not installed: pip install -e .[networks]")

from bots.ultimate_tic_tac_toe.features import SHAPE
from shared.learn.network_run import Run, RunSettings, Task
from shared.learn.network_training import (
    FINEST,
    Examples,
    Grains,
    Trainer,
    fake_quantized,
    new_weights,
    predict,
    quantized,
)
from shared.learn.searched_games import MAX_SHARE, Schedule, concatenated
from shared.search.network import (
    ACTION_ONE,
    MOST_WEIGHT,
    SCORE,
    SHIFT,
    Shape,
)
from tests.lab.ultimate_tic_tac_toe import training
from tests.lab.ultimate_tic_tac_toe.training import examples_of

SCHEDULE = Schedule(iterations=30, random_plies=4, varied_plies=10)


@pytest.fixture(scope="module")
def games():
    return training.games_with(None)


def test_a_game_is_that_of_its_seed(games):
    first, other, again = (games.play(SCHEDULE, seed) for seed in (1, 2, 1))
    for a, b in zip(first, again):
        assert (a == b).all()
    assert first.states.shape != other.states.shape or (first.states != other.states).any()
    assert (first.results[:-1] == -first.results[1:]).all() and (abs(first.values) <= 1).all()
    assert set(first.shares.max(axis=1)) <= {0, MAX_SHARE}  # 0 if all actions are proven losses


def test_a_turned_example_keeps_the_positions_properties(games):
    positions = games.play(SCHEDULE, 5)
    found = [examples_of(positions, np.random.default_rng(seed)) for seed in range(4)]
    for examples in found:
        legal = np.unpackbits(examples.legal, axis=1, count=81)
        assert (examples.shares.sum(axis=1) == positions.shares.sum(axis=1)).all()
        assert ((examples.shares > 0) <= (legal == 1)).all()
        counts = np.unpackbits(examples.features, axis=1).sum(axis=1)
        assert (counts == np.unpackbits(found[0].features, axis=1).sum(axis=1)).all()
    assert len({examples.features.tobytes() for examples in found}) > 1


def learnable(n=4000):
    """Examples in which feature 0 wins, feature 1 loses, or the other way round by the chosen row,
    and action 2 is best with feature 3.
    """
    shape = Shape(words=1, word_bits=16, hidden=8, actions=4, values=2)
    bits = np.random.default_rng(1).integers(0, 2, (n, 16)).astype(np.uint8)
    shares = np.zeros((n, 4), np.uint8)
    shares[np.arange(n), np.where(bits[:, 3], 2, 0)] = MAX_SHARE
    chosen = np.arange(n, dtype=np.uint8) & 1
    values = (bits[:, 0].astype(np.float32) - bits[:, 1]) * np.where(chosen, -0.8, 0.8)
    legal = np.packbits(np.ones((n, 4), np.uint8), axis=1)
    return (
        shape,
        bits,
        Examples(np.packbits(bits, axis=1), values.astype(np.float32), shares, legal, chosen),
    )


@pytest.mark.parametrize("grains", [FINEST, Grains(rows=8, policy=2)])
def test_training_lowers_the_losses_and_rounding_keeps_them(grains):
    shape, bits, examples = learnable()
    trainer = Trainer(shape, new_weights(shape, 1), rate=0.03, steps=300, grains=grains)
    before = trainer.losses(examples)
    for _ in range(300):
        trainer.step(examples)
    after = trainer.losses(examples)
    assert after[0] < 0.05 * before[0] and after[1] < 0.05 * before[1]
    weights, whole = fake_quantized(trainer.weights, grains), quantized(trainer.weights, grains)
    assert not (whole["rows"] % grains.rows).any() and not (whole["policy"] % grains.policy).any()
    scores, logits = (
        np.asarray(part) for part in predict(weights, bits.astype(np.float32), examples.chosen)
    )
    rows = whole["rows"].reshape(16, 8).astype(int)
    hidden = np.clip(bits.astype(int) @ rows + whole["biases"], 0, MOST_WEIGHT) ** 2 >> SHIFT
    value = whole["value"].reshape(2, 8).astype(int)[examples.chosen]
    whole_scores = (hidden * value).sum(axis=1) + whole["outputs"][0]
    assert whole_scores / SCORE == pytest.approx(scores, abs=0.3)
    policy = whole["policy"].reshape(4, 8).astype(int)
    assert (hidden @ policy.T + whole["outputs"][1:]) / ACTION_ONE == pytest.approx(logits, abs=0.5)


def test_a_proven_value_is_the_target(games):
    positions = games.play(SCHEDULE, 1)
    known = positions._replace(values=np.ones_like(positions.values), results=-positions.results)
    assert (examples_of(known, np.random.default_rng(1)).values == 1.0).all()


def test_a_run_goes_on_where_it_was_stopped(tmp_path, games):
    """The games equal those of an uninterrupted run; then it learns from them."""
    plan = RunSettings(SCHEDULE, n_games=24, epochs=1)
    task = Task(SHAPE, lambda weights: games, examples_of)
    stopped = Run(task, plan, tmp_path / "stopped", seed=3, minutes=0)
    assert not stopped.play(0) and len(stopped.games_files(0)) == 1
    whole = Run(task, plan, tmp_path / "whole", seed=3, minutes=10)
    for run in (Run(task, plan, tmp_path / "stopped", seed=3, minutes=10), whole):
        assert run.play(0)
        run.fit(0)
    one, other = (
        concatenated([tuple(np.load(path).values()) for path in run.games_files(0)])
        for run in (stopped, whole)
    )
    assert all((a == b).all() for a, b in zip(one, other))
    with np.load(tmp_path / "whole" / "network.npz") as file:
        header = json.loads(str(file["header"]))
        assert (
            file["rows"].dtype == np.int8
            and file["rows"].size == 9 * SHAPE.word_bits * SHAPE.hidden
        )
    assert header["seed"] == 3 and header["versions"]["jax"] and header["positions"] > 500
    with pytest.raises(ValueError, match="holds the run of seed 3, not of 4"):
        (tmp_path / "stopped" / "run.json").write_text(json.dumps(stopped.log))
        Run(task, plan, tmp_path / "stopped", seed=4, minutes=1)
