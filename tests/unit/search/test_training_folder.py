"""The folder of `onefile train` and the questions to its workers, which need no JAX."""

import os

import numpy as np
import pytest

from referee.arena.workers import Pool
from referee.commands import train
from referee.errors import UsageError
from referee.train.folder import Folder
from referee.train.player import Description
from referee.train.run import Settings, Training

SETTINGS = {"contest": "toy"}


class Echo:
    """Answers a question by itself; a process that is asked 2 first ends."""

    def __init__(self, folder):
        self.died = folder / "died"

    def __call__(self, question):
        if question == 2 and not self.died.exists():
            self.died.touch()
            os._exit(1)
        return Description(None, None) if question is None else question


def test_without_jax_a_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(train.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"needs jax and optax, not installed: .*networks"):
        train.train("connect_four")


@pytest.mark.parametrize("text", ["{", "[]", '{"settings": {}, "rounds": [], "present": null}'])
def test_a_damaged_training_is_refused(tmp_path, text):
    (tmp_path / "train.json").write_text(text)
    with pytest.raises(UsageError, match=r"train\.json is damaged: give another --folder"):
        Folder(tmp_path, SETTINGS, None)


def test_a_file_that_has_no_weights_begins_nothing(tmp_path):
    """Else the right command would go on from it."""
    (tmp_path / "text.npz").write_text("# a text")
    np.savez(tmp_path / "other.npz", rows=[1])
    np.save(tmp_path / "one", [1])
    for name in ("text.npz", "other.npz", "one.npy"):
        with pytest.raises(UsageError, match=f"{name} has no weights"):
            Folder(tmp_path / "run", SETTINGS, tmp_path / name)
    assert not (tmp_path / "run").exists()


def test_a_run_goes_on_from_its_own_beginning(tmp_path):
    """The same command is accepted; weights that it has not begun with would be left out."""
    names = "rows", "biases", "value", "policy", "outputs"
    one, two = tmp_path / "one.npz", tmp_path / "two.npz"
    for number, file in enumerate((one, two)):
        np.savez(file, **{name: [number] for name in names})
    for first in (one, one, None):
        assert Folder(tmp_path / "run", SETTINGS, first).state.present == -1
    with pytest.raises(UsageError, match=r"without \S+two\.npz: give another --folder"):
        Folder(tmp_path / "run", SETTINGS, two)


@pytest.mark.slow("starts processes")
def test_answers_are_those_to_the_questions(tmp_path):
    """Also where a worker is lost, and after some that nobody waited for."""
    settings = Settings("toy", "", seed=1, nodes=1, games=1, random_plies=0)
    folder = Folder(tmp_path / "run", vars(settings), None)
    with Pool(2, Echo(tmp_path)) as pool:
        training = Training(settings, folder, pool, 1.0, lambda text: None)
        assert sorted(training.ask([1, 2, 3])) == [(0, 1), (1, 2), (2, 3)]
        asked = training.ask([4, 5])
        next(asked)
        asked.close()
        assert sorted(training.ask([6, 7])) == [(0, 6), (1, 7)]
