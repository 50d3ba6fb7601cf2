"""Sites: the Python and the packages that a bundle finds where it is pasted.

    codingame  the Python that CodinGame documents, with numpy, pandas and scipy
    strict     the standard library and numpy alone, of the oldest Python that bundles run on
    own        the table [site] of the project's or workspace's `onefile.toml`:

        [site]
        python = "3.11"
        packages = ["numpy", "scipy==1.9.3"]
        encode = "base85"    only where pasted ideographs do not arrive unchanged: see encoding.py

At home a site is an environment of its Python with its packages, in the cache folder: `environment`
finds it, `make_environment` makes it from any interpreter of that version on this machine.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bundler.modules.workspace import CACHE, MARKER, cache_error
from bundler.stages.encoding import ENCODINGS

ENVIRONMENTS = CACHE / "sites"
OWN = "own"
# CodinGame's limit for a file, in UTF-16 units.
MOST_CHARACTERS = 100_000
INSTALL_S = 1800.0
ASK_S = 20.0
_PYTHON = re.compile(r"3\.[1-9]?\d", re.ASCII)
_REQUIREMENT = re.compile(r"([A-Za-z][\w.-]*)(==[\w.]+)?", re.ASCII)
# Prints the version if an interpreter can make an environment.
_ASK = (
    "import sys, sysconfig, venv, ensurepip;"
    "print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"
)
# Words by which pip says that it does not reach the package index
_OFFLINE = ("NewConnectionError", "NameResolutionError", "Temporary failure", "ConnectTimeout")
_VERSIONS = """\
import sys
from importlib.metadata import version
print("%d.%d.%d" % sys.version_info[:3], *map(version, sys.argv[1:]))
"""


class SiteError(Exception):
    """A site that is unknown, or has no environment here; the text says what to do."""


@dataclass(frozen=True)
class Site:
    """A site's Python as (3, minor), and the requirements of its packages: "numpy" for any version,
    "numpy==1.23.5" for one. encode: the key of ENCODINGS by which a bundle for the site encodes
    bytes.
    """

    name: str
    python: tuple[int, int]
    requirements: tuple[str, ...]
    encode: str = "wide"

    @property
    def version(self) -> str:
        """The version of Python as text, as in 3.11."""
        return "{}.{}".format(*self.python)

    @property
    def packages(self) -> frozenset[str]:
        """The names by which the site's packages are imported."""
        return frozenset(
            name.partition("==")[0].replace("-", "_").lower() for name in self.requirements
        )

    @property
    def folder(self) -> Path:
        """The folder of the site's environment, named by the version of Python and a hash of all
        requirements.
        """
        text = " ".join((self.version, *self.requirements))
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return ENVIRONMENTS / f"{self.name}-{self.version}-{digest}"


# CodinGame's page of languages (github.com/CodinGame/Contribute-Help, pages/technical/languages.md,
# September 2024) has Python 3.11.5 with NumPy 1.20.2, pandas 1.2.4 and SciPy 1.6.3. These versions
# do not exist for Python 3.11, so the site's own are unknown: `bots/probe.py` prints them.
# Below are the oldest versions with wheels for Python 3.11.
CODINGAME = Site("codingame", (3, 11), ("numpy==1.23.2", "pandas==1.5.1", "scipy==1.9.2"))
# The oldest Python and numpy that bundles run on.
STRICT = Site("strict", (3, 9), ("numpy==1.20.3",))
SITES = {site.name: site for site in (CODINGAME, STRICT)}


def find_site(name: str | None, root: Path) -> Site:
    """Returns the site of a name. Without a name, returns the site of the project in the folder
    `root`, or CodinGame if the project has none. Raises SiteError.
    """
    configured = own_site(root)
    if name is None:
        return configured or CODINGAME
    site = configured if name == OWN else SITES.get(name)
    if site is None and name == OWN:
        raise SiteError(
            'no site of your own: write [site] with python = "3.11" and packages = ["numpy"] into'
            f" {root / MARKER}"
        )
    if site is None:
        raise SiteError(f"no site {name!r}: name one of {', '.join([*SITES, OWN])}")
    return site


def own_site(root: Path) -> Site | None:
    """Returns the site that a project's `onefile.toml` describes, if any. Raises SiteError."""
    file = root / MARKER
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("site")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SiteError(f"{file}: {error}: mend it") from error
    if table is None:
        return None
    defaults = {"python": CODINGAME.version, "packages": ["numpy"], "encode": CODINGAME.encode}
    match {**defaults, **table} if isinstance(table, dict) else table:
        case {"python": str(python), "packages": [*packages], "encode": str(encode), **others}:
            texts = [str(package) for package in packages]
            is_known = not others and encode in ENCODINGS and _PYTHON.fullmatch(python)
            if is_known and all(map(_REQUIREMENT.fullmatch, texts)):
                version = 3, int(python.partition(".")[2])
                if version >= STRICT.python:
                    return Site(OWN, version, tuple(texts), encode)
    raise SiteError(
        f'{file}: [site] may have python = "3.11" ({STRICT.version} or newer), packages = ["numpy",'
        f' "scipy==1.9.3"] and encode = "base85" or "wide", got {json.dumps(table)}'
    )


def environment(site: Site) -> str | None:
    """Returns the interpreter of a site's environment, None before `make_environment` has
    made it.
    """
    python = site.folder / "bin" / "python"
    is_made = (site.folder / "made").is_file() and os.access(python, os.X_OK)
    return str(python) if is_made else None


def interpreter(version: str) -> str | None:
    """Returns the path of an interpreter of CPython, of a version as in "3.11", that can make an
    environment: the running one, one on the path, pyenv's or uv's. Returns None if there is none.
    """
    for path in dict.fromkeys(_candidates(version)):
        with suppress(SiteError):
            if ask(path, _ASK).split() == ["cpython", version]:
                return path
    return None


def _candidates(version: str) -> Iterator[str]:
    name = f"python{version}"
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        # Of an environment the interpreter that it was made of
        base = Path(sys.base_prefix, "bin", name)
        yield str(base if base.exists() else sys.executable)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if program := shutil.which(name, path=folder):
            yield program
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or data / "uv" / "python")
    for place in (*pyenv.glob(f"versions/{version}.*"), *uv.glob(f"cpython-{version}.*")):
        yield str(place / "bin" / name)


def make_environment(site: Site, say: Callable[[str], None] = lambda line: None) -> str:
    """Make the environment of a site unless it is there. Returns the path of its interpreter.
    Raises SiteError.

    say: prints a line before the packages are installed. An environment that fails or is
    interrupted leaves nothing but its lock.
    """
    if made := environment(site):
        return made
    python = interpreter(site.version)
    if python is None:
        raise SiteError(
            f"no Python {site.version} on this machine: install it (pyenv install {site.version},"
            f" uv python install {site.version}, or the system's packages python{site.version} and"
            f" python{site.version}-venv)"
        )
    try:
        with _locked(site):  # another process may be making it
            if made := environment(site):
                return made
            packages = " ".join(["", *site.requirements])
            say(
                f"making the environment of {site.name}, Python {site.version}{packages}: it may"
                " take a minute, once"
            )
            return _make(site, python)
    except OSError as error:
        raise SiteError(cache_error(error) or f"{site.folder}: {error.strerror}") from error


@contextmanager
def _locked(site: Site) -> Iterator[None]:
    """Hold the lock of a site's environment."""
    import fcntl  # `onefile doctor` also runs where there is none

    ENVIRONMENTS.mkdir(parents=True, exist_ok=True)
    with open(f"{site.folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(site: Site, python: str) -> str:
    """Make a site's environment with the interpreter `python`. Returns the path of the
    environment's own interpreter. Raises SiteError.
    """
    inside = str(site.folder / "bin" / "python")
    venv = [python, "-I", "-m", "venv"]
    install = ["install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    install += ["--only-binary", ":all:", *site.requirements]
    try:
        # A pip of its own takes most of an environment's time.
        _run(site, [*venv, "--clear", "--without-pip", str(site.folder)])
        if site.requirements:
            try:
                _run(site, [sys.executable, "-I", "-m", "pip", "--python", inside, *install])
            except SiteError:  # no pip here, or none that runs on that Python
                _run(site, [*venv, str(site.folder)])
                _run(site, [inside, "-I", "-m", "pip", *install])
        (site.folder / "made").touch()
    except BaseException:
        shutil.rmtree(site.folder, ignore_errors=True)
        raise
    return inside


def _run(site: Site, command: list[str]) -> None:
    """Run a command that makes a site's environment. Raises SiteError with its last error."""
    failed = f"the environment of {site.name} cannot be made"
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=INSTALL_S
        )
    except subprocess.TimeoutExpired:
        raise SiteError(f"{failed}: no end in {INSTALL_S / 60:.0f} minutes") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        if any(word in line for line in said for word in _OFFLINE):
            raise SiteError(f"{failed}: pip does not reach the package index: try again online")
        errors = [line for line in said if line.startswith("ERROR")] or said
        raise SiteError(f"{failed}: {errors[-1] if errors else ' '.join(command)}")


def described(site: Site, python: str) -> str:
    """Returns a text on a site's environment: the site's name, and the installed versions of Python
    and the packages. Raises SiteError.
    """
    names = [requirement.partition("==")[0] for requirement in site.requirements]
    version, *versions = ask(python, _VERSIONS, *names).split()
    packages = [f"{name} {number}" for name, number in zip(names, versions)]
    return f"{site.name}: {', '.join([f'Python {version}', *packages])}"


def ask(python: str, code: str, *arguments: str, given: str = "") -> str:
    """Run code with an interpreter. Returns the text that it prints. given: the text of its stdin.
    Raises SiteError.
    """
    command = [python, "-I", "-W", "ignore", "-c", code, *arguments]
    try:
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=ASK_S)
        done.check_returncode()
    except (OSError, subprocess.SubprocessError) as error:
        folder = Path(python).parents[1]
        advice = f"remove {folder}, then type `onefile doctor --site NAME`"
        raise SiteError(f"{python} does not run: {advice}") from error
    return done.stdout
