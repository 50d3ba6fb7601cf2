"""The commands: their output and exit status."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import referee.commands.match
from referee.log.file import read_log
from referee.log.records import Late
from referee.project import PROJECT
from tests.referee.conftest import TOY


@pytest.fixture
def log(run, good_bot, tmp_path):
    """The path of a log of two good bots."""
    path = tmp_path / "log"
    assert run("match", "toy", good_bot, good_bot, "--log", path)[0] == 0
    return path


def test_match_prints_a_table(run, write_bot, good_bot):
    """The table has bots and times, the sentence the verdict; a crash is status 3."""
    status, out, err = run("match", "toy", good_bot, write_bot("sys.exit(1)"), "--seed", "5")
    assert (status, err) == (3, "")
    assert "Toy <b>contest</b>, seed 5, 1 turn" in out
    assert "median ms" in out
    assert "player 0" in out and "wins: player 1, turn 0: exited with status 1" in " ".join(
        out.split()
    )


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("for line in turns():\n    say('0', 'word')", None),  # it loses
        ("for line in turns():\n    say('x', 'word')", "'x'"),
        ("sys.exit(1)", "exited with status 1"),
    ],
)
def test_scripts_tell_a_failure_from_a_loss(run, good_bot, write_bot, code, failure):
    """A failure has another exit status, and its player's fault is in the line of JSON."""
    status, out, _ = run("match", "toy", good_bot, write_bot(code), "--clock", "cpu", "--json")
    result = json.loads(out)
    assert result["winner"] == 0
    assert status == (3 if failure else 0)
    fault = result["players"][1]["fault"]
    assert (fault is None) if failure is None else failure in fault


def test_a_match_that_the_machine_spoiled_has_a_status_of_its_own(run, good_bot, monkeypatch):
    """A script plays it again, as the line on stderr advises, or counts CPU time."""
    played = referee.commands.match.play_match

    def spoiled(*arguments):
        log = played(*arguments)
        log.outcome.spoiled = True
        part = log.turns[-1].players[1]
        part.fault, part.late = "late", Late.MACHINE
        return log

    monkeypatch.setattr("referee.commands.match.play_match", spoiled)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})
    status, out, said = run("match", "toy", good_bot, good_bot, "--seed", "7", "--json")
    assert status == 4 and json.loads(out)["spoiled"]
    assert said == (
        "error: no result: the machine kept player 1 (good #2) waiting (2 bots on 1 core): let CPU"
        " time count by --clock cpu, or play the same game by --seed 7 once more\n"
    )
    status, out, _ = run("match", "toy", good_bot, good_bot)
    assert status == 4
    assert "no result, the machine was too busy: play it again, or with --clock cpu" in out


def test_match_cut_short(run, good_bot, tmp_path):
    """A single bot plays against itself; after --turns there is no outcome, and a line says so."""
    log = tmp_path / "log"
    status, out, _ = run("match", "toy", good_bot, "--turns", "2", "--log", log)
    assert status == 0 and "no outcome: stopped after 2 turns" in out
    logged = read_log(log)
    assert (len(logged.turns), logged.header.n_players, logged.outcome) == (2, 2, None)


def test_match_json(run, good_bot):
    """--json prints one line with the result and nothing else."""
    status, out, _ = run("match", "toy", good_bot, good_bot, "--json", "--seed", "5")
    assert status == 0 and out.count("\n") == 1
    result = json.loads(out)
    assert (result["seed"], result["turns"], result["winner"]) == (5, 5, None)
    assert [player["score"] for player in result["players"]] == [15.0, 15.0]
    assert result["players"][0]["worst_ms"] >= result["players"][0]["median_ms"] > 0.0


def test_replay_agrees(run, log):
    """Exit 0 if every answer agrees."""
    status, out, err = run("replay", log, "--player", "0")
    assert (status, err) == (0, "")
    assert out.endswith("all 5 answers agree with the log\n")


def test_replay_of_the_log_alone(run, log):
    """Without a bot the game is simulated again; exit 1 with the place of the first different
    state.
    """
    assert run("replay", log) == (0, f"{log}: 5 turns agree with the rules\n", "")
    log.write_text(log.read_text().replace('"sums":[3,3]', '"sums":[3,4]'))
    status, out, _ = run("replay", log)
    assert status == 1
    assert out == "first difference: turn 1, state.sums[1]: 3 where the log has 4\n"


def test_replay_with_other_nodes(run, log, write_bot):
    """--nodes replaces the logged node counts as the bot's budget; exit 1 at the first different
    answer.
    """
    bot = write_bot("for line in turns():\n    say(os.environ['CG_NODES'], 'x')", "budget")
    status, out, _ = run("replay", log, "--bot", bot, "--nodes", "77")
    assert status == 1 and "first difference in turn 0\n" in out and "  input:\n" in out
    assert "logged answer:\n    1\n    word\n" in out and "new answer:\n    77\n    x\n" in out


def test_diff(run, log, good_bot, write_bot):
    """Exit 0 if two bots answer alike, else 1 with the turn's input and both answers."""
    status, out, _ = run("diff", log, good_bot, good_bot)
    assert status == 0
    assert "all 5 answers are the same" in out and "CPU time of B to A: " in out
    other = write_bot("for turn, line in enumerate(turns()):\n    say('1', 'word')", "other")
    status, out, _ = run("diff", log, good_bot, other, "--player", "1")
    assert status == 1
    assert "first difference in turn 1\n  input:\n    1 1\n" in out
    assert "answer of A:\n    2\n    word\n" in out and "answer of B:\n    1\n    word\n" in out


@pytest.fixture
def debug(log, good_bot):
    """debug(text) sends a text to the debugger of turn 3; returns its output."""

    def call(text):
        command = ["replay", log, "--bot", good_bot.split()[-1], "--turn", "3", "--pdb"]
        words = [sys.executable, "-m", "referee", *command]
        done = subprocess.run(
            words, cwd=PROJECT, input=text, capture_output=True, text=True, check=True
        )
        assert "Traceback" not in done.stderr
        return done.stdout

    return call


def test_pdb_stops_at_a_turn(debug):
    """The source runs in the debugger, which stops when the turn's input is read."""
    before, after = debug("p turn\nc\n").split("(Pdb)", 1)
    assert before.startswith("turn 3, the logged answer is ['4', 'word']\n1\nword\n")
    assert "\n3\nword\n" in before and "\n4\nword\n" not in before
    assert after.endswith("4\nword\n")


SEARCHING = """\
import sys
from shared.core.jit import COMPILED, int_buffer, kernel, njit

@njit
def doubled(number):
    return 2 * number

@kernel("int64(int64[::1])")
def search(buffer):
    buffer[0] += 1
    return doubled(buffer[0])

def choose(line, buffer):
    answer = search(buffer)
    return answer

def main():
    buffer = int_buffer(1)
    input(), input()
    for line in sys.stdin:
        print(choose(line, buffer))
        print("word", COMPILED)

main()
"""


@pytest.mark.slow("compiles a bot")
def test_pdb_stops_where_the_bot_chooses(log, tmp_path):
    """Earlier turns run compiled, with a notice; from there every function can be stepped into."""
    bot = tmp_path / "searching.py"
    bot.write_text(SEARCHING)
    command = ["replay", log, "--bot", bot, "--turn", "3", "--pdb"]
    done = subprocess.run(
        [sys.executable, "-m", "referee", *map(str, command)],
        cwd=PROJECT,
        input="s\ns\nn\ns\ns\np number\nc\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Traceback" not in done.stderr and "the bot starts, which compiles" in done.stderr
    before, *stepped, after = done.stdout.split("(Pdb)")
    assert "6\nword True\n" in before and before.endswith("choose()\n-> answer = search(buffer)\n")
    assert "search()" in stepped[1] and "doubled()" in stepped[3] + stepped[4]
    assert after == " 8\nword True\n"


def test_replay_shows_a_turn(run, log):
    """--turn shows input, answers, stderr and times of that turn even if nothing differs."""
    status, out, _ = run("replay", log, "--turn", "2")
    assert status == 0
    assert out.startswith("turn 2\n  input:\n    3 3\n")
    assert "stderr of the new answer:\n    debug 2\n" in out
    assert "102 nodes" in out


def test_replay_warns_of_a_changed_bot(run, log, write_bot):
    """A bot whose file changed since the match is named."""
    write_bot("for turn, line in enumerate(turns()):\n    say(str(turn + 1), 'word')", "good")
    status, _, err = run("replay", log, "--player", "0")
    assert status == 0
    assert err.startswith("warning: ") and err.endswith("is no longer what played this match\n")


def test_replay_warns_of_missing_node_counts(run, write_bot, good_bot, tmp_path):
    """Without node counts a bot cannot be repeated exactly; the warning says so."""
    tell = "if turn != 2: os.write(2, b'nodes=1\\n')"
    code = f"for turn, line in enumerate(turns()):\n    {tell}\n    say('1', 'x')"
    assert run("match", "toy", write_bot(code), good_bot, "--log", tmp_path / "log")[0] == 0
    status, _, err = run("replay", tmp_path / "log", "--player", "0")
    assert status == 0
    assert err.startswith("warning: turn 2 has no node count") and err.count("\n") == 1
    assert run("replay", tmp_path / "log", "--player", "1")[2] == ""


def test_replay_of_an_unfinished_log(run, log):
    """A log without outcome is replayed, and reported as unfinished."""
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:3]))
    assert run("replay", log)[1].endswith(
        "2 turns agree with the rules; the match was cut short there\n"
    )
    status, out, err = run("replay", log, "--player", "0")
    assert status == 0
    assert "all 2 answers agree" in out
    assert "unfinished" in err


def test_verify(run, tmp_path):
    """Exit 0 and a table if all games agree, else 1 and the first difference."""
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text("agrees")
    bad.write_text("differs")
    status, out, _ = run("verify", "toy", good)
    assert status == 0 and "mismatches" in out and str(good) in out
    status, out, _ = run("verify", "toy", good, bad)
    assert status == 1
    assert out.endswith(
        f"first difference: {bad}: game 0, turn 2, player 1, sum: 3 where 4 was recorded\n"
    )


def test_view(run, log, tmp_path, monkeypatch):
    """By default the page is written beside the log; its path is printed."""
    written = []

    def write(log, path, trust, viewer):
        written.append((log, path))
        path.write_text("x" * 12_345)

    monkeypatch.setattr("referee.commands.view.write_page", write)
    page = tmp_path / "page.html"
    said = f"{page}: 12 kB, to open in a browser\n"
    assert run("view", log, "-o", page) == (0, said, "")
    assert run("view", log)[1].startswith(f"{log.with_suffix('.html')}: ")
    assert written == [(read_log(log), page), (read_log(log), log.with_suffix(".html"))]


def test_a_contest_without_recorded_games_has_nothing_to_verify(run, tmp_path):
    """The error names the missing data."""
    rules = tmp_path / "rules.py"
    rules.write_text(f"{TOY.read_text()}\nCONTEST = replace(CONTEST, verify=None)\n")
    message = f"error: {rules} reads no recorded games: its contest.py has no verify yet\n"
    assert run("verify", rules, "games.json") == (2, "", message)


# The arguments of a command, and on the next line the beginning of its error
_LINES = Path(__file__).with_name("bad_input.txt").read_text().splitlines()


@pytest.mark.parametrize(("arguments", "message"), list(zip(_LINES[::2], _LINES[1::2])))
def test_bad_input(arguments, message, run, log, good_bot, tmp_path, monkeypatch):
    """One line on stderr that describes the error, nothing on stdout, exit 2."""
    monkeypatch.chdir(tmp_path)
    arguments, message = shlex.split(arguments, comments=True), message.strip()
    (tmp_path / "notes.txt").write_text("some text\n")
    for name, line in {"windows.sh": "#!/bin/sh\r", "gone.sh": "#!/no/such/program"}.items():
        (tmp_path / name).write_text(f"{line}\n")
        (tmp_path / name).chmod(0o755)
        message = message.replace(name.removesuffix(".sh").upper(), str(tmp_path / name))
    (tmp_path / "loop.py").symlink_to("loop.py")
    status, out, err = run(*(good_bot if word == "GOOD" else word for word in arguments))
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["match", "arena"])
def test_an_exception_of_a_contest_is_told_by_its_place(run, good_bot, tmp_path, command):
    """A line with file, line, function and error, without a traceback of the referee."""
    rules = tmp_path / "mine.py"
    rules.write_text(TOY.read_text().replace("self.turn += 1", "self.turn += 1 // self.seed", 1))
    line = 1 + rules.read_text().split("1 // self.seed")[0].count("\n")
    more = ["--db", tmp_path / "arena.db", "--games", 1] if command == "arena" else []
    status, _, err = run(command, rules, good_bot, good_bot, "--seed", 0, *more)
    assert status == 2
    expected = f"error: {rules}:{line}, in play: ZeroDivisionError: "
    assert err.startswith(expected) and err.count("\n") == 1


def test_a_contest_that_cannot_be_read_is_told_by_its_line(run, good_bot, tmp_path):
    """The error names the line, also for errors raised during its import."""
    rules = tmp_path / "mine.py"
    rules.write_text("x = 1\ndef broken(:\n")
    status, _, err = run("match", rules, good_bot)
    assert (status, err) == (2, f"error: {rules}:2: SyntaxError: invalid syntax\n")
    rules.write_bytes(b"x = 1\0\n")
    status, _, err = run("match", rules, good_bot)
    assert status == 2 and err.startswith(f"error: {rules}: SyntaxError: source code string cannot")
    assert err.count("\n") == 1
    rules.write_text("x = 1\n\nimport nothing_of_this_name\n")
    assert run("match", rules, good_bot)[2].startswith(f"error: {rules}:3: ModuleNotFoundError: ")


def test_a_command_of_relative_paths(run, log, good_bot, tmp_path, monkeypatch):
    """Files in a command are relative to the current folder, though the bot runs elsewhere."""
    shutil.copy(good_bot.split()[-1], tmp_path / "copy.py")
    monkeypatch.chdir(tmp_path)
    assert run("replay", log, "--bot", "python3 -I -S copy.py")[0] == 0
    assert run("replay", log, "--bot", "copy.py")[0] == 0
