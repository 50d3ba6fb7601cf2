"""Finds a contest: by its folder's name in `shared/games`, of a workspace or the installation, by a
package's entry point, or in a file.
"""

import importlib
import importlib.util
import sys
import traceback
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Iterator, NoReturn

from bundler.modules.packages import brought_contests, brought_packages
from referee.errors import UsageError, did_you_mean
from referee.project import PROJECT
from referee.sources.workspace import root_of, roots
from shared.core.checks.truth import TruthError
from shared.core.clock import Limits
from shared.core.contest import Case, Contest, Match


class ContestError(UsageError):
    """A contest's own code failed; the text names its file and line."""


FIRST = "; a contest's name stands before the bots"
# The words of Python's error for a null byte in a source file.
NULL_BYTE = "source code string cannot contain null bytes"


def contest_names() -> list[str]:
    """Returns the names of all contests that the referee can play, sorted."""
    folders = [file.parent for root in roots() for file in root.glob("shared/games/*/contest.py")]
    return sorted({folder.name for folder in folders} | brought_contests().keys())


def contest_file(name: str) -> Path | None:
    """Returns the file of a contest given by its path or name; None if there is none.

    A workspace comes before the installation, and the installation before packages.
    """
    if name.endswith(".py"):
        return Path(name)
    file = _local_file(name)
    if file is None and name in brought_contests():
        with suppress(ImportError):
            spec = importlib.util.find_spec(brought_contests()[name][0].module)
            return Path(spec.origin) if spec and spec.origin else None
    return file


def contest_folder(name: str) -> Path | None:
    """Returns the folder with all files of a contest: in `shared/games`, or a package; None for a
    contest in one file or an unknown contest.
    """
    if name.endswith(".py"):
        return None
    if file := _local_file(name):
        return file.parent
    points = brought_contests().get(name, [])
    tops = [point.module.partition(".")[0] for point in points]
    places = [brought_packages().get(top) for top in tops]
    return next((place for place in places if place and place.is_dir()), None)


def _local_file(name: str) -> Path | None:
    """Returns the file of a contest of the workspace, or else of the installation."""
    files = (root / "shared" / "games" / name / "contest.py" for root in roots())
    return next((file for file in files if file.is_file()), None)


def find_contest(name: str) -> Contest:
    """Returns the contest that a Python file `name` defines as CONTEST, or the contest `name` in
    `shared/games` or of a package's entry point.

    A contest from a file is named by the file's full path, so that a log can find it again. Raises
    UsageError if there is none, or more than one.
    """
    if name.endswith(".py"):
        return _load(Path(name).resolve())
    names = contest_names()
    if name not in names:
        meant = did_you_mean(name, names)
        if any((root / "shared/games" / name).is_dir() for root in roots() if name.isidentifier()):
            raise UsageError(
                f"contest {name!r} has no rules here: shared/games/{name} has no contest.py. Its"
                " own referee can lead: --official PATH"
            )
        there = f"there are {', '.join(names) or 'none yet'}"
        there += FIRST if Path(name).is_file() else ""
        raise UsageError(f"no contest {name!r}{meant or ':'} {there}")
    points, file = brought_contests().get(name, []), _local_file(name)
    is_of_project = file is not None and file.is_relative_to(PROJECT)
    brought = ["onefile itself"] if is_of_project else []
    brought += [f"the package {point.dist and point.dist.name} ({point.value})" for point in points]
    if len(brought) > 1 and (is_of_project or file is None):
        raise UsageError(
            f"contest {name!r} is brought by {' and by '.join(brought)}: uninstall a package, or"
            " give its entry point another name"
        )
    with own_errors(name):
        if file:
            module = importlib.import_module(f"shared.games.{name}.contest")
            defined: Contest = module.CONTEST
            return defined
        try:
            contest, error = points[0].load(), ""
        except (ImportError, AttributeError) as raised:
            if _place(raised, name):
                raise
            contest, error = None, f": {raised}"
    if not isinstance(contest, Contest):
        raise UsageError(f"{brought[0]} names no Contest of onefile as {name!r}{error}")
    return replace(contest, name=name)


def foreign_contest(name: str) -> Contest:
    """Returns the contest for a match by a foreign referee; an unknown contest has no rules."""
    if name.endswith(".py") or name in contest_names():
        return find_contest(name)
    contest = Contest(
        name=name,
        title=name,
        players=(2, 8),
        limits=Limits(first_ms=1000, turn_ms=100),
        new_match=_without_rules,
        render=_without_rules,
    )
    return with_board(contest, name)


def with_board(contest: Contest, name: str) -> Contest:
    """Returns a contest without rules with the board of `shared/games/<name>/render.py`, if there
    is one that reads the players' input.
    """
    is_name = name.isidentifier() and name not in contest_names()
    files = [root / "shared" / "games" / name / "render.py" for root in roots() if is_name]
    if not any(file.is_file() for file in files):
        return contest
    with own_errors(name):
        module = importlib.import_module(f"shared.games.{name}.render")
    if not hasattr(module, "reconstruct"):
        return contest
    return replace(contest, render=module.render, reconstruct=module.reconstruct)


def has_rules(contest: Contest) -> bool:
    """Returns True if the contest's rules are available."""
    return contest.new_match is not _without_rules


def start_match(contest: Contest, seed: int, n_players: int, options: dict[str, str]) -> Match:
    """Returns a match of a contest; options: the contest's own, as texts. Raises UsageError."""
    values = read_options(contest, options)
    try:
        return contest.new_match(seed=seed, n_players=n_players, **values)
    except ValueError as error:
        if not values:
            raise
        raise UsageError(f"options {', '.join(values)}: {error}") from error


def read_options(contest: Contest, options: dict[str, str]) -> dict[str, Any]:
    """Returns the values of a contest's own options, given as texts. Raises UsageError."""
    values = {}
    for name, text in options.items():
        if name not in contest.options:
            known = ", ".join(contest.options) or "none"
            raise UsageError(f"{contest.title} has no option {name!r}: there are {known}")
        try:
            values[name] = contest.options[name](text)
        except ValueError as error:
            raise UsageError(f"option {name}: {error}") from error
    return values


def find_case(contest: Contest, seed: int, options: dict[str, str]) -> Case:
    """Returns the test case of a seed in a contest for one player, named by the seed if the contest
    names none. Raises UsageError.
    """
    if contest.case_of is None:
        return Case(str(seed))
    with own_errors(contest.name):
        return contest.case_of(seed, **read_options(contest, options))


def find_map(contest: Contest, seed: int, n_players: int, options: dict[str, str]) -> Case | None:
    """Returns the map of a seed in a contest for several players, None if the contest names no
    maps. Raises UsageError.
    """
    if contest.map_of is None:
        return None
    with own_errors(contest.name):
        return contest.map_of(seed, n_players, **read_options(contest, options))


def is_solo(contest: Contest) -> bool:
    """Returns True for a contest in which each bot plays by itself."""
    return contest.players[0] == 1


def check_number_of_players(contest: Contest, number: int) -> None:
    """Raise UsageError unless the contest permits this number of players."""
    least, most = contest.players
    if not least <= number <= most:
        count = str(least) if least == most else f"{least} to {most}"
        raise UsageError(f"{contest.title} is a game of {count} players, {number} bots are given")


@contextmanager
def own_errors(name: str, doing: str = "") -> Iterator[None]:
    """Turn an error in a contest's own code into a ContestError.

    doing: a description of the action, appended to the error's text.
    """
    try:
        yield
    except (UsageError, TruthError):
        raise
    except (Exception, SystemExit) as raised:
        error = _as_syntax_error(raised)
        where = _place(error, name)
        if where is None:
            raise
        text = error.msg if isinstance(error, SyntaxError) else error
        said = f"{type(error).__name__}: {text}".rstrip(": ")
        raise ContestError(f"{where}: {said}{f' ({doing})' if doing else ''}") from error


def _as_syntax_error(error: BaseException) -> BaseException:
    """Returns a SyntaxError for a null byte in a source: a ValueError before Python 3.11.4."""
    is_null_byte = isinstance(error, ValueError) and NULL_BYTE in str(error)
    return SyntaxError(str(error)) if is_null_byte else error


def _place(error: BaseException, name: str) -> str | None:
    """Returns the innermost place in a contest's own code that raised an error, as text; None if
    the error came from elsewhere.
    """
    user_file = contest_file(name)
    folder = user_file.parent if user_file else PROJECT / "shared" / "games" / name
    places = [
        (frame.filename, frame.lineno, frame.name)
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    if isinstance(error, SyntaxError):
        if error.filename is None:  # the file is not a text
            return name
        places.append((error.filename, error.lineno, "<module>"))
    for file, line, function in reversed(places):
        path = Path(file)
        if path.is_relative_to(folder) and not path.is_relative_to(PROJECT / "referee"):
            root = root_of(path)
            shown = path.relative_to(root) if root else path
            inside = "" if function == "<module>" else f", in {function}"
            return f"{shown}:{line}{inside}"
    return None


def _without_rules(*_: object, **__: object) -> NoReturn:
    raise UsageError("this contest is played by a foreign referee only: give it with --referee")


def _load(file: Path) -> Contest:
    if not file.is_file():
        raise UsageError(f"no contest {str(file)!r}: no such file")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader  # as for any file that ends in .py
    module = importlib.util.module_from_spec(spec)
    # It may import modules beside it, as a script does, but none that hides a package.
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    with own_errors(str(file)):
        spec.loader.exec_module(module)
    contest = getattr(module, "CONTEST", None)
    if not isinstance(contest, Contest):
        raise UsageError(f"no contest {str(file)!r}: it defines no CONTEST{FIRST}")
    return replace(contest, name=str(file))
