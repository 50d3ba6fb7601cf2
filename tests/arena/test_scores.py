"""Contests for one player: the statistics of scores, and arenas that count cases."""

import json
import math
import re
import sqlite3
from contextlib import closing

import pytest

from referee.arena.plan import Plan, Shape
from referee.arena.statistics.elo import Estimate
from referee.arena.statistics.scores import LEAST_CASES, Scores, mean_of
from referee.arena.statistics.sprt import LEAST_CASES as LEAST_TESTED
from referee.arena.statistics.sprt import ScoreSprt, Verdict
from referee.project import PROJECT
from tests.arena.conftest import run_here
from tests.lab.arena.intervals import coverage_of_means
from tests.lab.arena.sequential_tests import LEADS, run_scores

ALONE = PROJECT / "tests" / "arena" / "alone.py"
LOW = """
from dataclasses import replace

from tests.arena.alone import CONTEST as ALONE

CONTEST = replace(ALONE, name="low", lowest_wins=True)
"""


def scores_of(rows, lowest=False, known=None):
    """Scores of rows, one a case, with a score a bot: None for a failure, "" without a game."""
    scores = Scores(len(rows[0]), lowest, known)
    for number, row in enumerate(rows):
        for bot, score in enumerate(row):
            if score != "":
                scores.add(
                    f"case {number}", bot, score or 0.0, score is None, f"group {number % 2}"
                )
    return scores


def test_statistics_of_scores():
    scores = scores_of([(4, 2), (10, 20), (9, 3)], known={"case 0": 8})
    assert scores.mean(0).value == pytest.approx(23 / 3)
    assert scores.difference(0, 1).value == pytest.approx(-2 / 3)
    assert scores.relative().tolist() == [[0.5, 0.25], [0.5, 1], [1, pytest.approx(1 / 3)]]
    assert (scores.rank_sum(0), scores.rank_sum(1)) == (4, 5)
    assert scores.results(0) == (2, 0, 1) and scores.order(1)[0] == 0
    assert scores.by_group()["group 0"].mean(1).value == 2.5


def test_a_failure_is_last_and_has_no_score_where_the_lower_one_wins():
    rows = [(4, 2), (None, 5), (3, 3), ("", 1)]
    low, high = scores_of(rows, lowest=True), scores_of(rows)
    assert low.mean(0).value == 3.5 and high.mean(0).value == pytest.approx(7 / 3)
    assert low.differences(0, 1).tolist() == [-2, 0] and high.differences(0, 1).tolist() == [
        2,
        -5,
        0,
    ]
    assert low.relative()[:, 0].tolist()[:3] == [0.5, 0.0, 1.0] and math.isnan(low.relative()[3, 0])
    assert low.results(0) == (0, 1, 2) and (low.rank_sum(0), low.rank_sum(1)) == (5.5, 3.5)
    assert (low.failures(0), low.failures(1)) == (1, 0)


def test_a_case_counts_once_and_only_with_one_input():
    scores = Scores(1)
    for score in (1, 3):
        scores.add("again", 0, score, opening="same")
    for opening in ("one", "other"):
        scores.add("random", 0, 100, opening=opening)
    assert (scores.mean(0).value, scores.inconstant) == (2, ["random"])
    assert scores.mean(0).high == math.inf and scores.n_games == 4
    assert mean_of([2.0] * LEAST_CASES) == Estimate(2.0, 2.0, 2.0)
    assert mean_of([1.0] + [0.0] * LEAST_CASES).high == math.inf
    empty = Scores(2)
    assert empty.mean(0) is empty.difference(0, 1) is empty.rank_sum(0) is None
    assert empty.order(0) == [] and empty.results(0) == (0, 0, 0)


@pytest.mark.parametrize(
    ("score", "best", "lowest", "share"),
    [
        (0, 0, False, 1),
        (-5, -5, False, 1),
        (-8, -4, False, 0.5),
        (3, -4, True, 0),
        (5, -5, True, 0),
        (3, 0, True, 0),
    ],
)
def test_a_share_of_the_best_stays_within_0_and_1(score, best, lowest, share):
    assert scores_of([(score,)], lowest, {"case 0": best}).relative().tolist() == [[share]]


@pytest.mark.parametrize("kind", ["normal", "long-tailed", "2% far larger", "differences"])
def test_intervals_hold_the_mean(kind):
    """Of 150 cases. 95% of the deviations hold 93% of the means of these long-tailed scores."""
    assert coverage_of_means(kind, LEAST_CASES, 100) >= 0.95
    assert coverage_of_means(kind, 2500, 200) >= 0.94
    assert coverage_of_means(kind, LEAST_CASES - 1, 1) is None


@pytest.mark.exhaustive("simulates more tests, of other kinds", keep=1)
@pytest.mark.parametrize("kind", LEADS, ids=lambda kind: kind.name)
def test_a_test_of_scores_is_seldom_wrong(kind):
    """5% are allowed, and 3% more for chance and for skewed leads."""
    for lead, wrong in ((0.0, Verdict.H1), (kind.lead, Verdict.H0)):
        verdicts, _ = run_scores(kind, lead, n_tests=150)
        assert verdicts[wrong] <= 150 * 0.08


def test_a_test_of_scores_ends_where_bots_are_alike():
    test = ScoreSprt(0, 5)
    assert test.verdict([0.0] * LEAST_TESTED) is Verdict.H0
    assert test.verdict([5.0] * LEAST_TESTED) is Verdict.H1
    assert test.verdict([9.0] * (LEAST_TESTED - 1)) is None and test.llr([]) == 0
    assert test.llr([2.5, 2.5, 2.5]) == pytest.approx(0)


def test_a_plan_leaves_known_cases_out():
    plan = Plan.of(Shape.PAIRS, 2, 1, 5, 1000)
    assert len(list(plan.groups())) == 500
    few = Plan(plan.tables, 5, 1000, is_solo=True, case_of=lambda seed: str(seed % 3))
    assert [[game.seed for game in group] for group in few.groups()] == [[5, 5], [6, 6], [7, 7]]


@pytest.fixture(scope="module")
def bot(tmp_path_factory):
    """bot(formula) returns the command line of a bot that answers it, n being the case's number."""
    folder = tmp_path_factory.mktemp("bots")

    def command(formula, name="bot"):
        file = folder / f"{name}.sh"
        file.write_text(f"read -r n; echo $(({formula}))\n")
        return f"sh {file}"

    return command


@pytest.fixture
def arena(run, tmp_path):
    """arena(bots, arguments...) plays the toy contest into `arena.db`: its JSON."""

    def call(bots, *arguments, contest=ALONE):
        db = tmp_path / "arena.db"
        done = run("arena", contest, *bots, "--db", db, "--json", "--jobs", 1, *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1]) | {"stderr": done.stderr}

    return call


def test_an_arena_for_one_player(arena, bot, run, tmp_path):
    """Of 40 seeds 12 are cases, which are found again; versions, notes and pages are shown."""
    db, best = tmp_path / "arena.db", tmp_path / "arena-best.json"
    old, other = bot("n * 10", "own"), bot("60", "other")
    first = arena([old, other], "--cases", "0-39", "--note", "straight")
    assert (first["games"], first["cases"]) == (24, 12)
    own = first["bots"][0]
    assert own["mean"]["value"] == 55 and own["lead"]["value"] == -5 and own["note"] == "straight"
    assert (own["wins"], own["draws"], own["losses"]) == (5, 1, 6) and own["worst"][0] == "case 0"
    assert [(one["group"], one["cases"]) for one in first["groups"]] == [("even", 6), ("odd", 6)]
    known = json.loads(best.read_text())[str(ALONE)]
    assert known["case 11"] == {"score": 110.0, "bot": old} and known["case 1"]["score"] == 60
    assert arena([old, other], "--cases", "0-11")["bots"] == first["bots"]
    new = bot("n * 10 + 5", "own")
    again = arena([new, other], "--worst", 3, "--note", "five more", "--against", "other")
    assert again["bots"][0]["mean"]["value"] == 15 and again["bots"][1]["lead"] is None
    assert "expect the new one to do better" in again["stderr"]
    assert len(list((tmp_path / "arena-logs").iterdir())) == 6
    table = run("table", db, "--against", "other").stdout
    assert "too few cases for ±95%" in " ".join(table.split())
    assert re.search(r"own \w+ +12 +0 +55 ", table) and "five more" in table
    assert re.search(r"even +6 ", table)
    page = tmp_path / "arena.html"
    assert run("report", db, "-o", page, "--trust").returncode == 0
    links = re.findall(r'href="([^"]*)"', page.read_text())
    assert len(links) == 6 and all((tmp_path / link).is_file() for link in links)
    assert "five more" in page.read_text()


def test_a_replay_of_the_worst_leaves_the_results(arena, bot, tmp_path):
    """The worst cases are played again for a log; a luckier second score must not replace the
    first.
    """
    lucky = bot("$(date +%N | sed s/^0*//)")
    arena([lucky], "--games", 4)
    before, after = "SELECT score FROM seats ORDER BY game", "SELECT count(log) FROM games"
    with closing(sqlite3.connect(tmp_path / "arena.db")) as results:
        scores = results.execute(before).fetchall()
        again = arena([lucky], "--worst", 2)
        assert results.execute(before).fetchall() == scores
        assert results.execute(after).fetchone() == (2,)
    assert again["cases"] == 2 and again["bots"][0]["mean"]["value"] < sum(map(sum, scores)) / 4


def test_the_lower_score_wins_where_the_contest_says_so(arena, bot, tmp_path):
    contest = tmp_path / "low.py"
    contest.write_text(LOW)
    bots = [bot("n + 1", "one"), bot("n == 3 ? 2 : 9 / (4 - n)", "other")]
    result = arena(bots, "--cases", "3,4,16", contest=contest)
    assert (result["games"], result["lowest_wins"]) == (4, True)
    assert [one["errors"] for one in result["bots"]] == [0, 1]
    assert result["bots"][0]["lead"]["value"] == -2 and result["bots"][0]["wins"] == 1
    assert json.loads((tmp_path / "arena-best.json").read_text())[str(contest)] == {
        "case 3": {"score": 2.0, "bot": bots[1]},
        "case 4": {"score": 5.0, "bot": bots[0]},
    }


def test_cases_with_random_input_are_left_out(arena, bot):
    result = arena([bot("1", "one"), bot("2", "other")], "--games", 4, "--option", "drawn=yes")
    assert (result["cases"], result["left_out"]) == (0, ["case 1", "case 2"])


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--cases", "case 99"], "neither a seed nor a case of Alone, did you mean case 9?"),
        (["--worst", "2"], "play without --worst first"),
        (["--against", "nobody"], "--against nobody: no such bot: there are bot"),
        (["--sprt", "0,1"], "--sprt compares two bots"),
        (["--best", "/dev/null/best.json"], "best known scores cannot be"),
    ],
)
def test_errors_tell_what_to_do(command, bot, tmp_path, arguments, problem):
    words = ["arena", ALONE, bot("1"), "--db", tmp_path / "arena.db", "--games", 1, *arguments]
    done = run_here(command(*words))
    assert done.returncode == 2 and problem in done.stderr


def test_a_damaged_file_of_best_scores_is_named(command, bot, tmp_path):
    best = tmp_path / "arena-best.json"
    best.write_text('{"alone": {"case 1": {"score": "many"}}}')
    done = run_here(command("arena", ALONE, bot("1"), "--db", tmp_path / "arena.db", "--games", 1))
    assert done.returncode == 2 and "correct it, or move it away" in done.stderr
    assert best.read_text().startswith('{"alone"')
