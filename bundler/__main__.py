"""Command line: `python -m bundler BOT -o OUT.py`, and the command `where`."""

import contextlib
import errno
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

from bundler.bundle import Bundle, make_bundle
from bundler.check import CheckError, check, compiles
from bundler.errors import BundleError, NoKernelError
from bundler.report import largest_pieces, module_costs, utf16_units
from bundler.source_map import SourceMap
from bundler.sources.tunables import probe_values

WATCH_SECONDS = 0.05
WARNING_SHARE = 0.95
N_LARGEST = 10
N_WARNINGS = 5

app = typer.Typer(
    help="Makes one file to paste of a bot of many: `python -m bundler BOT -o OUT.py`.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
Mode = Literal["numba", "native", "python"]
Cpu = Literal["x86-64-v2", "x86-64-v3"]
Encoding = Literal["wide", "base85"]


def say(text: object) -> None:
    """Print a line for people: stdout may be carrying the bundle."""
    print(text, file=sys.stderr, flush=True)


def fail(text: object, status: int = 2) -> NoReturn:
    """End the command with a line for people."""
    say(text)
    raise typer.Exit(status)


def option(default: Any, help: str, *names: str, **settings: Any) -> Any:
    """The default value of a parameter that is an option."""
    return typer.Option(default, *names, help=help, **settings)


@app.command("bundle")
def bundle(
    bot: str = typer.Argument(metavar="BOT", help="The bot: a Python file, or a module's name."),
    out: Path | None = option(None, "The file to write.", "-o", "--out", metavar="OUT.py"),
    mode: Mode | None = option(
        None,
        "How kernels run there: as machine code, compiled by numba, or as plain Python.",
        show_default="native, or python for a bot without kernels; with --watch numba",
    ),
    cpu: Cpu = option("x86-64-v2", "The least processor for machine code; v3 pays for floats."),
    encode: Encoding = option("wide", "What is packed as ideographs, or as ASCII, twice as many."),
    strip: bool = option(False, "Leave out comments, docstrings, spare indentation.", "--strip"),
    packs: bool = option(
        False, "Pack what the bot imports: a quarter as long, not readable.", "--pack"
    ),
    limit: int = option(100_000, "The site's limit in characters (UTF-16 units).", min=1),
    keep_all: bool = option(False, "Keep what nothing uses.", "--keep-all"),
    plain: bool = option(False, "Carry nothing whole: refuse, and say what to change.", "--plain"),
    allow: list[str] | None = option(None, "A module that the site has besides numpy."),
    root: Path | None = option(None, "The project's folder, if it has no project file."),
    report: bool = option(False, "List what each module costs, and why it is carried.", "--report"),
    stdout: bool = option(False, "Write the bundle to stdout, not to a file.", "--stdout"),
    trace: bool = option(False, "Let the bot echo its game to stderr.", "--trace"),
    values: list[str] | None = option(None, "A tunable number's value.", "--set", metavar="NAME=X"),
    is_open: bool = option(False, "Leave tunable numbers open: for tuning at home.", "--open"),
    watch: bool = option(False, "Write again on every change, without the check.", "--watch"),
    file: Path | None = option(None, "Check on a log of `referee match`, or a text.", "--check"),
    no_check: bool = option(False, "Write the bundle without running it.", "--no-check"),
) -> None:
    """Write a bot and all it imports as one file.

    Before that the bundle and its source run side by side, and must write the same: alone in an
    empty folder, without numba, on one core, in 768 MB and for a few seconds. A contest's bot plays
    a few turns with few nodes to search, any other bot reads FILE, or nothing.
    """
    if (out is None) != stdout:
        raise typer.BadParameter("give either -o OUT.py or --stdout.")
    if file is not None and (watch or no_check):
        raise typer.BadParameter("--check goes with neither --watch nor --no-check.")
    if is_open and values:
        raise typer.BadParameter("--open goes with no --set.")
    parameters = None if is_open else chosen(values or [])
    if mode is None and watch:
        mode = "numba"  # the only one of them that is there within a second of a change
    native_options = cpu != "x86-64-v2" or (encode != "wide" and not packs)
    if mode not in (None, "native") and native_options:
        raise typer.BadParameter("--cpu and --encode go with --mode native.")
    allowed = {name.partition(".")[0] for name in allow or ()}
    flattened = partial(make_bundle, bot, root=root, keep_all=keep_all, plain=plain, allow=allowed)
    told: set[str] = set()

    def make(mode: str) -> Bundle:
        """The Bundle of a mode."""
        packing = encode if packs else None
        made = flattened(mode, strip=strip, trace=trace, packing=packing, parameters=parameters)
        if mode != "native":
            return made
        from bundler.native.machine_code import insert_machine_code  # slow to import

        kernels = flattened("numba", parameters=parameters).text
        options = {"cpu": cpu, "encode": encode, "path": bot, "say": say}
        if is_open:
            options["probes"] = probe_values(made.tunables)
        return replace(made, text=insert_machine_code(made.text, kernels, **options))

    def once() -> Bundle:
        try:
            made = make(mode or "native")
        except NoKernelError:
            if mode is not None or native_options:
                raise
            made = make("python")
        if out is not None and out.resolve() in made.files:
            raise BundleError(out, 1, "a source of the bot", "give another file to write")
        compiles(made.text)
        checked = "not checked" if watch or no_check else check(made, file, allowed)
        if not _deliver(made, out, limit, checked, report, told) and not watch:
            raise typer.Exit(1)
        return made

    try:
        if watch:
            with contextlib.suppress(KeyboardInterrupt):
                _watch(once)
        else:
            once()
    except BundleError as error:
        fail(error)
    except CheckError as error:
        fail(f"{out or 'stdout'} is not written: {error}", 1)


def chosen(texts: list[str]) -> dict[str, float]:
    """Returns the values of `--set`. Raises BadParameter."""
    found: dict[str, float] = {}
    for text in texts:
        name, _, number = text.partition("=")
        try:
            found[name] = int(number) if number.lstrip("-").isdecimal() else float(number)
        except ValueError:
            problem = f"{text!r}: NAME=NUMBER is expected."
            raise typer.BadParameter(problem, param_hint="'--set'") from None
    return found


def _deliver(
    made: Bundle, out: Path | None, limit: int, checked: str, report: bool, told: set[str]
) -> bool:
    """Write a Bundle and report on it. Returns False if it is over the limit and so not written."""
    size = utf16_units(made.text)
    if report:
        for path, units, name in module_costs(made.text):
            why = f", whole: {made.embedded.get(name, 'the package of others')}" if name else ""
            say(f"{units:8,} {path}{why}")
    if size > limit:
        over = f"{size - limit:,} over the limit of {limit:,} (--strip and --pack shorten it)"
        say(f"{size:,} characters, {over}; the largest pieces:")
        for where, name, units in largest_pieces(made.text, N_LARGEST):
            say(f"{units:8,} {where} {name}")
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
    n = len(made.embedded)
    if n and not report:
        are = "module is" if n == 1 else "modules are"
        yield f"{n} {are} carried whole (--report says why; --plain refuses)"
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
                seen = _modified(folders) | files  # as they were when they were read
            except BundleError as error:
                if not folders:
                    raise
                say(error)
        time.sleep(WATCH_SECONDS)


def _modified(folders: Iterable[Path]) -> dict[Path, int]:
    """{path: the time (ns) of its last change} of the modules in some folders."""
    paths = [path for folder in folders for path in folder.glob("*.py") if path.exists()]
    return {path: path.stat().st_mtime_ns for path in paths}


@app.command("tunables")
def tunables(
    bot: str = typer.Argument(metavar="BOT", help="The bot: a Python file, or a module's name."),
    root: Path | None = option(None, "The project's folder, if it has no project file."),
) -> None:
    """Print the numbers of a bot that tuning may change, a line of JSON each."""
    try:
        for one in make_bundle(bot, "python", root=root, parameters=None).tunables.values():
            print(json.dumps(one._asdict()))
    except BundleError as error:
        fail(error)


@app.command("where")
def where(
    bundle_file: Path = typer.Argument(help="A bundle.", metavar="OUT.py"),
    lines: list[int] = typer.Argument([], help="Its lines; without any, stdin is a traceback."),
) -> None:
    """Say which source lines stand behind lines of a bundle, or behind a traceback on stdin."""
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
    if sys.platform != "linux":
        sys.exit(f"bundler: {sys.platform}: it needs Linux, on Windows inside WSL")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what it has started ends with it
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
        say(f"bundler: {message}. See {program} --help.")
        sys.exit(2)
    except OSError as error:
        # A full disk is noticed when no name is at hand.
        if error.filename or error.errno != errno.ENOSPC:
            raise
        say("bundler: cannot write: no space is left there")
        sys.exit(2)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)


if __name__ == "__main__":
    main()
