"""The command line: its files, output and exit status."""

import io
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import pytest

from bundler.__main__ import main
from tests.bundler.differential import write_project
from tests.conftest import PROJECT as ROOT

PROJECT = """
--- bots/bot.py
from shared.lib import f
print(f(2))
--- shared/lib.py
def f(n):
    '''Doubles.'''
    return n * 2
--- pyproject.toml
"""


def bundler(*arguments, cwd, stdin=""):
    """Run `python -m bundler` in a folder, but within this process."""
    out, err = io.StringIO(), io.StringIO()
    on_end = signal.getsignal(signal.SIGTERM)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(cwd)
        patch.setattr(sys, "argv", ["bundler", *map(str, arguments)])
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as end:
            main()
    signal.signal(signal.SIGTERM, on_end)
    return subprocess.CompletedProcess(
        arguments, end.value.code or 0, out.getvalue(), err.getvalue()
    )


@pytest.fixture
def project(tmp_path):
    """A small project; the current folder of the tests."""
    write_project(PROJECT, tmp_path)
    return tmp_path


def test_the_bot_is_given_by_path_or_module_name(project, tmp_path_factory):
    """A relative path, an absolute path and a module's name select the same bot; the nearest folder
    with a project file is the root, wherever the command runs.
    """
    done = bundler("bots/bot.py", "-o", "out.py", cwd=project)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "" and done.stderr.count("\n") == 1
    assert "of 100,000 characters, 2 modules" in done.stderr
    text = (project / "out.py").read_text()
    run = subprocess.run([sys.executable, "-I", "-c", text], capture_output=True, text=True)
    assert run.stdout == "4\n"
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for bot, folder in (("bots.bot", project), (project / "bots/bot.py", elsewhere)):
        assert bundler(bot, "-o", "-", cwd=folder).stdout == text


def test_a_bot_without_kernels_is_bundled_as_python(project):
    """Native mode needs a kernel, or an option that requests it."""
    text = bundler("bots/bot.py", "-o", "-", cwd=project).stdout
    assert text == bundler("bots/bot.py", "-o", "-", "--mode", "python", cwd=project).stdout
    for options in (["--mode", "native"], ["--cpu", "both"]):
        asked = bundler("bots/bot.py", "-o", "-", *options, cwd=project)
        assert asked.returncode == 2 and ": no kernel: mark an entry point" in asked.stderr


def test_over_the_limit(project):
    """Exit 1, the largest parts with their places, and no file; a warning within 5% of it."""
    done = bundler("bots/bot.py", "-o", "out.py", "--limit", "60", cwd=project)
    assert done.returncode == 1
    *pieces, last = done.stderr.splitlines()
    assert last.startswith("error: out.py: ") and "over the limit of 60" in last
    assert any("shared/lib.py:1 def f(n):" in piece for piece in pieces)
    assert not (project / "out.py").exists()
    done = bundler("bots/bot.py", "-o", "-", cwd=project)
    size = len(done.stdout)
    near = bundler("bots/bot.py", "-o", "-", "--limit", size + 1, cwd=project)
    assert near.returncode == 0 and "warning" in near.stderr and "warning" not in done.stderr


def test_characters_are_utf16_units(tmp_path):
    """A character beyond U+FFFF counts as two, as on the site."""
    (tmp_path / "bot.py").write_text('print("\\N{BULLET}😀")\n', encoding="utf-8")
    done = bundler("bot.py", "-o", "out.py", cwd=tmp_path)
    units = len((tmp_path / "out.py").read_text(encoding="utf-8").encode("utf-16-le")) // 2
    assert f"out.py: {units} of" in done.stderr


def test_report_adds_up(project):
    """`--report` lists the cost of each module; the sum is the bundle's size."""
    done = bundler("bots/bot.py", "-o", "-", "--report", cwd=project)
    rows = [line.split() for line in done.stderr.splitlines()[:-1]]
    assert {row[1] for row in rows} >= {"bots/bot.py", "shared/lib.py"}
    assert sum(int(row[0].replace(",", "")) for row in rows) == len(done.stdout)


CARRIED = """
--- bot.py
import one, two
import odd
print(one.A + two.B + odd.C, odd.lazy is None)
--- one.py: A = 1
--- two.py: B = len(globals()) and 2
--- odd.py
try: import pandas
except ImportError: pandas = None
C = len(__name__)
def lazy():
    import nltk, torch, jax, flax, sklearn, polars
"""


def test_the_command_says_why_modules_are_carried(tmp_path):
    """Modules that the site may lack are named as well."""
    write_project(CARRIED, tmp_path)
    done = bundler("bot.py", "-o", "out.py", cwd=tmp_path)
    size, carried, *warnings, more = done.stderr.splitlines()
    assert (
        "4 modules; NOT CHECKED: give --check FILE; without input the program writes 1 line" in size
    )
    assert carried == "3 modules are carried whole: uses globals, two.py:1"
    assert len(warnings) == 5 and more == "and 1 more warnings"
    assert warnings[0] == "warning: odd.py:5: import nltk: the site may lack it"
    done = bundler("bot.py", "-o", "out.py", "--report", "--allow", "torch.nn", cwd=tmp_path)
    assert re.search(r"^ +\d+ two.py, carried whole$", done.stderr, re.M)
    assert "carried whole: uses globals, two.py:1" in done.stderr.splitlines()
    assert "import torch" not in done.stderr
    assert "NOT CHECKED: torch is not installed here" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["nothing.py", "-o", "out.py"],
            "nothing.py:1: no such file: give the path of a Python file",
        ),
        (["bots/bit.py", "-o", "out.py"], "; did you mean bots/bot.py?"),
        (["bots", "-o", "out.py"], "bots:1: a folder: give the path of a Python file or"),
        (["where", sys.executable, "3"], ": not UTF-8; give a bundle that this program wrote"),
        (["where", "shared/lib.py", "3"], "no comment names a source"),
        (["bots/bot.py", "-o", "shared/lib.py"], "shared/lib.py:1: a source of the bot: give"),
        (["bots/bot.py", "-o", "none/out.py"], "none/out.py: No such file or directory; give"),
        (["where"], "error: Missing argument 'OUT.py'. See python -m bundler where --help."),
    ],
)
def test_bad_input_is_one_line_and_exit_2(project, arguments, message):
    """The error and the remedy, without a traceback."""
    done = bundler(*arguments, cwd=project)
    assert done.returncode == 2
    assert message in done.stderr and done.stderr.count("\n") == 1


def test_a_bot_may_not_hide_a_module(project):
    """`import random` in a module beside the bot would find the bot."""
    (project / "bots/random.py").write_text("print(1)\n")
    done = bundler("bots/random.py", "-o", "out.py", cwd=project)
    assert done.returncode == 2
    assert "bots/random.py:1: a bot named like the module random: rename it" in done.stderr


def test_where_takes_lines_or_a_traceback(project):
    """`where OUT.py LINE...` prints places; without lines it rewrites stdin."""
    bundler("bots/bot.py", "-o", "out.py", cwd=project)
    lines = (project / "out.py").read_text().split("\n")
    number = lines.index("    return n * 2") + 1
    assert bundler("where", "out.py", number, cwd=project).stdout == "shared/lib.py:3\n"
    done = bundler("where", "out.py", cwd=project, stdin=f'File "out.py", line {number}\n')
    assert done.stdout == 'File "shared/lib.py", line 3\n'
    assert "has no line 999" in bundler("where", "out.py", "999", cwd=project).stderr


def test_a_cache_that_cannot_be_made_is_a_line(tmp_path):
    """The variable that names another one is told."""
    environment = {**os.environ, "ONEFILE_CACHE": "/dev/null/cache"}
    words = [sys.executable, "-m", "bundler", "bots/infexion/minimax.py", "-o", tmp_path / "out.py"]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "error: the cache /dev/null/cache: Not a directory:"
        " set ONEFILE_CACHE to a folder that you can write"
    )


@contextmanager
def watching(project):
    """A running `--watch` of the project's bot, which exits cleanly when interrupted."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bundler", "bots/bot.py", "-o", "out.py", "--watch"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(10)
    assert process.returncode == 0


def test_watch_writes_again_on_change(project):
    """The bundle is rewritten after a change of any of its files; an error is printed and the watch
    continues, also of a module imported before it exists.
    """
    new = project / "shared/new.py"
    with watching(project) as process:
        assert "2 modules" in process.stderr.readline()
        bot = project / "bots/bot.py"
        bot.write_text("from shared.new import a\n\nprint(a)\n" + bot.read_text())
        assert "bots/bot.py:1: import shared.new: no such module" in process.stderr.readline()
        new.write_text("a = (\n")
        assert "shared/new.py:1: not valid Python" in process.stderr.readline()
        time.sleep(0.01)  # a different time stamp
        new.write_text("a = 5\n")
        assert "3 modules" in process.stderr.readline()
        assert "a = 5" in (project / "out.py").read_text()
