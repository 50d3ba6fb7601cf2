"""The page of a search in a real browser: trees with boards, keyboard shortcuts, charts."""

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from referee.explore import inspector
from referee.explore.page import write_explore_page
from referee.explore.view import View, Watched
from referee.log.records import Bot
from shared.core.game import AlternatingGame
from shared.games.ultimate_tic_tac_toe.contest import CONTEST, Match
from shared.search import mcts
from tests.page.browser import SCREENS
from tests.page.logs import race

BRANCHING, DEPTH = 10, 6  # 1,111,111 nodes
MOST_BYTES = 5_000_000


def million():
    """A tree of a million nodes, with fewer visits for later children."""
    sizes = [BRANCHING**ply for ply in range(DEPTH + 1)]
    n = sum(sizes)
    nodes = np.zeros((n, 4), np.int32)
    arms = np.zeros((n, 2))
    arms[:, 1] = 0.5
    first, visits = 0, np.array([10_000_000])
    for ply, size in enumerate(sizes):
        own = slice(first, first + size)
        nodes[own, 2] = visits
        nodes[own, 3] = np.arange(size) % BRANCHING
        arms[own, 0] = np.sin(np.arange(size))
        if ply < DEPTH:
            nodes[own, 0] = first + size + BRANCHING * np.arange(size)
            nodes[own, 1] = BRANCHING
            shares = 0.5 ** np.arange(1, BRANCHING + 1)
            visits = np.maximum(np.outer(visits, shares).ravel().astype(np.int64), 1)
        first += size
    counters = np.zeros(mcts.N_COUNTERS, np.int64)
    counters[1] = n
    return SimpleNamespace(
        nodes=nodes.ravel(), arms=arms.ravel(), priors=np.zeros(1), counters=counters
    )


class Explained:
    """Words and boards of a game in which positions do not matter."""

    def __init__(self):
        self.rng = Random(1)

    def word(self, view, state, number, action):
        return f"action {action}"

    def scene(self, view, state, action):
        match = Match(0)
        for _ in range(20):
            [player] = match.players_to_move()
            match.play({player: match.parse(player, match.random_lines(player, self.rng))})
            if match.outcome():
                break
        return match.setup(), match.snapshot()

    def names(self, view):
        return view.names

    def own(self, view):
        return [0]


def apply(setup, state, action, after):
    after[0] = state[0] + 1


GAME = AlternatingGame(
    max_actions=1,
    state_size=1,
    to_move=lambda setup, state: state[0] & 1,
    legal=lambda setup, state, actions: 0,
    sample=None,
    apply=apply,
    is_over=lambda setup, state: False,
    result=None,
    evaluate=None,
    key=None,
)


def searched(title, n_scenes):
    """The data of a search of a million nodes."""
    watched = Watched(mcts, (GAME, mcts.Options()), None, (), None, np.zeros(1, int), million())
    limits = {"nodes": 20_000, "scenes": n_scenes}
    looks = [
        [n, "action 0" if n > 20 else "action 1", {f"action {i}": [i / n, n] for i in range(4)}]
        for n in range(10, 100, 10)
    ]
    return {"title": title, **inspector.search_data(watched, Explained(), limits, looks)}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Two searches of a million nodes side by side: the file."""
    log = race(n_turns=0, outcome=False)
    log.header.contest, log.header.title = CONTEST.name, CONTEST.title
    log.header.bots = [Bot("left <b>", "", [], ""), Bot("right", "", [], "")]
    log.header.setup, log.header.state = {}, {}
    path = tmp_path_factory.mktemp("explore") / "page.html"
    searches = [searched("turn 7: action 0", 1_500), searched("after <i>action 3</i>", 5)]
    write_explore_page(path, log, CONTEST, 0, 7, searches, ["a note"])
    return path


@pytest.mark.parametrize("screen", ["desktop", "dark"])
def test_everything_can_be_read_and_reached(open_it, axe, screen):
    assert axe(open_it(**SCREENS[screen])) == []


def test_the_view_reads_a_node_as_the_tree_has_it():
    view = View(Watched(mcts, (GAME, mcts.Options()), None, (), None, np.zeros(1, int), million()))
    _, rows = view.open(view.roots()[0])
    assert [row.visits for row in rows[:3]] == [5_000_000, 2_500_000, 1_250_000]
    assert rows[1].value == pytest.approx(np.sin(1))
    _, below = view.open(rows[1].place)
    assert below[2].value == pytest.approx(-np.sin(12))  # the rival chose it


@pytest.mark.exhaustive("writes a page of a million nodes")
def test_a_page_of_a_million_nodes_is_small_and_says_so(page, open_it):
    assert page.stat().st_size < MOST_BYTES
    tab = open_it()
    assert "1,111,111 nodes" in tab.text(".counts")
    assert "the 20,000 nodes of most visits are on this page" in tab.text(".counts")
    assert tab.complaints() == []


@pytest.mark.exhaustive("writes a page of many nodes")
@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
def test_it_fits_the_screen_and_texts_stay_texts(open_it, screen):
    tab = open_it(**screen)
    assert tab.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    assert "left <b>" in tab.text("#facts")
    assert "<i>action 3</i>" in tab.text(".search:nth-child(2) h2")
    assert tab.text("#notes") == "a note"
    assert tab.complaints() == []


@pytest.mark.slow("a browser walks a whole tree")
def test_keys_walk_the_tree(open_it):
    tab = open_it()
    selected = ".search.active tr[aria-selected=true] td"
    assert "root" in tab.text(selected)
    blank = tab.evaluate("document.querySelector('#board').toDataURL()")
    tab.press("ArrowDown")
    assert "action 0" in tab.text(selected)
    assert tab.evaluate("document.querySelector('#board').toDataURL()") != blank
    assert tab.text("#way").startswith("action 0 · 5,000,000 visits")
    n_rows = tab.evaluate("document.querySelectorAll('.search.active tbody tr').length")
    tab.press("ArrowLeft")
    assert tab.evaluate("document.querySelectorAll('.search.active tbody tr').length") < n_rows
    tab.press("ArrowRight")
    tab.press("n")
    assert tab.text("#way").startswith("action 0 → action 0")
    tab.press("p")
    tab.press("Home")
    assert "root" in tab.text(selected)
    tab.press("s")
    assert "<i>" in tab.text(".search.active h2")
