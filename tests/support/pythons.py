"""The Pythons on which bundles are tested: the oldest that is promised, each later one, the site's,
and the newest on this machine, each with a numpy of its time.

`python -m tests.support.pythons` makes their environments, as `make setup-tests` does, and prints a
line for each. A version without an interpreter here is a named skip; one whose interpreter is here
has to run.
"""

import sys
from functools import cache

import pytest

from bundler.sites import (
    CODINGAME,
    STRICT,
    Site,
    SiteError,
    described,
    interpreter,
    make_environment,
)

NEWEST = 20  # No Python 3.20 is near: versions are searched from there down.


@cache
def newest():
    """The newest Python on this machine, with the newest numpy."""
    minor = next(n for n in range(NEWEST, 10, -1) if interpreter(f"3.{n}"))
    return Site("newest", (3, minor), ("numpy",))


OLDEST = STRICT
LATER = [
    Site("test", (3, 10), ("numpy==1.21.6",)),
    Site("test", (3, 12), ("numpy==1.26.4",)),
    Site("test", (3, 13), ("numpy==2.1.0",)),
]
# By the names of test cases
PYTHONS = {
    "oldest": lambda: OLDEST,
    "site": lambda: CODINGAME,
    "newest": newest,
    **{site.version: (lambda site=site: site) for site in LATER},
}


def python_of(name):
    """Returns the Python of a key of PYTHONS; skips the test where there is no interpreter."""
    site = PYTHONS[name]()
    if interpreter(site.version) is None:
        pytest.skip(f"no interpreter of Python {site.version} on this machine")
    return make_environment(site)


def main():
    """List the Pythons; exit with 1 if one is on this machine and has no environment."""
    missing = False
    for name, make in PYTHONS.items():
        site = make()
        if interpreter(site.version) is None:
            print(f"{name}: no interpreter of Python {site.version} on this machine")
            continue
        try:
            print(described(site, make_environment(site, print)))
        except SiteError as error:
            print(f"{name}: {error}")
            missing = True
    sys.exit(missing)


if __name__ == "__main__":
    main()
