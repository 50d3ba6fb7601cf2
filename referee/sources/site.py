"""The Python of a site: with `--site`, it runs Python bots here as the site would.

The bundler's module of sites describes and makes the sites' environments.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bundler.sites import (
    ENVIRONMENTS,
    Site,
    SiteError,
    described,
    environment,
    find_site,
    make_environment,
)
from referee.errors import UsageError
from referee.sources.workspace import home


@dataclass(frozen=True)
class SitePython:
    """The program that runs Python bots.

    text: the site and the versions of its packages, "" for the referee's own Python.
    """

    program: str
    text: str


OWN_PYTHON = SitePython(sys.executable, "")


def site_named(name: str | None) -> Site:
    """Returns the site `name`, by default the site in `onefile.toml`, else CodinGame. Raises
    SiteError.
    """
    return find_site(name, home())


def site_python(name: str | None, say: Callable[[str], None]) -> SitePython:
    """Returns the Python of `--site NAME`, made if necessary; without a name the referee's own.

    say: is called with a text before an environment is made. Raises UsageError.
    """
    if name is None:
        return OWN_PYTHON
    try:
        site = site_named(name)
        program = make_environment(site, say)
        return SitePython(program, described(site, program))
    except SiteError as error:
        raise UsageError(f"--site {name}: {error}") from error


def python_of_log(text: str) -> tuple[SitePython, str]:
    """Returns the Python that the header of a log names, and "".

    If it is not installed here, or has other versions, returns the nearest Python, and a text about
    the difference.
    """
    if not text:
        return OWN_PYTHON, ""
    name = text.partition(":")[0]
    try:
        site = site_named(name)
        program = environment(site)
        if program is None:
            return OWN_PYTHON, f"another Python runs them here: `onefile doctor --site {name}`"
        here = described(site, program)
    except SiteError as error:
        return OWN_PYTHON, f"another Python runs them here: {error}"
    return SitePython(program, here), "" if here == text else f"here they run with {here}"


def is_site_python(program: str) -> bool:
    """Returns True for the Python of a site's environment."""
    return Path(program).is_relative_to(ENVIRONMENTS)
