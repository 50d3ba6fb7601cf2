"""The Pythons on which bundles are tested: the oldest that is promised, each later one, the site's,
and the newest on this machine, each with a numpy of its time.

`python -m tests.support.pythons [SKIPS]` makes their environments, as `make setup-tests` does, and
prints a line for each. A version without an interpreter here is a named skip; one whose interpreter
is here has to run: the command fails if it has no environment, or if the file SKIPS, which
`tests/conftest.py` writes, names it.
"""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

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


SKIPPED = "no interpreter of Python {} on this machine"


def interpreter_of(version):
    """Returns an interpreter of a version, as in 3.11; skips the test where there is none."""
    found = interpreter(version)
    if found is None:
        pytest.skip(SKIPPED.format(version))
    return found


def python_of(name):
    """Returns the Python of a key of PYTHONS; skips the test where there is no interpreter."""
    site = PYTHONS[name]()
    interpreter_of(site.version)
    return make_environment(site)


def measured_pythons():
    """{versions of Python and numpy: interpreter} of the oldest, the site's and the newest Python
    on this machine, for measurements.
    """
    found = {}
    for site in (OLDEST, CODINGAME, newest()):
        if interpreter(site.version):
            python = make_environment(site)
            versions = described(site, python).partition(": ")[2]
            found[", ".join(versions.removeprefix("Python ").split(", ")[:2])] = python
    return found


def wrongly_skipped(text):
    """Returns the versions that skips name though their interpreters are here."""
    versions = set(re.findall(SKIPPED.format(r"(3\.\d+)"), text))
    return sorted(version for version in versions if interpreter(version))


def environment_text(name):
    """Make the environment of a key of PYTHONS; returns a line about it. Raises SiteError."""
    site = PYTHONS[name]()
    if interpreter(site.version) is None:
        return f"{name}: {SKIPPED.format(site.version)}"
    return described(site, make_environment(site, print))


def main():
    missing = False
    with ThreadPoolExecutor(2) as pool:
        made = {name: pool.submit(environment_text, name) for name in PYTHONS}
    for name, text in made.items():
        try:
            print(text.result())
        except SiteError as error:
            print(f"{name}: {error}")
            missing = True
    for file in map(Path, sys.argv[1:]):
        for version in wrongly_skipped(file.read_text(encoding="utf-8")):
            print(f"tests skipped Python {version}, whose interpreter is {interpreter(version)}")
            missing = True
    sys.exit(missing)


if __name__ == "__main__":
    main()
