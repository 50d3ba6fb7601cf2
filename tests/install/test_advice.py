"""The command that installs an extra, wherever `onefile` is installed."""

import sys

import pytest

from referee import project


def test_a_checkout_installs_its_own_extra():
    assert project.install_advice("tune") == ".venv/bin/python -m pip install -e '.[tune]'"


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/me/.local/share/pipx/venvs/onefile-bots", "pipx inject onefile-bots"),
        ("/home/me/venv", f"{sys.executable} -m pip install"),
    ],
)
def test_an_installation_names_the_packages(monkeypatch, prefix, command):
    """No registry has the distribution `onefile-bots`."""
    monkeypatch.setattr(project, "IS_CHECKOUT", False)
    monkeypatch.setattr(sys, "prefix", prefix)
    assert project.install_advice("tune") == f"{command} 'optuna>=4.0,<6' 'cmaes>=0.12'"
    assert project.install_advice("networks").startswith(f"{command} 'scikit-learn>=1.5' ")
    assert "onefile-bots[" not in project.install_advice("networks")
