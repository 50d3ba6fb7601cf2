"""Command line: `python -m bundler BOT -o OUT.py`, and the command `where`."""

import contextlib
import errno
import gc
import json
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NoReturn

import typer

from bundler.bundle import Bundle, Cpu, make_bundle, make_native
from bundler.check import CheckError, check, compiles, last_log
from bundler.errors import BundleError, NoKernelError
from bundler.help import Command, Group
from bundler.inputs import is_bundle, remembered
from bundler.modules.project import Project
from bundler.modules.workspace import cache_error
from bundler.report import largest_pieces, module_costs, utf16_units
from bundler.sites import MOST_CHARACTERS, SiteError
from bundler.source_map import SourceMap

WATCH_SECONDS = 0.05
WARNING_SHARE = 0.95
N_LARGEST = 10
N_WARNINGS = 5
# The panel of these commands in `onefile --help`, and those of their options.
PANEL = "Make one file to paste"
OUTPUT, SIZE, SOURCES, TRYING = "Output", "Size", "Sources", "Trying it"
SEVERAL = "; may be given several times."
STATUSES = """\
Exit status:

- **0**: done
- **1**: the bundle is not written: it is too long, or answers otherwise than its sources
- **2**: the arguments or a source cannot be used; one line on stderr says where and why
- **130**: interrupted
"""

app = typer.Typer(
    cls=Group,
    help="Makes one file to paste of a bot of many: `python -m bundler BOT -o OUT.py`.",
    epilog=STATUSES,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
Mode = Literal["numba", "native", "python"]


def say(text: object) -> None:
    """Print a line for people on stderr, because stdout may be carrying the bundle."""
    print(text, file=sys.stderr, flush=True)


def fail(text: object, status: int = 2) -> NoReturn:
    """End the command with an error, one line for people, and an exit status."""
    say(f"error: {text}")
    raise typer.Exit(status)


def option(default: Any, help: str, *names: str, panel: str = OUTPUT, **settings: Any) -> Any:
    """Returns the default value of a parameter that is an option. panel: the heading above the
    option in the help.
    """
    return typer.Option(default, *names, help=help, rich_help_panel=panel, **settings)


def flag(name: str, panel: str, help: str) -> Any:
    """Returns the default value of a parameter that is a flag."""
    return option(False, help, name, panel=panel)


@app.command("bundle", cls=Command, rich_help_panel=PANEL, epilog=STATUSES)
def bundle(
    bot: str = typer.Argument(metavar="BOT", help="The bot: a Python file, or a module's name."),
    out: Path | None = option(
        None,
        *("The file to write; - for stdout.", "-o", "--out"),
        metavar="OUT.py",
        show_default="the bot's name with .onefile.py, here",
    ),
    mode: Mode | None = option(
        None,
        "How kernels run on the site: as machine code, compiled by numba, or as plain Python.",
        metavar="native|numba|python",
        show_default="native, or python for a bot without kernels; with --watch numba",
    ),
    cpu: Cpu | None = option(
        None,
        "The oldest processor that can run the machine code; x86-64-v3 (2013, with AVX2) pays for"
        " networks; both: code for either, chosen at the start.",
        metavar="x86-64-v2|x86-64-v3|both",
        show_default="the bot's BUNDLE_CPU, else x86-64-v2",
    ),
    strip: bool = flag("--strip", SIZE, "Leave out comments, docstrings, spare indentation."),
    packs: bool = flag(
        "--pack",
        SIZE,
        "Compress the modules that the bot imports: a quarter as long, not readable.",
    ),
    limit: int = option(
        MOST_CHARACTERS,
        "The site's limit in characters (UTF-16 units).",
        min=1,
        metavar="N",
        panel=SIZE,
    ),
    report: bool = flag(
        "--report", SIZE, "List the characters of each module, and why it is carried whole."
    ),
    carry: bool = flag("--carry", SOURCES, "Carry the imported modules whole, not flattened."),
    allow: list[str] | None = option(
        None,
        f"A module that the site has besides its packages{SEVERAL}",
        metavar="MODULE",
        panel=SOURCES,
    ),
    site: str | None = option(
        None,
        "The site's Python and packages: codingame (Python 3.11 with numpy, pandas and scipy),"
        " strict (3.9 with numpy), or own ([site] of onefile.toml).",
        metavar="NAME",
        panel=SOURCES,
        show_default="own, else codingame",
    ),
    values: list[str] | None = option(
        None, f"A tunable number's value{SEVERAL}", "--set", metavar="NAME=X", panel=SOURCES
    ),
    is_open: bool = typer.Option(False, "--open", hidden=True),  # for the referee's tuning
    trace: bool = flag(
        "--trace", TRYING, "Let the bot echo its game to stderr, for `onefile import`."
    ),
    watch: bool = flag("--watch", TRYING, "Write again on every change, without the check."),
    file: Path | None = option(
        None,
        *("Check on a log of `onefile match`, or on a text as input.", "--check"),
        metavar="FILE",
        panel=TRYING,
    ),
    no_check: bool = flag("--no-check", TRYING, "Write the bundle without running it."),
) -> None:
    """Write a bot and all it imports as one file.

    Before that the bundle and its source run side by side, and must write the same: alone in an
    empty folder, on one core, in 768 MB and for some seconds. A contest's bot plays a game with few
    nodes to search, any other bot reads FILE: without FILE the last line says NOT CHECKED. A bundle
    with machine code needs numpy on the site.

    Examples:

    ```sh
    onefile bundle bots/coders_strike_back/smitsimax.py -o smitsimax.py
    onefile bundle bots/infexion/minimax.py -o minimax.py --mode python --report
    ```
    """
    project = Project(bot, site=site)
    if out is None:
        out = Path(f"{project.entry_path.stem}.onefile.py")
        if out.exists() and not is_bundle(out):
            fail(f"{out}: no bundle, so it is not written over: give -o OUT.py")
    elif str(out) == "-":
        out = None
    if file is not None and (watch or no_check):
        raise typer.BadParameter("--check goes with neither --watch nor --no-check.")
    if is_open and values:
        raise typer.BadParameter("--open goes with no --set.")
    if mode not in (None, "native") and cpu not in (None, "x86-64-v2"):
        raise typer.BadParameter("--cpu goes with --mode native.")
    if sys.platform != "linux":
        # The check confines the bot by Linux's means, and machine code is for Linux.
        if mode == "native" or file is not None:
            fail(f"{sys.platform}: machine code and --check need Linux, on Windows inside WSL")
        mode, no_check = mode or "python", True
        say(f"{sys.platform}: the bundle is in --mode {mode} and not checked, which needs Linux")
    if watch:
        mode = mode or "numba"  # the only one of them that is there within a second of a change
    allowed = sorted({name.partition(".")[0] for name in allow or ()})
    encode = project.site.encode
    settings: dict[str, Any] = {
        "allow": allowed,
        "site": site,
        "strip": strip,
        "carry": carry,
        "parameters": None if is_open else chosen(values or []),
        "trace": trace,
        "packing": encode if packs else None,
    }
    told: set[str] = set()

    def make_new(mode: str | None) -> Bundle:
        """Returns the Bundle in a mode; by default in native mode if the bot has kernels."""
        if mode not in (None, "native"):
            made = make_bundle(bot, mode, **settings)
            if mode == "numba" and not (watch or no_check):
                from bundler.native.subprocesses import check_kernels

                plain = settings | {"strip": False, "trace": False, "packing": None}
                warning = check_kernels(make_bundle(bot, mode, **plain).text, bot)
                made.warnings.extend([warning] if warning else [])
            return made
        from bundler.native.machine_code import insert_machine_code  # slow to import

        try:
            made, kernels = make_native(bot, **settings)
            options = {"cpu": cpu or made.cpu, "encode": encode, "path": bot, "say": say}
            return replace(made, text=insert_machine_code(made.text, kernels, **options))
        except NoKernelError:
            if mode is not None or cpu not in (None, "x86-64-v2"):
                raise
            return make_new("python")

    def once() -> Bundle:
        log = None if watch or no_check else file or last_log(project)

        def checked_on_log(made: Bundle) -> str:
            if watch or no_check:
                compiles(made.text)
                return "not checked"
            phrase = check(made, log, allowed + ["numba"] * (made.mode == "numba"))
            return phrase if log == file else f"{phrase}, of {log}, the last log"

        if watch:
            made = make_new(mode)
            checked = checked_on_log(made)
        else:
            options = mode, cpu, no_check, is_open, file, settings
            make = partial(make_new, mode)
            made, checked = remembered(project, options, log, make, checked_on_log)
        if out is not None and out.resolve() in made.files:
            raise BundleError(out, 1, "a source of the bot", "give another file to write")
        if not _deliver(made, out, limit, checked, report, told) and not watch:
            raise typer.Exit(1)
        return made

    try:
        if watch:
            with contextlib.suppress(KeyboardInterrupt):
                _watch(once)
        else:
            gc.disable()  # collecting takes a tenth of the time, and saves a few megabytes
            once()
    except CheckError as error:
        fail(f"{out or 'stdout'} is not written: {error}", 1)
    finally:
        gc.enable()


def chosen(texts: list[str]) -> dict[str, float]:
    """Returns {name: number} of the texts of `--set`. Raises BadParameter."""
    values: dict[str, float] = {}
    for text in texts:
        name, _, number = text.partition("=")
        try:
            values[name] = int(number) if number.lstrip("-").isdecimal() else float(number)
        except ValueError:
            problem = f"{text!r}: NAME=NUMBER is expected."
            raise typer.BadParameter(problem, param_hint="'--set'") from None
    return values


def _deliver(
    made: Bundle, out: Path | None, limit: int, checked: str, report: bool, told: set[str]
) -> bool:
    """Write a Bundle and report on it. Returns False for a Bundle over the limit, which is not
    written. told: the notes that were printed before.
    """
    size = utf16_units(made.text)
    if report:
        for path, units, name in module_costs(made.text):
            say(f"{units:8,} {path}{', carried whole' if name else ''}")
        for reason in made.reasons:
            say(f"carried whole: {reason}")
    if size > limit:
        say("the largest pieces:")
        for where, name, units in largest_pieces(made.text, N_LARGEST):
            say(f"{units:8,} {where} {name}")
        over = f"{size - limit:,} over the limit of {limit:,} (--strip and --pack shorten it)"
        say(f"error: {out or 'the bundle'}: {size:,} characters, {over}")
        return False
    if out is None:
        sys.stdout.write(made.text)
    else:
        try:
            out.write_text(made.text, encoding="utf-8")
        except OSError as error:
            fail(f"{out}: {error.strerror}; give a file that can be written")
    share = size / limit
    near = f"; warning: {share:.0%} of the limit" if share > WARNING_SHARE else ""
    n_modules = f"{len(made.files)} module{'s' * (len(made.files) != 1)}"
    say(f"{out or 'stdout'}: {size:,} of {limit:,} characters, {n_modules}; {checked}{near}")
    for note in _notes(made, report):
        if note not in told:
            told.add(note)
            say(note)
    return True


def _notes(made: Bundle, report: bool) -> Iterator[str]:
    if (n := len(made.carried)) and not report:
        are = "module is" if n == 1 else "modules are"
        yield f"{n} {are} carried whole: {next(iter(made.reasons), 'as --carry says')}"
    yield from (f"warning: {warning}" for warning in made.warnings[:N_WARNINGS])
    if len(made.warnings) > N_WARNINGS:
        yield f"and {len(made.warnings) - N_WARNINGS} more warnings"


def _watch(once: Callable[[], Bundle]) -> None:
    folders: set[Path] = set()
    seen = None
    while True:
        now = _modified(folders)
        if now != seen:
            seen = now
            try:
                files = once().files
                folders = {path.parent for path in files}
                seen = _modified(folders) | files  # with the times at which the bundler read them
            except BundleError as error:
                if not folders:
                    raise
                say(error)
        time.sleep(WATCH_SECONDS)


def _modified(folders: Iterable[Path]) -> dict[Path, int]:
    """Returns {path: time (ns) of its last change} of the modules in some folders."""
    paths = [path for folder in folders for path in folder.glob("*.py") if path.exists()]
    return {path: path.stat().st_mtime_ns for path in paths}


@app.command("tunables", cls=Command, rich_help_panel=PANEL)
def tunables(
    bot: str = typer.Argument(metavar="BOT", help="The bot: a Python file, or a module's name."),
) -> None:
    """Print the numbers of a bot that tuning may change, a line of JSON each.

    Examples:

    ```sh
    onefile tunables bots/coders_strike_back/smitsimax.py
    ```
    """
    for tunable in make_bundle(bot, "python", parameters=None).tunables.values():
        print(json.dumps(tunable._asdict()))


@app.command("where", cls=Command, rich_help_panel=PANEL)
def where(
    bundle_file: Path = typer.Argument(help="A bundle.", metavar="OUT.py"),
    lines: list[int] = typer.Argument(
        [], help="Its lines; without any, stdin is a traceback.", metavar="LINE"
    ),
) -> None:
    """Translate lines of a bundle, or a traceback on stdin, to files and lines of the sources.

    Examples:

    ```sh
    onefile where smitsimax.py < traceback.txt
    onefile where smitsimax.py 120 340
    ```
    """
    try:
        text = bundle_file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        fail(f"{bundle_file}: {reason}; give a bundle that this program wrote")
    source_map = SourceMap(text)
    if all(piece.path is None for piece in source_map.pieces):
        fail(f"{bundle_file}: no comment names a source; give a bundle that this program wrote")
    if not lines:
        print(source_map.translate(sys.stdin.read(), bundle_file.name), end="")
        return
    for number in lines:
        if not 1 <= number <= len(source_map.lines):
            fail(f"{bundle_file}: has no line {number}, only {len(source_map.lines)}")
        print(source_map.shown(number) or "(written by the bundler)")


def main(program: str = "python -m bundler") -> None:
    """Run the command line of a program; a first argument that names no command is a bot."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends subprocesses too
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # while it was imported
        signal.signal(signal.SIGINT, signal.default_int_handler)
    arguments = sys.argv[1:]
    commands = {command.name for command in app.registered_commands}
    if arguments and arguments[0] not in commands | {"--help"}:
        arguments.insert(0, "bundle")
    try:
        sys.exit(app(arguments, prog_name=program, standalone_mode=False))
    except typer.TyperException as error:
        message = " ".join(error.format_message().split()).rstrip(".")
        # Of an error that no parser of arguments has raised, but `bundle` itself, none is known.
        context = getattr(error, "ctx", None)
        command = context.command_path if context else f"{program} bundle"
        say(f"error: {message}. See {command} --help.")
        sys.exit(2)
    except (BundleError, SiteError) as error:
        say(f"error: {error}")
        sys.exit(2)
    except OSError as error:
        # A full disk is noticed when no name is at hand.
        is_full = error.errno == errno.ENOSPC and not error.filename
        problem = "cannot write: no space is left there" if is_full else cache_error(error)
        if problem is None:
            raise
        say(f"error: {problem}")
        sys.exit(2)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)


if __name__ == "__main__":
    main()
