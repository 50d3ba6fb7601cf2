"""Tuning from the command line: a synthetic game with a known optimum, kills, values that break a
bot.
"""

import json
import re
import sqlite3
import subprocess
import sys

import pytest

from tests.arena.conftest import run_here
from tests.conftest import PROJECT
from tests.support.waiting import wait_for
from tests.tuning.peaks import elo

pytestmark = pytest.mark.slow("tunes bots of a toy game to the end")

HERE = PROJECT / "tests" / "tuning"
PEAKS, CLIMBER = HERE / "peaks.py", HERE / "climber.py"
START = elo(0.2, 8)


def command(name, bots, db, *arguments):
    options = ["--nodes", "1", "--jobs", "1", "--db", db, *arguments]
    return [sys.executable, "-m", "referee", name, PEAKS, *bots, *map(str, options)]


def run(name, bots, db, *arguments):
    words = command(name, list(map(str, bots)), db, *arguments)
    return subprocess.run(words, cwd=PROJECT, capture_output=True, text=True)


def found_by(text):
    """Returns {name: value} of the declarations printed by `tune`."""
    lines = [line for line in text.splitlines() if line.startswith("tunable(")]
    return {part[0]: part[1] for part in (eval(line.split("#")[0][7:]) for line in lines)}


def n_trials(db):
    try:
        with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as connection:
            return connection.execute("SELECT count(*) FROM trials").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


@pytest.mark.exhaustive("tunes once more")
def test_it_raises_the_mean_score_for_one_player(tmp_path):
    """Cases differ more than values do: only differences on the same case tell the better ones."""
    options = ["--only", "x,y", "--games", "1600", "--sprt-games", "200", "--sprt", "0,50"]
    words = command("tune", [CLIMBER], tmp_path / "tune.db", *options)
    words[words.index(PEAKS)] = PEAKS.with_name("hill.py")
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = found_by(done.stdout)
    assert elo(found["x"], found["y"]) > -20
    gain = re.search(r"^# (\d+)\S* points on \d+ other games", done.stdout, re.MULTILINE)
    assert int(gain[1]) == pytest.approx(-START, rel=0.4)
    assert "H1 accepted: rather 50 than 0" in done.stdout


@pytest.mark.slow("tunes to the end")
def test_it_finds_a_known_optimum_and_proves_it(tmp_path):
    db = tmp_path / "arena.db"
    options = ["--only", "x,y", "--games", "4000", "--sprt-games", "600", "--sprt", "0,30"]
    done = run("tune", [CLIMBER], db, *options)
    assert done.returncode == 0, done.stderr
    found = found_by(done.stdout)
    assert START < -180 and elo(found["x"], found["y"]) > -20 and type(found["y"]) is int
    assert "H1 accepted: rather 30 than 0" in done.stdout
    assert re.search(r"^trials: 1 of 250, .* left; x=0", done.stderr, re.MULTILINE)
    assert re.search(r"^testing what was found: .* of 600, .*; LLR ", done.stderr, re.MULTILINE)
    assert "spsa by 4000 games at 1 nodes\n" in done.stdout
    page = (tmp_path / "arena-tuning.html").read_text()
    assert "250 of 250 trials" in page and "H1 accepted" in page and "no side failed" in page
    assert done.stdout == run("tune", [CLIMBER], db, *options).stdout


@pytest.mark.slow("tunes twice")
def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path):
    db, options = tmp_path / "killed.db", ["--only", "x,y", "--games", "800", "--sprt-games", "0"]
    for n in (20, 40):
        words = command("tune", [str(CLIMBER)], db, *options)
        with subprocess.Popen(words, cwd=PROJECT) as process:
            wait_for(lambda n=n: n_trials(db) >= n)
            process.kill()
    whole = run("tune", [CLIMBER], tmp_path / "whole.db", *options)
    assert run("tune", [CLIMBER], db, *options, "--jobs", "2").stdout == whole.stdout != ""


def test_values_that_a_bot_cannot_bear_lose_their_games(tmp_path):
    """Beyond its edge the climber falls: the tuning continues and stays below the edge."""
    db = tmp_path / "arena.db"
    bot = f"{CLIMBER} edge=0.5 x=0.45"
    done = run("tune", [bot], db, "--only", "x", "--games", "1600", "--sprt-games", "0")
    assert done.returncode == 0, done.stderr
    assert found_by(done.stdout)["x"] < 0.5
    assert "failures of a side" in (tmp_path / "arena-tuning.html").read_text()


@pytest.mark.parametrize(
    ("bots", "options", "said"),
    [
        ([CLIMBER], ["--only", "z"], "no tunable number 'z': there are x, y, edge"),
        ([f"{CLIMBER} x=1.5"], [], "x=1.5: its range is 0.0 to 1.0"),
        ([HERE / "peaks.py"], [], "the bot declares no tunable number"),
        ([CLIMBER], ["--games", "15"], "--games 15 are fewer than the 16 of a trial"),
        ([CLIMBER], ["--limits", "50"], "--nodes is without a clock: it goes without --limits"),
    ],
)
def test_an_invalid_tuning_is_one_error_line(tmp_path, bots, options, said):
    done = run_here(command("tune", list(map(str, bots)), tmp_path / "arena.db", *options))
    assert done.returncode == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.exhaustive("tunes by another method")
@pytest.mark.parametrize(
    ("method", "package", "games"), [("cma", "cmaes", "4000"), ("optuna", "optuna", "1600")]
)
def test_other_methods_find_it_as_well(tmp_path, method, package, games):
    pytest.importorskip(package, reason=f"{package} is not installed: pip install -e '.[tune]'")
    options = ["--only", "x,y", "--games", games, "--sprt-games", "0", "--method", method]
    db = tmp_path / "tune.db"
    done = run("tune", [CLIMBER], db, *options)
    found = found_by(done.stdout)
    assert elo(found["x"], found["y"]) > START / 3
    assert run("tune", [CLIMBER], db, *options).stdout == done.stdout


def test_values_that_did_not_move_need_no_test(tmp_path):
    """One trial leaves a whole number where it was."""
    db = tmp_path / "tune.db"
    options = ["--only", "y", "--games", "16"]
    done = run("tune", [CLIMBER], db, *options)
    assert done.returncode == 0, done.stderr
    assert "# no number has moved by a step that counts: nothing to test" in done.stdout
    assert "testing what was found" not in done.stderr
    assert found_by(done.stdout) == {"y": 8}


@pytest.mark.exhaustive("tunes twice")
def test_parameters_identify_a_bot(tmp_path):
    """Another value makes another bot, in one process and over pipes; a log repeats it."""
    db, log = tmp_path / "arena.db", tmp_path / "game.jsonl"
    bots = [f"{CLIMBER} x=0.7 y=3", f"{CLIMBER} x=0.1"]
    inside = run("arena", bots, db, "--in-process", "--games", "40", "--json")
    assert inside.returncode == 0, inside.stderr
    few = ["--games", "6", "--json"]
    done = run("arena", bots, tmp_path / "piped.db", *few, "--limits", "off")
    again = run("arena", bots, tmp_path / "few.db", *few, "--in-process")
    assert json.loads(done.stdout) == json.loads(again.stdout)
    match = [sys.executable, "-m", "referee", "match", PEAKS, *bots, "--log", log]
    match += ["--limits", "off"]
    assert subprocess.run(match, cwd=PROJECT, capture_output=True).returncode == 0
    assert '"0.7 3"' in log.read_text() and '"0.1 8"' in log.read_text()
    replay = [sys.executable, "-m", "referee", "replay", log, "--player", "1", "--trust"]
    assert subprocess.run(replay, cwd=PROJECT, capture_output=True).returncode == 0
