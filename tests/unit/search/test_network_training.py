"""Fits of a network, and the loop of `onefile train`: weights survive rounding, a run that is
stopped anywhere goes on as if it had not been, bad input is refused. Skipped if JAX is not
installed.
"""

import errno
import os
import signal
import subprocess
import time
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install -e .[networks]")
pytest.importorskip("optax", reason="optax is not installed: pip install -e .[networks]")

from bots.connect_four import features
from referee.errors import UsageError
from referee.train.fits import NetworkFit
from referee.train.folder import Folder, Round
from referee.train.run import Settings, elo_of, elos_of, rival_of
from shared.core.jit import inline
from shared.learn.network_task import Examples, NetworkTask
from shared.learn.network_training import (
    Trainer,
    dequantized,
    new_weights,
    predict,
    quantized,
)
from shared.learn.searched_games import MAX_SHARE, Games, Mind, Schedule
from shared.learn.task import TaskError
from shared.learn.terms_task import TermsTask
from shared.search.network import ACTION_ONE, SCORE, Shape
from tests.conftest import HOME, module_command
from tests.unit.search.test_network import last_units
from tests.unit.search.test_training_folder import Toy, weights_in


def learnable(n=4000, second=0):
    """Examples in which feature 0 wins, feature 1 loses, or the other way round by the chosen row,
    and action 2 is best with feature 3.
    """
    shape = Shape(words=1, word_bits=16, hidden=8, actions=4, values=2, second=second)
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


@pytest.mark.slow("JAX compiles the fit")
@pytest.mark.parametrize("second", [0, 6])
def test_training_lowers_the_losses_and_rounding_keeps_them(second):
    shape, bits, examples = learnable(second=second)
    trainer = Trainer(shape, new_weights(shape, 1), rate=0.03, steps=300)
    before = trainer.losses(examples)
    for _ in range(300):
        trainer.step(examples)
    after = trainer.losses(examples)
    assert after[0] < 0.05 * before[0] and after[1] < 0.05 * before[1]
    predicted = predict(trainer.weights, bits.astype(np.float32), examples.chosen)
    scores, logits = (np.asarray(part) for part in predicted)
    whole = {name: part.astype(int) for name, part in quantized(trainer.weights).items()}
    again = quantized(dequantized(whole, shape))
    assert all((again[name] == whole[name]).all() for name in whole)
    hidden = np.array([last_units(row, whole)[-1] for row in bits])
    value = whole["value"].reshape(2, shape.second or 8)[examples.chosen]
    whole_scores = (hidden * value).sum(axis=1) + whole["outputs"][0]
    assert whole_scores / SCORE == pytest.approx(scores, abs=0.3)
    policy = whole["policy"].reshape(4, shape.second or 8)
    assert (hidden @ policy.T + whole["outputs"][1:]) / ACTION_ONE == pytest.approx(logits, abs=0.5)


SETTINGS = Settings("toy", "digest", seed=1, nodes=10, games=120, random_plies=2, epochs=2)


class NetworkToy(Toy):
    """A training of a network whose games are made up."""

    def __init__(self, folder):
        super().__init__(folder, settings=SETTINGS, task=NetworkFit(learnable()[0], None))

    def examples(self, rng):
        chosen = rng.permutation(300)[:60]
        return Examples(*(column[chosen] for column in learnable(300)[2]))


@pytest.mark.slow("JAX compiles the fit")
def test_a_loss_that_is_no_number_keeps_the_last_good_generation(tmp_path):
    list(NetworkToy(tmp_path).run(1))
    before = (tmp_path / "network.npz").read_bytes()
    broken = NetworkToy(tmp_path)
    broken.settings = replace(SETTINGS, rate=float("inf"))
    with pytest.raises(UsageError, match=r"loss of generation 1 is no number.*generation 0 stays"):
        list(broken.run())
    assert (tmp_path / "network.npz").read_bytes() == before


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path):
    folder = Folder(tmp_path, vars(SETTINGS), None, set())
    before = folder.file.read_bytes()

    def put(file):
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        folder.write(folder.file, put)
    assert folder.file.read_bytes() == before and list(tmp_path.iterdir()) == [folder.file]


def test_elo_adds_leads_over_generations_that_scored_high():
    assert elo_of([1, 3] * 20).low < elo_of([1, 3] * 20).value == 0 < elo_of([4, 2] * 9).low
    first, high = Round(measured=[2, 3] * 9), Round(measured=[4] * 18)
    last = Round(rival=2, measured=[2, 3] * 9)
    assert rival_of([first], None) is None and rival_of([first, Round(), high], None) == 2
    elos = elos_of([first, Round(), high, last])
    assert list(elos) == [0, 2, 3] and elos[3].value == elos[2].value + elos[0].value


def bits_beyond(setup, state, player, seen):
    seen[4] = 1


def wide_bits(setup, state, player, seen):
    seen[0] = 1 << 49


def own_only(setup, state, player, seen):
    for i in range(4):
        seen[i] = 1


@pytest.mark.slow("compiles a game's functions several times")
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("write_features", bits_beyond, "writes word 4, but SHAPE has words=4"),
        ("write_features", wide_bits, "more than the word_bits=49 of SHAPE"),
        ("write_features", own_only, "symmetry 1 of symmetries.. does not hold"),
        ("output_of", lambda action: 7, "output_of gives 7 after the actions"),
        ("output_of", lambda action: 3, "two legal actions one output"),
        ("SHAPE", features.SHAPE._replace(hidden=63), "hidden=63 must be a multiple of the 2"),
        ("SHAPE", features.SHAPE._replace(second=5), "second=5 must be a multiple of the 2"),
    ],
)
def test_a_file_of_features_that_does_not_fit_the_game_is_refused(
    monkeypatch, name, value, message
):
    monkeypatch.setattr(features, name, inline(value) if callable(value) else value)
    with pytest.raises(TaskError, match=message):
        NetworkTask("connect_four").check()


@pytest.mark.slow("compiles a search")
@pytest.mark.parametrize(("kind", "name"), [(NetworkTask, "connect_four"), (TermsTask, "infexion")])
def test_a_game_is_that_of_its_seed(kind, name):
    task = kind(name)
    side = task.side(is_trained=False)
    games = Games(task.game, task.tables, task.start, 60, side)
    mind = Mind(task.setup(None), side.new_tree(60))
    schedule = Schedule(iterations=60, random_plies=4, varied_plies=10)
    first, other, again = (games.play(schedule, seed, mind, mind) for seed in (1, 2, 1))
    for a, b in zip(first, again):
        assert np.array_equal(a, b)
    assert first.states.shape != other.states.shape or (first.states != other.states).any()
    assert (first.results[:-1] == -first.results[1:]).all() and (abs(first.values) <= 1).all()
    assert set(first.shares.max(axis=1)) <= {0, MAX_SHARE}  # 0 if all actions are proven losses
    early = games.play(schedule._replace(decided=300), 1, mind, mind)
    assert (abs(early.values[:-1]) < 0.3).all() and abs(early.values[-1]) >= 0.3
    assert early.results[-1] == np.sign(early.values[-1])
    known = first._replace(values=np.ones_like(first.values), results=-first.results)
    examples = task.examples(known)
    assert len(examples.values) and (examples.values == 1.0).all()


@pytest.mark.exhaustive("trains by the command, which compiles for half a minute, four times")
@pytest.mark.parametrize(
    ("contest", "bot", "options"),
    [("connect_four", "rollouts", ()), ("infexion", "greedy", ("--fit", "perceptron"))],
)
def test_a_killed_command_makes_the_same_generation(tmp_path, contest, bot, options):
    command = [*module_command("referee"), "train", contest, "--nodes", "20", "--games", "200"]
    command += ["--rounds", "1", "--bot", f"bots/{contest}/{bot}.py", "--jobs", "2", *options]
    subprocess.run([*command, "--folder", str(tmp_path / "whole")], cwd=HOME, check=True)
    for seconds in (25, 35):
        begun = subprocess.Popen([*command, "--folder", str(tmp_path / "cut")], cwd=HOME)
        time.sleep(seconds)
        os.kill(begun.pid, signal.SIGKILL)
        begun.wait()
    subprocess.run([*command, "--folder", str(tmp_path / "cut")], cwd=HOME, check=True)
    assert weights_in(tmp_path / "cut") == weights_in(tmp_path / "whole")
