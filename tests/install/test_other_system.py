"""The command on macOS and Windows, imitated: no traceback; matches and machine code are refused.

The imitation lacks modules and functions of Python that are not there; real systems were not tried.
"""

import json
import os
import subprocess
import sys

import pytest

from referee.log.file import read_log, write_log
from tests.conftest import PROJECT
from tests.page.logs import race


@pytest.fixture(params=["win32", "darwin"])
def onefile(request, tmp_path):
    """onefile(*words) runs a command as on another system; returns its output."""

    def run(*words, status=0):
        done = subprocess.run(
            [sys.executable, "-m", "tests.install.other_system", request.param, *map(str, words)],
            cwd=PROJECT,
            env={**os.environ, "PYTHONPATH": str(PROJECT / "referee" / "launcher")},
            capture_output=True,
            text=True,
        )
        assert done.returncode == status, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    return run


@pytest.mark.slow("bundles a bot")
@pytest.mark.exhaustive("the other system", keep=1)
def test_commands_that_start_no_bots_run_there(onefile, tmp_path):
    assert "view" in onefile("--help")
    onefile("import", "--help")
    onefile("init", tmp_path / "own")
    assert "play on Linux" in onefile("doctor", status=1)
    out = tmp_path / "greedy.py"
    said = onefile("bundle", "bots/infexion/greedy.py", "-o", out)
    assert "not checked, which needs Linux" in said and out.is_file()


@pytest.mark.exhaustive("the other system", keep=1)
@pytest.mark.slow("types commands as two systems")
def test_logs_are_viewed_games_imported_and_bots_bundled_there(onefile, tmp_path):
    """The page of a log, the log of a replay of the site, and a bundle of plain Python."""
    log, page = tmp_path / "race.jsonl", tmp_path / "race.html"
    write_log(race(), log)
    onefile("view", log, "-o", page)
    assert "<html" in page.read_text(encoding="utf-8")
    frames = [{"agentId": player, "stdout": "80 45 100\n80 45 100\n"} for player in (0, 1)] * 3
    (tmp_path / "game.json").write_text(json.dumps({"frames": frames, "ranks": [1, 0]}))
    onefile("import", tmp_path / "game.json", "--contest", "coders_strike_back")
    assert len(read_log(tmp_path / "game.jsonl").turns) == 3
    bundle = tmp_path / "greedy.py"
    onefile("bundle", "bots/infexion/greedy.py", "--mode", "python", "-o", bundle)
    compile(bundle.read_text(encoding="utf-8"), str(bundle), "exec")


@pytest.mark.exhaustive("the other commands", keep=1)
@pytest.mark.parametrize("command", ["match", "arena", "replay", "tune"])
def test_a_command_that_starts_bots_says_where_it_runs(onefile, command):
    assert f"{command} needs Linux, on Windows inside WSL" in onefile(command, status=1)


def test_machine_code_is_refused(onefile, tmp_path):
    words = ["bundle", "bots/infexion/greedy.py", "--mode", "native", "-o", tmp_path / "x.py"]
    assert "need Linux" in onefile(*words, status=2)
