"""Arenas from the command line: the games played, the results kept, nothing left behind."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.arena.progress import announcement
from referee.log.file import read_log
from referee.process.procfs import children
from referee.project import PROJECT
from referee.sources.contests import find_contest
from tests.arena.conftest import TOY, rows, run_here
from tests.support.waiting import wait_for

# A placeholder for a third bot.
THIRD = "third"


def test_nothing_is_played_twice(play, tmp_path):
    """A larger number of games adds only the missing ones; another order of bots changes the first
    bot only. The line of JSON has games, bots and no test, and its numbers agree.
    """
    db = tmp_path / "arena.db"
    play(db, [1, 2], "--games", "4")
    before = rows(db, "SELECT * FROM games")
    more = play(db, [1, 2], "--games", "8")
    assert rows(db, "SELECT * FROM games")[:4] == before and len(rows(db)) == 8
    swapped = play(db, [2, 1], "--games", "8")
    assert len(rows(db)) == 8
    assert swapped["bots"][1]["wins"] == more["bots"][0]["wins"]
    assert list(more) == ["games", "bots", "sprt", "failures"]
    assert (more["games"], more["sprt"]) == (8, None)
    for one, other in (more["bots"], more["bots"][::-1]):
        counts = ["wins", "draws", "losses", "errors"]
        assert list(one) == ["name", *counts, "elo", "elo_low", "elo_high"]
        assert one["wins"] + one["draws"] + one["losses"] == 8
        assert (one["wins"], one["elo_low"]) == (other["losses"], -other["elo_high"])
        assert one["elo_low"] <= one["elo"] <= one["elo_high"]


def test_an_interrupted_arena_leaves_its_standings(command, bot, tmp_path):
    """The standings of the games played so far are printed."""
    db = tmp_path / "arena.db"
    words = command("arena", TOY, bot(1), bot(2), "--games", 100_000, "--db", db)
    with subprocess.Popen(words, cwd=PROJECT, stdout=-1, stderr=-1, text=True) as arena:
        wait_for(lambda: len(rows(db)) >= 6)
        arena.send_signal(signal.SIGINT)
        said, warned = arena.communicate()
    assert arena.returncode == 130
    assert "Elo" in said and f" games in {db}" in said
    assert warned.splitlines()[-1].startswith("warning: stopped: ")


def test_interrupted(command, tmp_path, processes_naming, workers_of):
    """An interrupted arena reports the remaining games and leaves no worker and no bot."""
    bot = tmp_path / "sleeper.sh"
    bot.write_text("sleep 60")
    bots = [f"sh {bot} {level}" for level in (1, 2)]
    words = command("arena", TOY, *bots, "--games", 10, "--db", tmp_path / "arena.db")
    with subprocess.Popen(words, cwd=PROJECT, stderr=subprocess.PIPE, text=True) as arena:
        # The arena itself and two bots.
        wait_for(lambda: len(processes_naming(bot)) == 3)
        workers = workers_of(arena.pid)
        arena.send_signal(signal.SIGTERM)
        said = arena.stderr.read()
    assert arena.returncode == 130
    assert said == "warning: stopped: 10 games are left, the same command goes on\n"
    assert processes_naming(bot) == []
    # multiprocessing's own helper process ends a moment after the arena.
    wait_for(lambda: not any(os.path.exists(f"/proc/{worker}") for worker in workers))


def test_a_worker_that_dies_is_replaced(command, bot, tmp_path, workers_of):
    """The game of a killed worker is played by another one."""
    db = tmp_path / "arena.db"
    words = command("arena", TOY, bot(1), bot(2), "--games", 12, "--db", db, "--json")
    with subprocess.Popen(words, cwd=PROJECT, stdout=subprocess.DEVNULL) as arena:
        wait_for(lambda: len(rows(db)) >= 2)
        # The newest child is the worker; earlier children are multiprocessing's own.
        os.kill(max(workers_of(arena.pid)), signal.SIGKILL)
    assert arena.returncode == 0 and len(rows(db)) == 12


def test_a_bot_that_always_fails(run, bot, tmp_path):
    """Its reason is in the line of JSON, and the status tells scripts."""
    words = [TOY, bot(1), "false", "--games", 2, "--db", tmp_path / "arena.db", "--json"]
    done = run("arena", *words)
    [said] = json.loads(done.stdout)["failures"]
    assert done.returncode == 3 and said.startswith("false failed in 2 games, first in seed 1:")


def test_too_many_open_files_are_told(run, bot, monkeypatch):
    def fail(*_):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("referee.commands.arena.read_lineup", fail)
    done = run("arena", TOY, bot(1), bot(2))
    said = "error: too many open files: play fewer games at once (--jobs), or raise the bound"
    assert (done.returncode, done.stderr) == (2, f"{said} (ulimit -n)\n")


def test_a_contest_in_a_file_imports_modules_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "toy_beside.py").write_text(TOY.read_text())
    contest = tmp_path / "contest.py"
    contest.write_text("from toy_beside import CONTEST\n")
    assert find_contest(str(contest)).name == str(contest)


def test_the_first_failure_of_a_bot_is_told(run, bot, tmp_path):
    """With its reason and the log to view; when the games are found stored, too."""
    db = tmp_path / "arena.db"
    for _ in range(2):
        done = run("arena", TOY, bot(1), bot(-3), "--games", "10", "--db", db)
        line = next(text for text in done.stdout.splitlines() if " failed in " in text)
        log = line.rpartition("onefile view ")[2].removesuffix(")")
        assert line == (
            "sh bot.sh -3 failed in 2 games, first in seed 5: player 1, turn 2: exited with status"
            " 1 before its answer was complete: 0 of 2 lines, ''; last on its stderr:"
            f" '<script>alert(1)</script>' (onefile view {log})"
        )
        assert Path(log).is_file()


def test_games_beyond_a_verdict_are_not_counted_as_found(play, run, bot, tmp_path):
    """A test that ends at an early game has found no more games than it counts."""
    db = tmp_path / "arena.db"
    result = play(db, [7, 1], "--games", "60")
    words = ["--games", "60", "--sprt", "-400,-300", "--db", db]
    said = run("arena", TOY, bot(7), bot(1), *words).stdout
    n_games = int(re.search(r"^(\d+) games", said, re.M)[1])
    assert n_games < result["games"] and f"{n_games} games, {n_games} of them found in" in said


def test_the_winner_is_listed_first(play, run, tmp_path):
    db = tmp_path / "arena.db"
    loser, winner = play(db, [7, 1], "--games", "6")["bots"]
    table = run("table", db).stdout
    assert winner["elo"] > 0 and table.index(winner["name"]) < table.index(loser["name"])


@pytest.mark.parametrize(
    ("elapsed_s", "n_played", "text"),
    [(9.0, 1, "39 more games take about 3 min, 2 at once. "), (5.0, 1, ""), (9.0, 3, "")],
)
def test_the_time_of_a_long_arena_is_told_after_the_first_games(elapsed_s, n_played, text):
    plan = SimpleNamespace(n_games=39 + n_played)
    arena = SimpleNamespace(plan=plan, n_found=0, n_played=n_played, sprt=None, running={1, 2})
    assert announcement(arena, elapsed_s).partition("Faster")[0] == text


def test_errors_are_results_with_a_log(played):
    """A game in which a bot failed counts, and its log is kept; other games keep no log."""
    games = rows(
        played, "SELECT log, max(fault) FROM games JOIN seats ON games.id = game GROUP BY games.id"
    )
    assert 0 < sum(fault is not None for _, fault in games) < len(games)
    for log, fault in games:
        assert (log is None) == (fault is None)
        if log:
            assert read_log(played.parent / log).outcome.reason == fault


@pytest.mark.slow("plays an arena more")
def test_a_log_that_cannot_be_written_costs_no_game(run, bot, tmp_path):
    """The arena stops with a line, and all games played so far are stored."""
    rules, db = tmp_path / "mine.py", tmp_path / "arena.db"
    rules.write_text(
        TOY.read_text().replace('{"turn": self.turn,', '{"x": {1} if self.turn else 0,')
    )
    done = run("arena", rules, bot(1), bot(-3), "--db", db, "--games", "10", "--seed", "5")
    assert done.returncode == 2 and "turn 0 cannot be written: Object of type set is" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(rows(db)) >= 1
    assert not [*tmp_path.glob("arena-logs/*.unfinished")]


@pytest.mark.slow("plays until the verdict, twice")
def test_stops_by_itself(play, tmp_path):
    """With --sprt an arena stops at the verdict, and repeats it when run again."""
    arguments = "--games", "1000", "--sprt", "0,300", "--jobs", "2"
    first = play(tmp_path / "arena.db", [2, -1], *arguments)
    assert first["sprt"]["verdict"] in ("H0", "H1") and first["games"] < 100
    low, llr, high = (first["sprt"][name] for name in ("lower", "llr", "upper"))
    assert llr <= low or llr >= high
    assert play(tmp_path / "arena.db", [2, -1], *arguments) == first


@pytest.mark.slow("plays an arena more")
def test_a_test_in_a_field(play, tmp_path, run):
    """--sprt also compares the first two bots at a table with a third, one sample a seed; table and
    report show the places.
    """
    db = tmp_path / "arena.db"
    result = play(db, [2, -1, 3], "--games", "900", "--sprt", "0,300")
    assert result["sprt"]["verdict"] in ("H0", "H1")
    assert result["sprt"]["pairs"] == result["games"] / 3 < 100
    table = run("table", db).stdout
    assert "place" in table
    assert run("report", db).returncode == 0
    page = db.with_suffix(".html").read_text()
    places = [float(place) for place in re.findall(r'data-label="place">([0-9.]+)<', page)]
    assert len(places) == 3 and sum(places) == pytest.approx(6, abs=0.02)


def test_bots_with_terms_of_their_own(play, tmp_path):
    """A bot keeps its node limit in every seat; the log of a game records it."""
    db, logs = tmp_path / "arena.db", tmp_path / "arena-logs"
    arguments = "--games", "2", "--nodes", "5/-", "--think", "-/40", "--all-logs"
    result = play(db, [1, 1], *arguments)
    assert [bot["name"] for bot in result["bots"]] == ["bot (5 nodes)", "bot (thinks 40 ms)"]
    headers = [read_log(log).header for log in logs.iterdir()]
    assert sorted(str(header.conditions.nodes) for header in headers) == ["(5, None)", "(None, 5)"]
    assert {header.conditions.think_ms for header in headers} == {(None, 40), (40, None)}


def test_a_foreign_referee(play, run, tmp_path):
    """The foreign referee's scores are the results, also for an unknown contest; a negative score
    is an error.
    """
    referee = tmp_path / "referee.sh"
    referee.write_text("echo 5\necho -1\n")
    arguments = "--games", "2", "--referee", f"unseeded:sh {referee}"
    db = tmp_path / "arena.db"
    first, second = play(db, [1, 2], *arguments)["bots"]
    assert (first["wins"], first["losses"], first["errors"]) == (1, 1, 1)
    assert (second["wins"], second["losses"], second["errors"]) == (1, 1, 1)
    done = run("report", "--db", db, "-o", tmp_path / "report.html", "--trust")
    assert (done.returncode, done.stderr) == (0, "")


def test_table_of_a_file(run, played):
    """`table` prints standings and crosstable of the stored games."""
    done = run("table", "--db", played)
    assert done.returncode == 0 and done.stdout == run("table", played).stdout
    assert "toy, limits off" in done.stdout and "points of" in done.stdout
    assert done.stdout.count("of 12") == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sprt", "10,0"], "--sprt 10,0: the first number has to be the smaller one"),
        (["--sprt", "0,inf"], "--sprt 0,inf: both numbers have to be within 1000 of 0"),
        (["--sprt", "0,5", THIRD], "--sprt compares the first two bots at one table: give as many"),
        (["--nodes", "5/6/7"], "Invalid value for '--nodes': 3 values for 2 bots"),
        (["--cluster", "nowhere"], "no scheduler can be at 'nowhere' "),
    ],
)
def test_arguments_that_lead_nowhere(command, bot, tmp_path, arguments, message):
    """Invalid arguments are refused in one line, before a game is played."""
    words = [bot(3) if word is THIRD else word for word in arguments]
    words += ["--players", "2"] if THIRD in arguments else []
    done = run_here(command("arena", TOY, bot(1), bot(2), "--db", tmp_path / "arena.db", *words))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {message}") and done.stderr.count("\n") == 1
    assert rows(tmp_path / "arena.db") == []


@pytest.mark.slow("more moments", keep=1)
@pytest.mark.exhaustive("more moments", keep=3)
@pytest.mark.parametrize("n", range(6))
def test_ctrl_c_in_the_first_second(n, tmp_path, bot):
    """No traceback of imports, of the arena or of its workers, whenever it comes."""
    words = [sys.executable, "-m", "referee", "arena", TOY, bot(1), bot(2), "--jobs", 2]
    words += ["--games", 5000, "--limits", "off", "--db", tmp_path / "a.db"]
    arena = subprocess.Popen(
        list(map(str, words)), cwd=PROJECT, stderr=subprocess.PIPE, process_group=0, text=True
    )
    if n % 3 == 1 or n == 5:
        # A worker is being started.
        wait_for(lambda: arena.poll() is not None or children(arena.pid))
    time.sleep((0.5, 0.1, 0.9, 0.25, 0.0, 0.3)[n])
    os.killpg(arena.pid, signal.SIGINT)
    _, said = arena.communicate(timeout=300)
    # On a slow machine Python itself may still be starting: of the program no more than the import
    # by which it changes the signal's effect.
    begun = re.findall(r'File "[^"]*/(?:referee|shared|bundler)/.*\n +(.*)', said)
    of_python = said.startswith("Traceback") and "multiprocessing" not in said
    if not (of_python and set(begun) <= {"import signal"}):
        assert "Traceback" not in said and "KeyboardInterrupt" not in said, said
