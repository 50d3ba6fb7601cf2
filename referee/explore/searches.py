"""Chooses the view of a search, and walks through its trees: see `views/base.py`."""

import heapq
import importlib
import math
from types import ModuleType
from typing import Any, Iterator

from referee.explore.views.base import SEARCHES, Row, View, Watched
from referee.explore.views.depth_first import TableView, ValuedAgainView
from referee.explore.views.lines import BeamView, ChokudaiView, LineView
from referee.explore.views.strategies import InformationSetView, MatrixView, SamplerView
from referee.explore.views.trees import (
    FlatView,
    MctsView,
    PositionsView,
    SoloTreeView,
    TreesView,
    TurnsView,
)

VIEWS: dict[str, type[View]] = {
    "mcts": MctsView,
    "smitsimax": TreesView,
    "simultaneous_uct": PositionsView,
    "alphabeta": TableView,
    "max_n": ValuedAgainView,
    "matrix_game": MatrixView,
    "sampler": SamplerView,
    "flat_monte_carlo": FlatView,
    "turns.turn_uct": TurnsView,
    "turns.expectimax": ValuedAgainView,
    "turns.information_set": InformationSetView,
    "solo.beam": BeamView,
    "solo.chokudai": ChokudaiView,
    "solo.single_player_mcts": SoloTreeView,
    "solo.nested": LineView,
    "solo.policy_adaptation": LineView,
}

# Searches without a view, and why.
WITHOUT_VIEW = {
    "evolution": "it keeps plans of numbers instead of a tree",
    "solo.annealing": "it changes one solution instead of growing a tree",
    "proof_number": "it tells proofs instead of values; alpha-beta and UCT with a solver can be"
    " looked into",
}


def view_of(watched: Watched) -> Any:
    """Returns the view of a search as it is now."""
    return VIEWS[watched.name](watched)


def walk(view: Any, number: int, most: int) -> Iterator[tuple[int, int, Row | None, Any, int, int]]:
    """Yields the heaviest nodes of a tree, at most `most`: (index, parent's index, row or None for
    the root, position or None, children, children without a visit).
    """
    heap: list[tuple[float, int, int, Row | None, Any]] = [
        (-math.inf, 0, -1, None, view.roots()[number])
    ]
    order, index = 1, 0
    while heap and index < most:
        _, _, parent, row, handle = heapq.heappop(heap)
        state, rows = view.open(handle)
        unseen = sum(row.value is None for row in rows)
        yield index, parent, row, state, len(rows), unseen
        for tree_row in rows:
            # All children of the root are kept; below, those that the search has looked at.
            if tree_row.value is not None or index == 0:
                weight = tree_row.weight if index else tree_row.weight + 1e15
                heapq.heappush(heap, (-weight, order, index, tree_row, tree_row.handle))
                order += 1
        index += 1


def watch_modules() -> dict[str, ModuleType]:
    """Returns the modules of all searches that bots make."""
    names = [name for name in (*VIEWS, *WITHOUT_VIEW) if name != "simultaneous_uct"]
    return {name: importlib.import_module(SEARCHES + name) for name in names}
