"""A bundle is run beside its source before it is written."""

import contextlib
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import bundler.check
from bundler.bundle import make_bundle
from bundler.check import CheckError, check, generated_game, last_log, source_command
from bundler.errors import BundleError
from bundler.modules.project import Project
from tests.bundler.differential import write_project
from tests.bundler.test_command_line import bundler as command
from tests.conftest import PROJECT
from tests.support.waiting import wait_for

# A project with a contest that suffices for the bundler; its games are recorded ones.
CONTEST = """
--- bots/toy/bot.py
{bot}
--- shared/games/toy/contest.py
--- referee/__main__.py
import sys
import time
sys.exit("no game today")
--- pyproject.toml
"""
COUNTS = """
import sys
import time
for line in sys.stdin:
    print(int(line) + 1, flush=True)
"""
ENDLESS = """
import sys
import time
while True:
    print(sys.stdin.readline().strip(), flush=True)
"""


@pytest.fixture
def toy(tmp_path):
    """toy(bot) writes a project; returns its folder, with `log`, a game of two turns, in it."""

    def write(bot):
        write_project(CONTEST.format(bot=bot), tmp_path)
        parts = [{"input": [str(n)], "lines_expected": 1, "output": [""]} for n in (5, 7)]
        records = [{"turn": turn, "players": {"1": part}} for turn, part in enumerate(parts)]
        lines = [json.dumps(record) for record in ({"format": "onefile-log"}, *records)]
        (tmp_path / "log").write_text("\n".join(lines) + "\n")
        return tmp_path

    return write


def check_changed(bot, change=("", ""), *arguments):
    """Check the bot, with some text in its bundle replaced. Returns the phrase without the versions
    at its end.
    """
    made = make_bundle(bot, mode="python")
    assert change[0] in made.text
    phrase = check(replace(made, text=made.text.replace(*change)), *arguments)
    compared, _, versions = phrase.partition(", with ")
    assert compared.endswith("from run to run") or re.search(r"Python 3\.\d+\.\d+, ", versions)
    return compared


def check_toy(folder, change=("", "")):
    return check_changed(folder / "bots/toy/bot.py", change, folder / "log")


@pytest.mark.parametrize("bot", [COUNTS, ENDLESS], ids=["counts", "endless"])
def test_equal_commands_pass(toy, bot):
    """The message counts the compared turns; a bot that continues after its input is stopped."""
    assert check_toy(toy(bot)) == "checked on 2 turns"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("+ 1", "+ 1 - (int(line) == 7)"),
            "turn 1, line 2 of the output: the source bot writes '8', the bundle writes '7'",
        ),
        (
            ("import sys", "import sys, numba"),
            "the bundle ends with \"ModuleNotFoundError: No module named 'numba'",
        ),
        (("import sys", "import sys\nmemory = bytearray(768 * 2**20)"), "ends with 'MemoryError'"),
        (("+ 1", "+ len(__import__('os').sched_getaffinity(0)) + 1"), "the bundle writes '7'"),
        (("+ 1", "+ len(__import__('os').listdir()) + 2"), "the bundle writes '7'"),
        (("flush=True", "end=' '"), "the source bot writes '6', the bundle writes '6 8 ' at last"),
        (("import sys", "import sys("), "of the bundle: invalid syntax"),
    ],
)
def test_a_difference_names_turn_and_line(toy, change, message):
    """The bundle runs on one core with limited memory, without numba and the project's files."""
    with pytest.raises(CheckError) as caught:
        check_toy(toy(COUNTS), change)
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("'b'", "'c'"), "line 2 of the output: the source bot writes 'b', the bundle writes 'c'"),
        (("print('b')", "pass"), "the source bot writes 'b', the bundle ends with 'KeyError: 3'"),
        (
            ("(3)", "(4)"),
            "the source bot ends with 'KeyError: 3', the bundle ends with 'KeyError: 4'",
        ),
        pytest.param(
            ("raise KeyError(3)", "__import__('time').sleep(99)"),
            "the source bot writes 'a', the bundle does not in time",
            marks=pytest.mark.exhaustive("waits"),
        ),
    ],
)
def test_a_difference_names_the_line(tmp_path, monkeypatch, change, message):
    """Of the output, or the kind of exit. All but one bot end by themselves, after any start-up
    time.
    """
    seconds = 3.0 if "sleep" in change[1] else 60.0
    monkeypatch.setattr(bundler.check, "SECONDS", seconds)
    (tmp_path / "bot.py").write_text("print('a')\nprint('b')\nraise KeyError(3)\n")
    with pytest.raises(CheckError) as caught:
        check_changed(tmp_path / "bot.py", change)
    assert message in str(caught.value) and len(str(caught.value)) < 240


def test_any_text_can_be_the_input(tmp_path):
    """The bot finds modules beside itself, in its package and below the root."""
    write_project(
        "--- pyproject.toml\n--- lib.py: STEP = 1\n--- mine/beside.py: FROM = 'beside'\n"
        "--- mine/bot.py\nfrom beside import FROM\nfrom lib import STEP\n"
        "while line := input():\n    print(FROM, int(line) + STEP)\n"
        "--- package/__init__.py\n--- package/bot.py\n"
        "from .other import NAME\nprint(NAME, __name__)\n"
        "--- package/other.py: NAME = 2\n--- input.txt\n5\n7\n--- empty: ",
        tmp_path,
    )
    on = tmp_path / "input.txt"
    end = "and ends with 'EOFError: EOF when reading a line'"
    checked = check_changed(tmp_path / "mine/bot.py", ("", ""), on)
    assert checked == f"checked on {on}: the program writes 2 lines {end}"
    with pytest.raises(CheckError, match="writes 'beside 6', the bundle writes 'beside 7'"):
        check_changed(tmp_path / "mine/bot.py", ("STEP = 1", "STEP = 2"), on)
    assert "1 line and ends" in check_changed(tmp_path / "package/bot.py")


# Of a bot: what the check says at its end. Without input all but one end by themselves.
CHECKED = {
    "what ends": ("print(1); print(2)", "without input the program writes 2 lines and ends"),
    "what reads": (
        "print(1); input()",
        "without input the program writes 1 line and ends with 'EOFError: EOF when reading a line'",
    ),
    "what waits": (
        "import time; print(1, flush=True); time.sleep(99)",
        "without input the program writes 1 line and goes on",
    ),
    "what starts slowly": (
        "import time; time.sleep(1.3); print(1); print(2)",
        "without input the program writes 2 lines and ends",
    ),
    "what a child writes": (
        "import os; child = os.fork(); print(os.wait()[0] > 0) if child else print(2)",
        "without input the program writes 2 lines and ends",
    ),
    "its name": (
        "import os, sys; print(os.path.basename(sys.argv[0]), os.getcwd(), object(), {*'abc'})",
        "without input the program writes 1 line and ends",
    ),
    "random numbers": (
        "import random; print(random.random())",
        "NOT CHECKED: the bot itself differs from run to run",
    ),
    # A package that a `.pth` file loads at every start
    "a module loaded at home": (
        "import urllib\nprint(urllib.parse.quote('a b'))\n",
        "ends with \"AttributeError: module 'urllib' has no attribute 'parse'\"",
    ),
    "numpy": ("import numpy\nprint(numpy.arange(2).sum())\n", "writes 1 line and ends"),
    "a file that is written": (
        "open('data.txt', 'w').write('4')\nprint(open('data.txt').read())\n",
        "writes 1 line and ends",
    ),
}


@pytest.mark.parametrize("bot", CHECKED)
def test_the_check_runs_where_the_site_runs(tmp_path, monkeypatch, bot):
    """In a fresh Python that has numpy alone, but all that Python's `site` adds; a bot outside
    contests gets no input.
    """
    code, said = CHECKED[bot]
    monkeypatch.setattr(bundler.check, "SECONDS", 1.0 if "sleep" in code else 60.0)
    monkeypatch.setattr(bundler.check, "MORE_TIMES", 10)
    (tmp_path / "bot.py").write_text(code + "\n")
    (tmp_path / "data.txt").write_text("3")
    assert check_changed(tmp_path / "bot.py").endswith(said)


LIB = b"def show(path): print(open(path).read())\n"


@pytest.mark.parametrize(
    ("name", "code", "packing"),
    [
        ("helper.py", "exec(open('helper.py').read())\nprint(X)\n", None),
        ("maps/1.txt", "from lib import show\nfor i in (1,): show(f'maps/{i}.txt')\n", "wide"),
        ("../tables/one.csv", "print(open('tables/one.csv').read())\n", None),
    ],
)
def test_files_of_any_name_are_missed(tmp_path, name, code, packing):
    """Also in packed modules, of computed names, of modules, and below the root."""
    folder = tmp_path / "bots"
    write_project({"bot.py": code.encode(), name: b"X = 1\n", "lib.py": LIB}, folder)
    bundle = make_bundle(folder / "bot.py", "python", root=tmp_path, packing=packing)
    with pytest.raises(CheckError, match=r"where no file is beside it: put what it reads into"):
        check(bundle)


def test_options_that_may_help_are_named(tmp_path):
    write_project("--- bot.py\nfrom lib import f\nprint(f())\n--- lib.py\n", tmp_path)
    (tmp_path / "lib.py").write_text("def f(): return 1\n")
    made = make_bundle(tmp_path / "bot.py", mode="python")
    wrong = replace(made, text=made.text.replace("return 1", "return 2"))
    with pytest.raises(
        CheckError, match=r"the bundle writes '2'; let it use .* lacks, or try --carry$"
    ):
        check(wrong)


WRAPS = """
from shared.core.jit import kernel
@kernel
def f(a: int) -> int:
    return a * a // 3
if __name__ == "__main__":
    while True:
        print(f(int(input())))
"""


@pytest.mark.slow("compiles by numba, as often as bundles run")
@pytest.mark.parametrize("mode", ["numba", "native"])
def test_compiled_kernels_are_checked(tmp_path, mode):
    """A product beyond 64 bits differs from Python's; a bundle in numba mode runs with numba."""
    write_project("--- onefile.toml\n--- small: 5\n--- large: 10000000000\n", tmp_path)
    (tmp_path / "bot.py").write_text(WRAPS)
    words = ["bot.py", "-o", "out.py", "--mode", mode, "--check"]
    done = command(*words, "small", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "checked on small: the program writes 1 line and ends with 'EOFError" in done.stderr
    assert ("numba" in done.stderr.splitlines()[-1]) == (mode == "numba")
    done = command(*words, "large", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-1].endswith("lacks, or try --mode python, or try --carry")


def marked(mark):
    """The process ids with a word among their arguments."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended
            found += [int(path.parent.name)] if mark in path.read_text() else []
    return found


# It starts a process that leaves its session and outlives it.
FORKS = """
import subprocess, sys
command = [sys.executable, "-c", "import time; time.sleep(999)", "{mark}"]
subprocess.Popen(command, start_new_session=True)
print(1, flush=True)
input() or None
"""


@pytest.mark.parametrize("number", [None, 2, 9], ids=["done", "SIGINT", "SIGKILL"])
def test_nothing_is_left_behind(tmp_path, number):
    """Neither a finished check nor an interrupted one leaves processes or files."""
    mark = f"mark-{os.getpid()}-{number}"
    code = FORKS.format(mark=mark)
    code = (
        code if number is None else code.replace("input() or None", "import time; time.sleep(999)")
    )
    (tmp_path / "bot.py").write_text(code)
    run = [sys.executable, "-m", "bundler", "bot.py", "-o", "out.py"]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    with subprocess.Popen(run, cwd=tmp_path, env=environment, stderr=subprocess.PIPE) as process:
        if number:
            wait_for(lambda: len(marked(mark)) >= 2)
            process.send_signal(number)
        process.communicate()
    wait_for(lambda: not marked(mark))


def test_a_game_is_generated():
    """The contest's referee plays a whole game of the bot against itself."""
    bot = Project(PROJECT / "bots/coders_strike_back/racer.py")
    game = generated_game("coders_strike_back", [source_command(bot, True)], PROJECT)
    assert len(game.ends) > 60 and game.ends == [2 * (n + 1) for n in range(len(game.ends))]
    assert len(game.lines) > 4 * len(game.ends)


@pytest.mark.exhaustive("plays a game")
def test_a_bot_that_fails_late_is_checked_up_to_there(tmp_path):
    """The game of a failing bundle is played by the source, which may fail as well."""
    bot = Project(PROJECT / "bots/coders_strike_back/racer.py")
    failing = tmp_path / "failing.py"
    failing.write_text("input()\nfor _ in range(4): print('0 0 100')\n")
    source, fails = source_command(bot, True), [sys.executable, str(failing)]
    whole = generated_game("coders_strike_back", [source], PROJECT)
    assert generated_game("coders_strike_back", [fails, source], PROJECT) == whole
    short = generated_game("coders_strike_back", [fails], PROJECT)
    assert 2 <= short.ends[-1] <= 4 and len(short.lines) < len(whole.lines)


def test_a_game_without_end_is_cut(toy, monkeypatch):
    """The turns up to then are the game."""
    monkeypatch.setattr(bundler.check, "PLAY_S", 2.0)
    folder = toy(COUNTS)
    referee = """
import shutil
import sys
import time
shutil.copy("log", sys.argv[sys.argv.index("--log") + 1])
time.sleep(999)
"""
    (folder / "referee/__main__.py").write_text(referee)
    log = folder / "log"
    log.write_text(log.read_text().replace('"output": [""]', '"output": ["6"]'))
    game = generated_game("toy", [["true"], ["false"]], folder)
    assert (game.lines, game.output, game.ends) == (["5", "7"], ["6", "6"], [1, 2])


def test_a_game_that_cannot_be_generated(toy):
    """The check's error contains the referee's last line; no empty input stands for the game."""
    folder = toy(COUNTS)
    with pytest.raises(BundleError, match=r"no game to check on: no game today: .*--no-check"):
        generated_game("toy", [["true"]], folder)
    referee = """
import sys
from pathlib import Path
Path(sys.argv[sys.argv.index("--log") + 1]).write_text("a log of another kind")
"""
    (folder / "referee/__main__.py").write_text(referee)
    with pytest.raises(BundleError, match=r"no game to check on: the referee .* with status 0"):
        generated_game("toy", [["true"]], folder)


def test_the_last_log_of_a_contest_without_rules_is_the_input(toy, monkeypatch):
    """The newest one with a bot of the same folder; none where a game can be generated."""
    folder = toy(COUNTS)
    bot = folder / "bots/toy/bot.py"
    monkeypatch.chdir(folder)
    for age, (name, named) in enumerate(
        [
            ("newest", str(bot)),
            ("other", "bots/else/bot.py"),
            ("last", str(bot)),
            ("older", "bots/toy/first.py 3"),
        ]
    ):
        log = folder / f"{name}.jsonl"
        turn = {"turn": 0, "players": {"0": {"input": [], "output": []}}}
        header = {"format": "onefile-log", "bots": [{"bot": named}]}
        log.write_text(f"{json.dumps(header)}\n{json.dumps(turn)}\n")
        if name == "newest":  # it was ended before its first turn
            log.write_text(json.dumps(header))
        os.utime(log, (1e9 - age, 1e9 - age))
    (folder / "broken.jsonl").write_text("{")
    assert last_log(Project(bot)) is None
    (folder / "shared/games/toy/contest.py").unlink()
    assert last_log(Project(bot)) == folder / "last.jsonl"
    (folder / "last.jsonl").unlink()
    assert last_log(Project(bot)) == folder / "older.jsonl"


def test_the_command_writes_nothing_that_differs(toy):
    """Exit 1 and no file; with `--no-check` the file is written."""
    folder = toy("import sys\nprint(len(sys.path))\n")
    arguments = ["bots/toy/bot.py", "-o", "out.py"]
    done = command(*arguments, "--check", "log", cwd=folder)
    assert done.returncode == 1 and not (folder / "out.py").exists()
    assert done.stderr.startswith("error: out.py is not written: turn 0, line 1 of the output: ")
    assert done.stderr.count("\n") == 1
    done = command(*arguments, "--no-check", cwd=folder)
    assert done.returncode == 0 and "; not checked" in done.stderr
    assert (folder / "out.py").exists()


def test_a_log_that_is_none(toy):
    """Exit 2 with one line."""
    folder = toy(COUNTS)
    (folder / "log").write_text('{"format": "onefile-log"}\n{"turn": [\n')
    words = ["bots/toy/bot.py", "-o", "out.py", "--check"]
    for log, said in (("log", "no log of a match"), ("none", "No such file or directory: give a")):
        done = command(*words, log, cwd=folder)
        assert done.returncode == 2 and done.stderr.startswith(f"error: {log}:1: {said}")
        assert done.stderr.count("\n") == 1
