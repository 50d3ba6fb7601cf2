"""`onefile doctor`: findings about this machine and the installation, with advice."""

import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Annotated

import typer

from bundler.modules.workspace import CACHE, CACHE_ADVICE, INSTALLED, IS_CHECKOUT
from bundler.sites import SiteError, described, environment, make_environment
from referee.commands.options.common import announce, announce_bundling
from referee.errors import UsageError
from referee.project import PROJECT, install_advice, version
from referee.sources.bots import bundle
from referee.sources.site import site_named
from referee.sources.workspace import workspace
from referee.terminal import say

OK, NOTE, BAD = "ok", "note", "bad"
# The threads, child processes and supervisors of the bots of a few games at once
FEW_PROCESSES = 256
FEW_FILES = 1024
SMALL_SHM_MB = 64
# Processes that want each core, above which time limits by the wall clock are unfair
BUSY = 1.0
PROBE_S = 20.0
PLAIN_ADVICE = "bots run as plain Python here, 100 to 1,000 times slower"
MEGABYTE = 1 << 20
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")
EXTRAS = {
    "league": ("starlette", "the page of `league`, and `match --live`"),
    "kaggle": ("kaggle_environments", "matches in the environments of Kaggle"),
    "cluster": ("distributed", "arenas on several machines"),
    "tune": ("optuna", "`tune --method cma` and `--method optuna`"),
    "learn": ("sklearn", "fitting evaluations to games"),
    "networks": ("jax", "`train`"),
    "test": ("pytest", "`onefile test`"),
    "docs": ("zensical", "`make docs` in a checkout"),
}


@dataclass(frozen=True)
class Finding:
    """A row of the report, about one part of the machine. state: OK, NOTE (something is slower or
    missing) or BAD (matches cannot be played). advice: the next step, "" where none is needed.
    """

    state: str
    part: str
    text: str
    advice: str = ""


def doctor(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="With --site: codingame, strict (the oldest Python and numpy that bundles run on),"
            " or own, the table [site] of onefile.toml.",
            show_default="own if there is one, else codingame",
        ),
    ] = None,
    makes_site: Annotated[
        bool,
        typer.Option(
            "--site",
            help="First make the environment of a site, its Python with its packages, for `match"
            " --site`. It needs an interpreter of that version and the package index, once.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each.")] = False,
) -> None:
    """Look at what playing, bundling and testing need on this machine, with advice.

    Exit status 0 where bots can play, else 1.

    Examples:

    ```sh
    onefile doctor
    onefile doctor --site
    onefile doctor --site strict
    ```
    """
    if name is not None and not makes_site:
        raise UsageError(f"{name}: the name of a site stands behind --site")
    if makes_site:
        try:
            make_environment(site_named(name), announce)
        except SiteError as error:
            say(f"error: {error}", error=True)
            raise typer.Exit(1) from None
    is_bad = False
    for finding in findings(name):
        is_bad |= finding.state == BAD
        if as_json:
            print(json.dumps(asdict(finding)))
        else:
            say(f"{finding.state:<5} {finding.part:<13} {finding.text}")
            if finding.advice:
                say(f"{'':<19} -> {finding.advice}")
    raise typer.Exit(int(is_bad))


def findings(site: str | None = None) -> Iterator[Finding]:
    """Yields the rows of the report. site: the name of the site to look at, None for the
    default.
    """
    kind = "a checkout" if IS_CHECKOUT else "installed"
    yield Finding(OK, "onefile", f"{version()}, {kind} in {INSTALLED}")
    user_workspace = workspace()
    where = f"{user_workspace}" if user_workspace else "none here"
    yield Finding(
        OK,
        "workspace",
        where,
        "" if user_workspace or IS_CHECKOUT else "onefile init DIR makes one",
    )
    yield from editor(user_workspace)
    yield cache_folder()
    yield from python()
    yield from libraries()
    yield site_environment(site)
    if sys.platform == "linux":
        yield from machine_code()
        yield from cores()
        yield from limits()
    yield from programs()
    yield from extras()


def editor(user_workspace: Path | None) -> Iterator[Finding]:
    """Yields a finding on the settings by which an editor finds `shared.*`, if a workspace has
    them.
    """
    config = user_workspace / "pyrightconfig.json" if user_workspace else None
    if config and config.is_file():
        try:
            paths = json.loads(config.read_text(encoding="utf-8")).get("extraPaths", [])
        except (ValueError, AttributeError):
            yield Finding(
                NOTE,
                "editor",
                f"{config} is no JSON",
                "mend it, or remove it and type onefile init .",
            )
            return
        if str(INSTALLED) in paths:
            yield Finding(OK, "editor", f"{config.name} names the installation")
        else:
            advice = "remove it and .vscode/settings.json, then type onefile init ."
            yield Finding(NOTE, "editor", f"{config.name} names another installation", advice)


def cache_folder() -> Finding:
    """Returns the finding on the folder of bundles and machine code."""
    try:
        CACHE.mkdir(parents=True, exist_ok=True)
        file = CACHE / f"doctor-{os.getpid()}"
        file.touch()
        file.unlink()
    except OSError as error:
        return Finding(BAD, "cache", f"{CACHE}: {error.strerror}", CACHE_ADVICE)
    free = shutil.disk_usage(CACHE).free // MEGABYTE
    return Finding(OK, "cache", f"{CACHE}, {free:,} MB free")


def python() -> Iterator[Finding]:
    """Yields the findings on the interpreter and the system."""
    name = f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}"
    if sys.implementation.name == "cpython":
        yield Finding(OK, "Python", name)
    else:
        yield Finding(NOTE, "Python", name, "native bundles need CPython")
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    if sys.platform != "linux":
        advice = "play on Linux (on Windows inside WSL); view, import and --mode python work here"
        yield Finding(BAD, "system", system, advice)
    else:
        yield Finding(OK, "system", system)


def libraries() -> Iterator[Finding]:
    """Yields the findings on Numba and numpy."""
    for package, use in (("numba", "kernels are compiled by it"), ("numpy", "bots may use it")):
        try:
            yield Finding(OK, package, f"{version_of(package)}: {use}")
        except PackageNotFoundError:
            advice = (
                f"{sys.executable} -m pip install {package}: without it bots run as plain Python"
            )
            yield Finding(BAD, package, "not installed", advice)


def site_environment(name: str | None) -> Finding:
    """Returns the finding on the environment of a site."""
    try:
        site = site_named(name)
        program = environment(site)
        if program is None:
            advice = f"onefile doctor --site {site.name} makes it, for match --site {site.name}"
            return Finding(OK, "site", f"{site.name}: not made", advice)
        return Finding(OK, "site", described(site, program))
    except SiteError as error:
        return Finding(NOTE, "site", str(error))


def machine_code() -> Iterator[Finding]:
    """Yields the finding on native bundles: the verdict of bots/probe.py, whose bundle runs as on a
    site.
    """
    try:
        probe = bundle(PROJECT / "bots" / "probe.py", announce_bundling)
        command = [sys.executable, "-I", str(probe)]
        environment = {name: value for name, value in os.environ.items() if name != "CG_JIT"}
        asked = subprocess.run(
            command, input="", capture_output=True, text=True, timeout=PROBE_S, env=environment
        )
    except (UsageError, PackageNotFoundError, OSError, subprocess.TimeoutExpired) as error:
        yield Finding(NOTE, "machine code", f"the probe failed: {error}", PLAIN_ADVICE)
        return
    rows = dict(line.split(": ", 1) for line in asked.stderr.splitlines() if ": " in line)
    verdict = rows.get("native bundle", "unknown")
    text = f"{verdict}; processor {rows.get('processor', 'unknown')}"
    if verdict.startswith("machine code"):
        yield Finding(OK, "machine code", text)
    else:
        yield Finding(NOTE, "machine code", text, PLAIN_ADVICE)


def cores() -> Iterator[Finding]:
    """Yields the findings on the cores that this process may use, with the quota of its group, and
    on the load.
    """
    usable = len(os.sched_getaffinity(0))
    quota = cpu_quota()
    text = f"{usable} of {os.cpu_count()}" + (f", a quota of {quota:.1f}" if quota else "")
    advice = "" if usable > 1 else "two bots share the core: use --clock cpu or --nodes"
    yield Finding(OK if usable > 1 else NOTE, "cores", text, advice)
    load = os.getloadavg()[0]
    is_busy = load > BUSY * usable
    advice = "wait, or let CPU time count: --clock cpu" if is_busy else ""
    yield Finding(NOTE if is_busy else OK, "load", f"{load:.1f} in the last minute", advice)


def cpu_quota() -> float | None:
    """Returns the number of cores that cgroup v2 grants, None without a quota."""
    try:
        # The last line is that of cgroup v2; in a container its path is "/".
        group = Path("/proc/self/cgroup").read_text().splitlines()[-1].removeprefix("0::/")
        share, period = Path("/sys/fs/cgroup", group, "cpu.max").read_text().split()
    except (OSError, ValueError, IndexError):
        return None
    return None if share == "max" else int(share) / int(period)


def limits() -> Iterator[Finding]:
    """Yields the findings on the limits of the system that may affect a match."""
    import resource

    for limited, number, few in (
        ("processes", resource.RLIMIT_NPROC, FEW_PROCESSES),
        ("open files", resource.RLIMIT_NOFILE, FEW_FILES),
    ):
        soft, _ = resource.getrlimit(number)
        is_few = soft != resource.RLIM_INFINITY and soft < few
        text = "no limit" if soft == resource.RLIM_INFINITY else f"at most {soft:,}"
        flag = "-u" if limited == "processes" else "-n"
        advice = f"raise it: ulimit {flag} {few * 4}" if is_few else ""
        yield Finding(NOTE if is_few else OK, limited, text, advice)
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        advice = "compiling takes some 2,000 MB: ulimit -v unlimited"
        yield Finding(NOTE, "memory", f"at most {soft // MEGABYTE:,} MB a process", advice)
    try:
        shm = shutil.disk_usage("/dev/shm").total // MEGABYTE
    except OSError:
        yield Finding(NOTE, "/dev/shm", "not there", "bots that use shared memory fail here")
        return
    is_small = shm < SMALL_SHM_MB
    advice = "give the container more: --shm-size=256m" if is_small else ""
    yield Finding(NOTE if is_small else OK, "/dev/shm", f"{shm:,} MB", advice)


def programs() -> Iterator[Finding]:
    """Yields the findings on programs: a browser, and Java and Maven for official referees."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    advice = "" if browser else "pages open in any browser of another machine, too"
    yield Finding(OK if browser else NOTE, "browser", browser or "none found", advice)
    java = shutil.which("java")
    if java is None:
        advice = "official referees need it: apt install default-jdk maven"
        yield Finding(NOTE, "Java", "none found", advice)
    else:
        yield Finding(OK, "Java", f"{java_version(java)}, {java}")
        maven = shutil.which("mvn")
        advice = "" if maven else "it builds official referees: apt install maven"
        yield Finding(OK if maven else NOTE, "Maven", maven or "none found", advice)


def java_version(java: str) -> str:
    """Returns the first line of the output of `java -version`, or the error if it does not
    start.
    """
    try:
        asked = subprocess.run(
            [java, "-version"], capture_output=True, text=True, timeout=PROBE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"does not start: {error}"
    return next(iter(asked.stderr.splitlines()), "unknown")


def extras() -> Iterator[Finding]:
    """Yields a finding for each extra, with the command to install a missing one. Only a checkout
    has the extra [docs].
    """
    for extra, (module, use) in EXTRAS.items():
        if extra == "docs" and not IS_CHECKOUT:
            continue
        if importlib.util.find_spec(module):
            yield Finding(OK, f"[{extra}]", f"installed: {use}")
        else:
            yield Finding(OK, f"[{extra}]", f"not installed: {use}", install_advice(extra))
