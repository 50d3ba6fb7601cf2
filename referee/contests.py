"""Finds a contest by the name of its folder in `shared/games`."""

import importlib
from pathlib import Path

from referee.errors import UsageError
from shared.core.contest import Contest

PROJECT = Path(__file__).resolve().parent.parent


def contest_names() -> list[str]:
    """The names of all contests the referee can play, sorted."""
    return sorted(path.parent.name for path in PROJECT.glob("shared/games/*/contest.py"))


def find_contest(name: str) -> Contest:
    """The contest called `name`. Raises UsageError where there is none."""
    names = contest_names()
    if name not in names:
        raise UsageError(f"no contest {name!r}: there are {', '.join(names) or 'none yet'}")
    return importlib.import_module(f"shared.games.{name}.contest").CONTEST
