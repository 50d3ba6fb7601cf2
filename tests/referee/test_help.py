"""Examples in the help of every command, mistyped words, and the words that a shell completes."""

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
import typer

from bundler.__main__ import app as bundler_app
from referee.__main__ import COMMANDS, command_line
from referee.project import PROJECT, version
from referee.sources.bots import tunables

BUNDLER = [command.name for command in bundler_app.registered_commands]
ALL = [*COMMANDS, *BUNDLER]
ONEFILE = [sys.executable, "-m", "referee.onefile"]


@pytest.fixture(scope="module")
def commands():
    """The commands of `onefile` by name, as typer has them."""
    return typer.main.get_command(command_line([], bundler_app.registered_commands)).commands


def test_the_version_is_printed():
    done = subprocess.run([*ONEFILE, "--version"], cwd=PROJECT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"onefile {version()}\n")


@pytest.mark.parametrize("name", ALL)
def test_a_command_has_an_example_that_it_can_read(commands, name, tmp_path, monkeypatch):
    """Its options exist, and its bots and recorded games are in the project."""
    examples = re.findall(r"^ *onefile (.*)$", commands[name].help, re.MULTILINE)
    assert examples
    monkeypatch.chdir(PROJECT)
    for example in examples:
        command, *words = shlex.split(example.partition(" <")[0])
        assert command == name
        commands[name].make_context(name, [*words])  # it takes the words out of its list
        for file in [word for word in words if word.startswith(("bots/", "tests/"))]:
            assert list(PROJECT.glob(file)), example
            if command in ("tune", "tunables"):
                assert tunables(PROJECT / file), f"{example}: no number to tune"


@pytest.fixture
def complete(tmp_path):
    """complete(line) presses Tab behind a line in a bash; the words that it offers."""
    bash = shutil.which("bash")
    program = tmp_path / "onefile"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(PROJECT)!r})\n"
        "from referee.onefile import main\nmain()\n"
    )
    program.chmod(0o755)
    paths = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    tests_shell = {**paths, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    script = subprocess.run(
        [program, "--show-completion", "bash"],
        env=tests_shell,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (tmp_path / "completion.sh").write_text(script)

    def press_tab(line):
        words = shlex.split(line) + [""] * line.endswith(" ")
        told = f"COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}"
        code = (
            f'source completion.sh; {told}; _onefile_completion onefile; echo "${{COMPREPLY[*]}}"'
        )
        done = subprocess.run(
            [bash, "-c", code], cwd=tmp_path, env=paths, capture_output=True, text=True, check=True
        )
        assert done.stderr == ""
        return done.stdout.split()

    return press_tab


@pytest.mark.slow("starts a shell for each line", keep=1)
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("onefile ma", ["match"]),
        ("onefile match infe", ["infexion"]),
        ("onefile match infexion bots/infexion/mcts.py --cl", ["--clock"]),
        ("onefile bundle --mode n", ["native", "numba"]),
    ],
)
def test_bash_completes_commands_options_contests_and_choices(complete, line, words):
    assert sorted(complete(line)) == words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["bundel"],
            "No such command 'bundel'. Did you mean 'bundle', 'tune'? See onefile --help.",
        ),
        (["match", "infexoin", "cat"], "no contest 'infexoin', did you mean infexion? there are "),
        (
            ["match", "coders_strike_back", "racer"],
            "no bot 'racer': neither a file nor a command that can be run, did you mean"
            " bots/coders_strike_back/racer.py?",
        ),
        (["match", "infexion", "cat", "--sede", "7"], "No such option: --sede (Possible options: "),
    ],
)
def test_a_mistyped_word_is_answered_by_the_word_that_was_meant(words, message):
    done = subprocess.run([*ONEFILE, *words], cwd=PROJECT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {message}")
