"""Infexion's simulator reproduces recorded games and counts, and the report's search its values."""

import json
import os
import re
import subprocess
import sys

import pytest

from bots.infexion import minimax, report_minimax
from bots.infexion.report import REPORT_GAME, UNIT, new_report_setup
from shared.core.jit import kernel
from shared.core.truth import TruthError
from shared.games.infexion.contest import CONTEST
from shared.games.infexion.truth import load, position
from shared.search.alphabeta import make_search, new_tree, summary
from tests.conftest import DATA, PROJECT
from tests.lab.infexion import node_counts

SLICE = DATA / "infexion.json.gz"


def test_the_slice_in_the_project():
    found = CONTEST.verify(SLICE)
    assert (found.games, found.turns, found.mismatches, found.first) == (36, 1033, 0, None)


@pytest.mark.parametrize("jit", ["1", "0"], ids=["compiled", "plain"])
@pytest.mark.parametrize("name", ["infexion_games.json.gz", "infexion_perft.json"])
def test_all_recorded_games_and_counts_in_both_modes(truth, jit, name):
    result = subprocess.run(
        [sys.executable, "-m", "referee", "verify", "infexion", str(truth / name)],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": jit},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def searched(search, tree, case):
    """The summary of a whole search of a recorded position."""
    setup = new_report_setup(case["after"] % 2)
    state = position(case["board"], case["after"])
    search(setup, state, tree, 1 << 40)
    return summary(tree)


def test_the_reports_three_plies_have_its_values():
    """To the last bit of its floating-point numbers."""
    for case in load(SLICE)["searches"]:
        tree = new_tree(REPORT_GAME, report_minimax.OPTIONS, 1, report_minimax.PLIES)
        assert searched(report_minimax.search, tree, case).value / UNIT == case["value"]


def test_the_reports_search_as_written_counts_what_a_port_of_it_counted():
    """`make infexion-report` counts with it; the port also counts the root."""
    for case in load(SLICE)["searches"]:
        state = position(case["board"], case["after"])
        found = node_counts.search(state, node_counts.VARIANTS[-1])
        assert found.value / UNIT == case["value"]
        assert found.generated + 1 == case["generated"]


def test_six_plies_need_few_nodes():
    """The nodes that alpha-beta generates for the recorded positions: a guard against a change that
    spoils ordering or table.
    """
    options = minimax.OPTIONS._replace(quiescence=0)
    search = kernel(make_search(minimax.GAME, options))
    for case in load(SLICE)["searches"]:
        found = searched(search, new_tree(minimax.GAME, options, depth=6), case)
        assert found.depth == 6 and found.generated < 5_000_000


def changed(tmp_path, change):
    """A truth file like the slice but for one change."""
    data = load(SLICE)
    change(data)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            lambda data: data["games"][2]["boards"].__setitem__(1, "." * 49),
            r"game capture 313: turn 1: the board is ",
        ),
        (lambda data: data["games"][2]["n_legal"].__setitem__(0, 50), r"turn 0: 49 legal actions"),
        (lambda data: data["games"][2].update(winner="BLUE"), r"at the end: \(True, 'RED', "),
        (lambda data: data["edge_cases"][0].update(winner="RED"), r"edge case 'lone red 1 into"),
        (lambda data: data["edge_cases"][0].update(legal=False), r"legal is True, expected False"),
        (
            lambda data: data["positions"][0]["perft"]["2"].update(sequences=2353),
            r"position empty: sequences of 2 actions: \(2352, 0\), expected \(2353, 0\)",
        ),
    ],
)
def test_a_wrong_number_is_found_and_named(tmp_path, change, text):
    found = CONTEST.verify(changed(tmp_path, change))
    assert found.mismatches == 1
    assert re.search(text, found.first)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data["games"][0]["boards"].pop(),
        lambda data: data["games"][0].pop("winner"),
        lambda data: data["games"][0]["actions"].__setitem__(0, "spawn"),
        lambda data: data["edge_cases"][0].update(before="x"),
        lambda data: data["positions"][0].update(perft=7),
        lambda data: data.update(games=[7]),
    ],
)
def test_a_damaged_file_is_named_and_never_passes_for_compared(tmp_path, damage):
    with pytest.raises(TruthError, match=r"no truth file of Infexion: .* is damaged") as error:
        CONTEST.verify(changed(tmp_path, damage))
    assert "\n" not in str(error.value)
