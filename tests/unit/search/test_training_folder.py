"""The loop of `onefile train`, its folder and the questions to its workers, which need no JAX: a
run that is stopped anywhere goes on as if it had not been.
"""

import os
from dataclasses import replace

import numpy as np
import pytest

from referee.arena.workers import Pool
from referee.commands import train
from referee.errors import UsageError
from referee.train.fits import LINEAR, PERCEPTRON, TermsFit
from referee.train.folder import Folder
from referee.train.page import write_page
from referee.train.player import Compare, Play
from referee.train.run import MEASURED_PAIRS, Settings, Training
from shared.learn.terms_task import TermExamples

SETTINGS = {"contest": "toy"}
NAMES = {"rows"}
FIT = TermsFit(LINEAR, ("lead", "cells"), (2,))


class Echo:
    """Answers a question by itself; a process that is asked 2 first ends."""

    def __init__(self, folder):
        self.died = folder / "died"

    def __call__(self, question):
        if question == 2 and not self.died.exists():
            self.died.touch()
            os._exit(1)
        return FIT if question is None else question


def test_without_jax_a_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(train.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"needs jax and optax, not installed: .*networks"):
        train.train("connect_four")


@pytest.mark.parametrize("text", ["{", "[]", '{"settings": {}, "rounds": [], "present": null}'])
def test_a_damaged_training_is_refused(tmp_path, text):
    (tmp_path / "train.json").write_text(text)
    with pytest.raises(UsageError, match=r"train\.json is damaged: give another --folder"):
        Folder(tmp_path, SETTINGS, None, NAMES)


def test_a_file_that_has_no_weights_begins_nothing(tmp_path):
    """Else the right command would go on from it."""
    (tmp_path / "text.npz").write_text("# a text")
    np.savez(tmp_path / "other.npz", rows=[1])
    np.save(tmp_path / "one", [1])
    for name in ("text.npz", "other.npz", "one.npy"):
        with pytest.raises(UsageError, match=f"{name} has no weights"):
            Folder(tmp_path / "run", SETTINGS, tmp_path / name, NAMES | {"value"})
    assert not (tmp_path / "run").exists()


def test_a_run_goes_on_from_its_own_beginning(tmp_path):
    """The same command is accepted; weights that it has not begun with would be left out."""
    one, two = tmp_path / "one.npz", tmp_path / "two.npz"
    for number, file in enumerate((one, two)):
        np.savez(file, rows=[number])
    for first in (one, one, None):
        assert Folder(tmp_path / "run", SETTINGS, first, NAMES).state.present == -1
    with pytest.raises(UsageError, match=r"without \S+two\.npz: give another --folder"):
        Folder(tmp_path / "run", SETTINGS, two, NAMES)


TOY = Settings("toy", "digest", seed=1, nodes=10, games=120, random_plies=2, fit=LINEAR)


class Toy(Training):
    """A training whose games are made up; it is killed before answer number `dies_at`."""

    def __init__(self, folder, dies_at=10**9, settings=TOY, task=FIT):
        self.left, self.toy = dies_at, task
        place = Folder(folder, vars(settings), None, NAMES)
        super().__init__(settings, place, None, 1.0, lambda _: 0)

    def examples(self, rng):
        terms = rng.integers(-5, 6, (60, 2)).astype(np.int32)
        values = np.tanh(terms @ [0.2, -0.1] + rng.normal(0, 0.1, 60))
        return TermExamples(terms, values.astype(np.float32))

    def ask(self, questions):
        for number, question in reversed(list(enumerate(questions))):  # answers come in any order
            if question is None:
                yield number, self.toy
                continue
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            rng = np.random.default_rng(question.seeds.start)
            if isinstance(question, Play):
                yield number, self.examples(rng)
            elif isinstance(question, Compare):
                yield number, rng.integers(2, 5, len(question.seeds)).tolist()


def weights_in(folder):
    return {
        path.name: {name: np.load(path)[name].tolist() for name in np.load(path)}
        for path in sorted((folder / "weights").glob("*.npz"))
    }


def test_a_run_killed_at_any_answer_goes_on_as_if_it_had_not_been(tmp_path):
    assert list(Toy(tmp_path / "whole").run(2)) == [0, 1]
    for dies_at in (2, 5, 55):  # in the games, the test, and the measure
        with pytest.raises(KeyboardInterrupt):
            list(Toy(tmp_path / str(dies_at), dies_at).run(1))
        whole = Toy(tmp_path / str(dies_at))
        list(whole.run(2))
        assert weights_in(tmp_path / str(dies_at)) == weights_in(tmp_path / "whole")
        assert whole.folder.state.present == 1 and whole.rounds[1].is_kept
        assert [len(one.measured) for one in whole.rounds] == [MEASURED_PAIRS] * 2
    lead, cells = whole.described_weights()
    assert lead.startswith("lead: +1") and cells.startswith("cells: -")
    write_page(tmp_path / "page.html", "toy", whole.folder.state, [lead])
    page = (tmp_path / "page.html").read_text()
    assert "1 generations: Elo" in page and lead in page and "of the policy" not in page
    with pytest.raises(UsageError, match="has a training with another nodes: 10, not 20"):
        Toy(tmp_path / "whole", settings=replace(TOY, nodes=20))


def test_a_method_that_does_not_suit_the_terms_is_refused():
    with pytest.raises(
        UsageError, match=r"HIDDEN of terms.py is \(4\): hidden units are fitted by"
    ):
        TermsFit(LINEAR, ("lead",), (1, 4))
    with pytest.raises(UsageError, match=r"HIDDEN of terms.py is \(\): .* a sum by linear or"):
        TermsFit(PERCEPTRON, ("lead",), (1,))


def test_a_fit_that_fails_keeps_the_last_good_generation(tmp_path):
    list(Toy(tmp_path).run(1))
    before = (tmp_path / "network.npz").read_bytes()
    broken = Toy(tmp_path)
    for number in range(3):
        nothing = TermExamples(np.ones((9, 2), np.int32), np.full(9, np.nan, np.float32))
        broken.folder.save_chunk(1, number, nothing)
    with pytest.raises(UsageError, match=r"no linear fit: .*: more --games, or other terms"):
        list(broken.run())
    assert (tmp_path / "network.npz").read_bytes() == before


@pytest.mark.slow("starts processes")
def test_answers_are_those_to_the_questions(tmp_path):
    """Also where a worker is lost, and after some that nobody waited for."""
    settings = Settings("toy", "", seed=1, nodes=1, games=1, random_plies=0)
    folder = Folder(tmp_path / "run", vars(settings), None, NAMES)
    with Pool(2, Echo(tmp_path)) as pool:
        training = Training(settings, folder, pool, 1.0, lambda text: None)
        assert sorted(training.ask([1, 2, 3])) == [(0, 1), (1, 2), (2, 3)]
        asked = training.ask([4, 5])
        next(asked)
        asked.close()
        assert sorted(training.ask([6, 7])) == [(0, 6), (1, 7)]
