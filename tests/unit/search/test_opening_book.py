"""Opening books: complete against every reply, and kept in a file."""

import pytest

from shared.core.packed import weights
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.learn.opening_book import make_book, read_book, save_book
from tests.support.alternating_games import Rules, Solver

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

SETUP = tic_tac_toe.new_setup()


def turned(cell):
    """The cell on the other side, left for right."""
    return cell // 3 * 3 + 2 - cell % 3


@pytest.fixture(scope="module")
def book():
    rules = Rules(tic_tac_toe.GAME, SETUP)
    solver, asked = Solver(rules, 9), []

    def choose(state):
        asked.append(tuple(state))
        return min(solver.best_actions(state)[0])

    found = make_book(tic_tac_toe.GAME, SETUP, tic_tac_toe.new_state(), choose, 5, turned)
    assert len(set(asked)) == len(asked) < 0.7 * len(found)
    return found


@pytest.mark.parametrize("seat", [0, 1])
def test_it_answers_every_reply_and_never_loses(book, seat):
    rules = Rules(tic_tac_toe.GAME, SETUP)

    def play(state, ply):
        if rules.is_over(state):
            loser = ply % 2 if rules.result(state) < 0 else None
            assert loser != seat
            return 1
        if ply % 2 == seat:
            return play(rules.apply(state, book[rules.key(state)]), ply + 1)
        return sum(play(rules.apply(state, action), ply + 1) for action in rules.legal(state))

    assert play(tic_tac_toe.new_state(), 0) > 100


def test_it_is_kept_in_a_file(book, tmp_path, monkeypatch):
    save_book(tmp_path / "book.npz", book, "made by a test")
    monkeypatch.syspath_prepend(tmp_path)
    assert read_book(weights("book.npz")) == book
