"""The table [defaults] of a workspace, rare options, and helps of one screen."""

import subprocess
import sys

import pytest
import typer

from referee.__main__ import COMMANDS, command_line
from referee.commands.options.defaults import defaults
from referee.errors import UsageError
from referee.project import PROJECT

MOST_OPTIONS = 20


@pytest.fixture(scope="module")
def commands():
    """The commands by name, as typer has them."""
    return typer.main.get_command(command_line([])).commands


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_is_short(commands, name):
    """With --help itself."""
    shown = [one for one in commands[name].params if not getattr(one, "hidden", False)]
    n_arguments = sum(one.param_type_name == "argument" for one in shown)
    assert len(shown) - n_arguments + 1 <= MOST_OPTIONS


def test_rare_options_are_told_when_asked_for():
    words = [sys.executable, "-m", "referee", "arena"]
    short, whole = (
        subprocess.run([*words, word], cwd=PROJECT, capture_output=True, text=True).stdout
        for word in ("--help", "--help-all")
    )
    assert "--worst" not in short and "--help-all" in short
    assert "--worst" in whole and "--sprt" in whole


@pytest.fixture
def values_of(commands, tmp_path, monkeypatch):
    """values_of(name, words) reads a command line in a workspace with defaults."""
    text = '[defaults]\nclock = "cpu"\nlimits = "bank"\njobs = 3\ndb = "my.db"\n'
    (tmp_path / "onefile.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    return lambda name, *words: commands[name].make_context(name, list(words)).params


def test_a_default_fills_in_what_a_command_line_leaves_out(values_of, tmp_path):
    values = values_of("arena", "toy", "a", "b", "--limits", "off")
    assert (values["clock"], values["limits"], values["jobs"]) == ("cpu", "off", 3)
    assert values["db"] == tmp_path / "my.db" == values_of("table")["db"]
    assert values_of("league", "toy")["db"] is None


def test_nodes_and_a_cluster_put_defaults_out_of_force(values_of):
    values = values_of("arena", "toy", "a", "b", "--nodes=5", "--cluster", "tcp://x:1")
    assert (values["clock"], values["limits"], values["jobs"]) == ("wall", "official", None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[defaults]\nseed = 1", r"\[defaults\] has no 'seed': there are clock, "),
        ('[defaults]\njobs = "3"', "jobs = '3': expected int"),
        ("[defaults", "mend it"),
    ],
)
def test_a_wrong_default_is_told(tmp_path, text, told):
    (tmp_path / "onefile.toml").write_text(text)
    with pytest.raises(UsageError, match=told):
        defaults(tmp_path)
