"""A bundle is compared with its source before it is written."""

import json

import pytest

import bundler.check
from bundler.check import CheckError, check, generated_game, source_command
from bundler.errors import BundleError
from bundler.flatten import flatten
from bundler.project import Project
from tests.bundler.differential import write_project
from tests.bundler.test_command_line import ROOT, bundler as command

# A project with a contest, as far as the bundler looks; its games are recorded ones.
CONTEST = """
--- bots/toy/bot.py
{bot}
--- shared/games/toy/contest.py
--- referee/__main__.py
import sys
sys.exit("no game today")
--- pyproject.toml
"""
COUNTS = """
import sys
for line in sys.stdin:
    print(int(line) + 1, flush=True)
"""
ISOLATED = """
import sys
for line in sys.stdin:
    print(sys.flags.isolated, flush=True)
"""
RANDOM = """
import random, sys
for line in sys.stdin:
    print(random.random(), flush=True)
"""
ENDLESS = """
import sys
while True:
    print(sys.stdin.readline().strip(), flush=True)
"""


@pytest.fixture
def toy(tmp_path):
    """toy(bot) writes a project; its folder, with `log`, a game of two turns, and `cache` in it."""

    def write(bot):
        write_project(CONTEST.format(bot=bot), tmp_path)
        parts = [{"input": [str(n)], "lines_expected": 1, "output": [""]} for n in (5, 7)]
        records = [{"turn": turn, "players": {"1": part}} for turn, part in enumerate(parts)]
        lines = [json.dumps(record) for record in ({"format": "onefile-log"}, *records)]
        (tmp_path / "log").write_text("\n".join(lines) + "\n")
        return tmp_path

    return write


def check_toy(folder, change=("", "")):
    """The check of the toy project's bot, something in its bundle replaced."""
    bot = folder / "bots/toy/bot.py"
    bundle = flatten(bot)
    text = bundle.text.replace(*change)
    return check(text, Project(bot), bundle.files, folder / "log", folder / "cache")


@pytest.mark.parametrize("bot", [COUNTS, ENDLESS], ids=["counts", "endless"])
def test_equal_commands_pass(toy, bot):
    """The phrase tells how much was compared; a bot that goes on where its input ends is stopped."""
    assert check_toy(toy(bot)) == "checked on 2 turns"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("+ 1", "+ 1 - (int(line) == 7)"), "turn 1: the source bot answers ['8'], the bundle ['7']"),
        (("+ 1", "+ 1 / (7 - int(line))"), "turn 0: the source bot answers ['6'], the bundle ['5.5']"),
        (("import sys", "import sys, numba"), "the bundle [] and says 'ModuleNotFoundError: import of numba"),
        (("import sys", "import sys, shared"), "says \"ModuleNotFoundError: No module named 'shared'\""),
        (("import sys", "import sys\nmemory = bytearray(768 * 2**20)"), "says 'MemoryError'"),
        (("+ 1", "+ len(__import__('os').sched_getaffinity(0)) + 1"), "the bundle ['7']"),
        (("+ 1", "+ len(__import__('os').listdir()) + 2"), "the bundle ['7']"),
        (("import sys", "import sys("), "line 2 of the bundle: invalid syntax"),
    ],
)  # fmt: skip
def test_a_difference_names_turn_and_commands(toy, change, message):
    """What differs is told, and so is what a bundle that ended said: without numba, project and
    memory, on one core.
    """
    with pytest.raises(CheckError) as caught:
        check_toy(toy(COUNTS), change)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_log_is_enough(toy):
    """A bot of no contest is compared on the log that it is given; what lies beside it is found."""
    folder = toy(COUNTS)
    (folder / "mine").mkdir()
    (folder / "mine/beside.py").write_text("STEP = 1\n")
    (folder / "mine/own.py").write_text("from beside import STEP\n" + COUNTS.replace("1", "STEP"))
    bundle = flatten(folder / "mine/own.py")
    arguments = Project(folder / "mine/own.py"), bundle.files, folder / "log", folder / "cache"
    assert check(bundle.text, *arguments) == "checked on 2 turns"
    with pytest.raises(CheckError, match="the bundle \\['7'\\]"):
        check(bundle.text.replace("STEP = 1", "STEP = 2"), *arguments)


def test_a_bot_that_does_not_repeat_itself(toy):
    """Where the source differs from itself there is nothing to compare with."""
    assert (
        check_toy(toy(RANDOM)) == "not checked: the source bot answers differently from run to run"
    )


def test_a_bot_that_fails_by_itself(toy):
    """The source's own error is told; it is not the bundle's."""
    said = check_toy(toy("raise SystemExit('out of order')"))
    assert said == "not checked: the source bot ends in turn 0: out of order"


def test_a_check_is_remembered(toy, monkeypatch):
    """Nothing runs again until bundle, source or log have changed."""
    folder = toy(COUNTS)
    check_toy(folder)
    monkeypatch.setattr(bundler.check, "run", None)
    assert check_toy(folder) == "checked on 2 turns"
    (folder / "log").write_text((folder / "log").read_text().replace("7", "8"))
    with pytest.raises(TypeError):
        check_toy(folder)


def test_a_game_is_generated():
    """The contest's referee plays the first turns of the bot against itself."""
    bot = Project(ROOT / "bots/coders_strike_back/racer.py")
    turns = generated_game("coders_strike_back", source_command(bot), ROOT)
    assert len(turns) == bundler.check.N_TURNS
    assert [turn.n_lines for turn in turns] == [2] * len(turns)
    assert len(turns[0].lines) > len(turns[1].lines) == 4


def test_a_game_that_cannot_be_generated(toy):
    """The referee's own last line is passed on."""
    with pytest.raises(BundleError, match="no game to check on: no game today: .*--no-check"):
        generated_game("toy", ["true"], toy(COUNTS))


def test_the_command_writes_nothing_that_differs(toy):
    """Exit 1 and no file; `--no-check` writes it all the same."""
    folder = toy(ISOLATED)
    arguments = ["bots/toy/bot.py", "-o", "out.py"]
    done = command(*arguments, "--check", "log", cwd=folder)
    assert done.returncode == 1 and not (folder / "out.py").exists()
    expected = "out.py is not written: turn 0: the source bot answers ['0'], the bundle ['1']\n"
    assert done.stderr == expected
    done = command(*arguments, "--no-check", cwd=folder)
    assert done.returncode == 0 and "; not checked" in done.stderr
    assert (folder / "out.py").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "log:1: No such file or directory: give a log of a match"),
        ("hello\n", "log:1: no turn in it"),
        ('{"turn": [\n', "log:1: no log of a match"),
        ('{"turn": 0, "players": {"0": {}}}\n', "log:1: no log of a match"),
    ],
)
def test_a_log_that_is_none(toy, text, message):
    """Exit 2 with one line."""
    folder = toy(COUNTS)
    (folder / "log").unlink()
    if text is not None:
        (folder / "log").write_text(text)
    done = command("bots/toy/bot.py", "-o", "out.py", "--check", "log", cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith(message) and done.stderr.count("\n") == 1


def test_a_bot_of_no_contest_is_only_compiled(tmp_path):
    """It is told so."""
    write_project("--- bot.py\nprint(1)", tmp_path)
    done = command("bot.py", "-o", "out.py", cwd=tmp_path)
    assert done.returncode == 0 and "compiled, not run: no contest's bot" in done.stderr
