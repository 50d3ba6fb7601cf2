"""Matches led by environments of Kaggle's: a small double of the package, and the package."""

import json
import os
import subprocess
import sys

import pytest

from referee.log.file import read_log
from referee.project import PROJECT
from shared.core.kaggle import make_agent
from tests.arena.conftest import command, run

__all__ = ["command", "run"]  # fixtures
DOUBLE = PROJECT / "tests" / "support" / "kaggle"
AGENT = "def agent(observation, configuration):\n    return "
# Plays as Kaggle does, without the referee: its own runner.
RUNNER = """\
import sys
from kaggle_environments import make

environment = make("connectx")
environment.run([sys.argv[1], "random"])
print([agent.reward for agent in environment.state])
"""


@pytest.fixture
def agents(tmp_path):
    """agents(name=expression) writes files of agents, whose action it is: their paths."""

    def write(**actions):
        paths = []
        for name, action in actions.items():
            paths.append(tmp_path / f"{name}.py")
            paths[-1].write_text(f"import os, time\n{AGENT}{action}\nnumber = 0\n")
        return paths

    return write


@pytest.fixture
def double(monkeypatch):
    """Puts the double in the package's place."""
    monkeypatch.syspath_prepend(str(DOUBLE))
    monkeypatch.setenv("PYTHONPATH", str(DOUBLE))  # of the arena's workers
    for name in [name for name in sys.modules if name.startswith("kaggle_environments")]:
        monkeypatch.delitem(sys.modules, name)
    yield
    for name in [name for name in sys.modules if name.startswith("kaggle_environments")]:
        del sys.modules[name]


@pytest.fixture
def played(double, run, tmp_path):
    """played(bots, options...) plays the double's race: the CompletedProcess and the Log."""

    def play(bots, *options):
        log = tmp_path / "log.jsonl"
        arguments = ["--kaggle", "race", *bots, "--seed", "5", "--log", log, "--clock", "wall"]
        return run("match", *arguments, *options), read_log(log)

    return play


def test_a_loss_has_its_reward_and_each_turn_is_logged(played, run, agents, tmp_path):
    """A loss of -1 is no failure. The game replays, and has Kaggle's page beside ours."""
    options = "--option", "bonus=-1"
    done, log = played(agents(two="2 + configuration['bonus']", three="3"), *options)
    assert done.returncode == 0, done.stderr
    assert (log.outcome.scores, log.outcome.ranks) == ([-1, 1], [1, 0])
    assert "failed" not in done.stdout
    assert [turn.players[0].output for turn in log.turns] == [["1"]] * 3
    assert json.loads(log.turns[1].players[0].input[0])["sum"] == 1
    assert [agent["status"] for agent in log.turns[-1].state["agents"]] == ["DONE", "DONE"]
    file = tmp_path / "log.jsonl"
    assert "3 turns agree with the rules" in run("replay", file).stdout
    assert "agree with the log" in run("replay", file, "--player", "0", "--trust").stdout
    assert run("view", file).returncode == 0
    assert "4 steps of ['two', 'three']" in (tmp_path / "log.official.html").read_text()


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("10", "the status INVALID"),
        ("9 if observation.step == 0 else 10", "the status INVALID"),
        ("os._exit(3)", "exited with status 3"),
        ("[][0]", "IndexError"),
        ("{1}", "not JSON serializable"),
        pytest.param("time.sleep(9)", "1500 ms", marks=pytest.mark.slow("waits")),
    ],
    ids=["invalid", "invalid-ahead", "dead", "error", "no-json", "late"],
)
def test_a_failure_has_its_reason(played, agents, action, reason):
    """It loses with the least reward, whatever the environment gives."""
    done, log = played(agents(bad=action, three="3"))
    assert done.returncode == 3
    rewards = [-1, -1] if "step" in action else [0, 1]
    assert (log.outcome.scores, log.outcome.ranks) == (rewards, [1, 0])
    assert reason in " ".join(done.stdout.split())


@pytest.mark.slow("waits")
def test_the_overage_is_for_the_whole_game(played, agents):
    """An answer may take actTimeout, and what is left of the overage."""
    _, log = played(agents(slow="time.sleep(1.1 * (observation.step < 2)) or 5", three="3"))
    limits = [turn.players[0].limit_ms for turn in log.turns]
    assert limits[0] == 1500 and 1000 < limits[2] < limits[1] < 1400
    assert log.outcome.scores == [1, -1]


def test_other_names_and_numbers_of_bots(double, run, agents):
    """A wrong environment names the known ones; two referees are refused."""
    [bot] = agents(one="1")
    for arguments, advice in {
        ("--kaggle", "rice", bot): "environments: race",
        ("--kaggle", "race"): "the package's own: three",
        ("--kaggle", "race", bot, bot, bot): "game of 2 players",
        ("--kaggle", "race", bot, "--referee", "x"): "two referees",
    }.items():
        done = run("match", *arguments)
        assert done.returncode == 2 and advice in " ".join(done.stderr.split())


def test_without_the_package(run, monkeypatch):
    """It is named with the command that installs it."""
    monkeypatch.setattr("referee.play.kaggle.util.find_spec", lambda name: None)
    done = run("match", "--kaggle", "connectx", "negamax")
    assert done.returncode == 2 and "kaggle-environments" in done.stderr


def test_an_arena(double, run, agents, tmp_path):
    """Games count by their rewards; failed ones are errors."""
    options = "--db", tmp_path / "arena.db", "--games", "2", "--jobs", "1", "--json"
    bots = agents(bad="10 if observation.mark else 1", three="3")
    done = run("arena", "--kaggle", "race", *bots, *options)
    rows = json.loads(done.stdout.splitlines()[-1])["bots"]
    counts = [[row[name] for name in ("name", "wins", "losses", "errors")] for row in rows]
    assert counts == [["bad", 0, 2, 1], ["three", 2, 0, 0]]


def test_an_agent_begins_each_game_anew():
    """The step tells of a new game, as one process plays many."""
    begun = []

    def new_player(read_line):
        begun.append(json.loads(read_line()))
        told = []
        return lambda: told.append(json.loads(read_line())), lambda: [str(told[-1]["step"] + 7)]

    agent = make_agent(new_player)
    steps = [0, 1, 5, 0, 2]
    assert [agent({"step": step}, {"n": 1}) for step in steps] == [7, 8, 12, 7, 9]
    assert begun == [{"n": 1}] * 2


@pytest.mark.slow("bundles our bot, and plays a game by the package's own runner")
def test_our_bot_as_main_py(run, tmp_path):
    """The bundle is a main.py for Kaggle; in a match its failures would be told."""
    pytest.importorskip("kaggle_environments", reason="kaggle-environments is not installed")
    file, log = tmp_path / "main.py", tmp_path / "log.jsonl"
    bot, nodes = "bots/connectx/alphabeta.py", ("--nodes", "2000", "--seed", "3")
    done = run("match", "--kaggle", "connectx", bot, "negamax", "--log", log, *nodes)
    assert done.returncode == 0, done.stdout + done.stderr
    assert read_log(log).outcome.scores == [1, -1]
    assert "agree with the rules" in run("replay", log).stdout
    made = [sys.executable, "-m", "bundler", bot, "-o", file, "--check", log]
    assert "checked" in subprocess.run(made, cwd=PROJECT, capture_output=True, text=True).stderr
    environment = os.environ | {"CG_NODES": "2000"}
    own = [sys.executable, "-c", RUNNER, file]
    ended = subprocess.run(own, env=environment, capture_output=True, text=True)
    assert ended.stdout.endswith("[1, -1]\n"), ended.stderr
