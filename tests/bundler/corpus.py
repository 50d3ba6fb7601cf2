"""Real packages as a player's own modules: small programs that use them, run before and after.

A program stands in `packages/use_<name>.py`, its standard input in a `.txt` beside it. The packages
are copied beside the program from an environment of their own, which `packages.txt` pins. Python
runs the program in an empty folder without site-packages, and likewise the bundle, without sources
beside it.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bundler.bundle import make_bundle
from bundler.errors import BundleError
from bundler.sites import Site, make_environment

PROGRAMS = Path(__file__).parent / "packages"
PINS = PROGRAMS.with_suffix(".txt")
TIMEOUT_S = 60

# Packages and modules copied for each program, with their pure-Python dependencies
PACKAGES = {
    "attrs": "attr attrs",
    "certifi": "certifi",
    "chess": "chess",
    "glom": "glom face boltons attr attrs",
    "semver": "semver",
    "six": "six",
    "varname": "varname executing",
}
# Refused programs: the beginning of the refusal, and its reason.
REFUSED = {
    "certifi": "certifi/core.py",  # reads its certificates, a data file
    "glom": "glom/core.py:122: __file__",  # asks which files are its own
}


@dataclass(frozen=True)
class Outcome:
    """The end of a program: its output, its exit status, and if that is not 0 the exception (the
    last lines of the traceback). Other text on stderr is not compared.
    """

    output: str
    status: int
    exception: str


@dataclass(frozen=True)
class Verdict:
    """The result for a program's bundle.

    kind: "same", "refused", "different" or "crashed"; text: the refusal, the difference or the
    bundler's own exception; bundle: the Bundle, if there is one; build_s: the seconds it took.
    """

    kind: str
    text: str
    bundle: object
    build_s: float


@cache
def installed():
    """Returns the folder of the installed packages, in an environment of this Python; makes it the
    first time. Raises SiteError, without a network for instance.
    """
    digest = hashlib.sha256(PINS.read_bytes()).hexdigest()[:8]
    requirements = ("--no-deps", "--requirement", str(PINS))
    python = make_environment(Site(f"packages-{digest}", sys.version_info[:2], requirements))
    [folder] = Path(python).parents[1].glob("lib/python3*/site-packages")
    return folder


def copy_project(name, root):
    """Copy a program and the packages that it uses to `root`; returns the path of the program.

    Tests, type stubs and caches of a package stay behind; compiled modules and data come along.
    """
    root.mkdir(parents=True)
    left_out = shutil.ignore_patterns("tests", "test", "__pycache__", "*.pyi", "*.so.*")
    for package in PACKAGES[name].split():
        source = installed() / package
        if source.is_dir():
            shutil.copytree(source, root / package, ignore=left_out)
        else:
            shutil.copy(f"{source}.py", root)
    return Path(shutil.copy(PROGRAMS / f"use_{name}.py", root))


def run(path, name, folder):
    """Run a program in an empty folder; it can import only files beside it, and the standard
    library. Returns the Outcome.
    """
    folder.mkdir()
    environment = {"PATH": os.environ["PATH"], "PYTHONUTF8": "1", "PYTHONHASHSEED": "0"}
    given = PROGRAMS / f"use_{name}.txt"
    try:
        done = subprocess.run(
            [sys.executable, "-S", "-s", "-B", str(path)],
            cwd=folder,
            env=environment,
            input=given.read_bytes() if given.exists() else b"",
            capture_output=True,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return Outcome("", -1, f"ran longer than {TIMEOUT_S} s")
    exception = ending(done.stderr.decode()) if done.returncode else ""
    return Outcome(done.stdout.decode(), done.returncode, exception)


def ending(errors):
    """The lines of a traceback after its frames; all that is on stderr if there is no traceback."""
    _, header, traceback = errors.rpartition("Traceback (most recent call last):\n")
    if not header:
        return errors
    return "\n".join(line for line in traceback.splitlines() if not line.startswith("  "))


class Sources:
    """A program beside its packages in `folder`, with its Outcome as modules."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.root = folder / "project"
        self.program = copy_project(name, self.root)
        self.outcome = run(self.program, name, folder / "sources")

    def judge(self, **options):
        """The Verdict of the program's bundle; the options are those of `flatten`."""
        started = time.perf_counter()
        bundle = None
        try:
            bundle = make_bundle(self.program, root=self.root, mode="python", **options)
        except BundleError as error:
            kind, text = "refused", str(error)
        except Exception as error:  # any other error of the bundler is its own failure
            kind, text = "crashed", f"{type(error).__name__}: {error}"
        build_s = time.perf_counter() - started
        if bundle:
            kind, text = self.compare(bundle.text, "-".join(["bundle", *options]))
        return Verdict(kind, text, bundle, build_s)

    def compare(self, text, label):
        """Run a bundle in a folder of its own: "same" or "different", and the first difference."""
        alone = self.folder / label
        alone.mkdir()
        path = alone / "bundle.py"
        path.write_text(text, encoding="utf-8")
        after = run(path, self.name, self.folder / f"{label}-run")
        if after == self.outcome:
            return "same", ""
        return "different", difference(self.outcome, after)


def difference(before, after):
    """The first line in which two outcomes differ, and the end of each."""
    lines = zip([*before.output.splitlines(), ""], [*after.output.splitlines(), ""])
    first = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
    ends = [f"status {outcome.status} {outcome.exception.strip()}" for outcome in (before, after)]
    return "\n".join(["sources:", first[0], ends[0], "bundle:", first[1], ends[1]])
