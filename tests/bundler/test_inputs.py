"""Bundles and checks that an earlier command has made are used again, until an input changes."""

import os
import platform
import sys

import pytest

import bundler.__main__
import bundler.inputs
from bundler.bundle import make_bundle
from bundler.inputs import inputs_digest
from bundler.modules.project import Project
from tests.bundler.differential import write_project
from tests.bundler.test_command_line import bundler as command

PROJECT = """
--- pyproject.toml
--- bots/toy/bot.py
from bots.toy.lib import f
while line := input():
    print(f(int(line)))
--- bots/toy/lib.py
def f(n): return n + 1
--- in.txt
5
"""
BOT = "bots/toy/bot.py"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with a bot and its input; the project's own files do not count."""
    monkeypatch.setattr(bundler.inputs, "INSTALLED", tmp_path)
    write_project(PROJECT, tmp_path)
    return tmp_path


def test_every_input_counts(project, monkeypatch):
    """Texts, files of any kind and name, modules that may come first, the machine, the versions."""
    packages = project / "lib"
    changes = [
        lambda: (project / BOT).write_text("print(1)\n"),
        lambda: (project / "bots/toy/lib.py").rename(project / "bots/toy/other.py"),
        lambda: (project / "bots/toy/network.npz").write_bytes(b"1"),
        lambda: (project / "in.txt").write_text("6\n"),
        lambda: (project / "operator.py").touch(),
        lambda: (packages / "numpy-9.dist-info").mkdir(parents=True),
        lambda: (project / "onefile.toml").write_text('[site]\npython = "3.10"\n'),
        lambda: monkeypatch.setenv("CG_LIMIT", "1"),
        lambda: monkeypatch.setenv("PATH", os.environ["PATH"] + ":/other"),
        lambda: monkeypatch.setattr(sys, "version", "3.99"),
        lambda: monkeypatch.setattr(platform, "node", lambda: "elsewhere"),
    ]
    monkeypatch.setattr(sys, "path", [*sys.path, str(packages)])

    def digest(*texts):
        return inputs_digest(Project(project / BOT), texts, [project / "in.txt"])

    monkeypatch.chdir(project)
    as_module = inputs_digest(Project("bots.toy.bot"), [], [project / "in.txt"])
    seen = {digest(), digest("a"), digest("a", "b"), digest("ab"), as_module}
    assert len(seen) == 5 and digest() in seen
    for number, change in enumerate(changes):
        change()
        now = digest()
        assert now not in seen, number
        seen.add(now)
    (project / "out.onefile.py").touch()
    (project / "bots/toy/__pycache__").mkdir()
    (project / "bots/toy/__pycache__/bot.cpython-311.pyc").write_bytes(b"1")
    assert digest() == now


def test_a_bundle_is_made_once(project, monkeypatch):
    """The same command makes it again after a change, and with other options."""
    made = []

    def make(bot, mode, **options):
        made.append(mode)
        return make_bundle(bot, mode, **options)

    monkeypatch.setattr(bundler.__main__, "make_bundle", make)

    def makes(*options):
        del made[:]
        done = command(BOT, "-o", "-", "--mode", "python", "--no-check", *options, cwd=project)
        assert done.returncode == 0
        return len(made), done.stdout

    n, text = makes()
    assert n == 1 and makes() == (0, text)
    assert makes("--strip")[0] == 1
    (project / "bots/toy/lib.py").write_text("def f(n): return n + 2\n")
    n, other = makes()
    assert n == 1 and other == text.replace("n + 1", "n + 2")
    write_project({"beside.py": b"X = 1\n", BOT: b"from beside import X\nprint(X)\n"}, project)
    assert makes()[0] == makes()[0] == 1  # of a file outside of the folders that are hashed


def test_a_check_that_passed_is_not_repeated(project, monkeypatch):
    """The last line says so; a bundle that was not checked is checked again."""
    words = [BOT, "-o", "out.py", "--mode", "python"]
    first, again = (command(*words, "--check", "in.txt", cwd=project).stderr for _ in range(2))
    assert again == first.replace("; checked on in.txt", "; checked before: on in.txt") != first
    (project / "in.txt").write_text("6\n")
    assert command(*words, "--check", "in.txt", cwd=project).stderr == first
    said = {command(*words, cwd=project).stderr.partition("; ")[2] for _ in range(2)}
    assert len(said) == 1 and said.pop().startswith("NOT CHECKED: give --check FILE")
    monkeypatch.setattr(bundler.inputs, "MADE", project / "in.txt" / "none")
    assert command(*words, "--check", "in.txt", cwd=project).stderr == first


def test_a_bundle_goes_beside_the_working_folder(project):
    """By the bot's name, but over no file that another program wrote."""
    out = project / "bot.onefile.py"
    for option in ("--carry", "--strip", "--pack", "--trace", "--report"):
        words = [BOT, option, "--mode", "python", "--no-check"]
        assert "bot.onefile.py: " in command(*words, cwd=project).stderr
        assert out.read_text() == command(*words, "-o", "-", cwd=project).stdout
    out.write_text("print(1)\n")
    done = command(*words, cwd=project)
    assert done.returncode == 2 and "bot.onefile.py: no bundle, so it is not" in done.stderr
