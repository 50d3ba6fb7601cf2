"""Command line: `python -m bundler BOT -o OUT.py`, and the commands `where` and `probe`."""

import contextlib
import signal
import sys
import time
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from bundler.check import CheckError, check, compiles
from bundler.compact import compact
from bundler.errors import BundleError, NoKernelError
from bundler.flatten import flatten
from bundler.project import guess_root
from bundler.report import largest_pieces, module_costs, utf16_units
from bundler.where import SourceMap

WATCH_SECONDS = 0.05
WARNING_SHARE = 0.95
N_LARGEST = 10
N_WARNINGS = 5
PROBE = Path(__file__).with_name("probe.py")

app = typer.Typer(
    help="Makes one file to paste of a bot of many: `python -m bundler BOT -o OUT.py`, "
    "which is short for the command `bundle`.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


class Mode(str, Enum):
    numba = "numba"
    native = "native"
    python = "python"


class Cpu(str, Enum):
    v2 = "x86-64-v2"
    v3 = "x86-64-v3"


class Encoding(str, Enum):
    wide = "wide"
    base85 = "base85"


def say(text):
    """Print a line for people: stdout may be carrying the bundle."""
    print(text, file=sys.stderr, flush=True)


def option(kind, help, *names, **settings):
    """The annotation of an option."""
    return Annotated[kind, typer.Option(*names, help=help, **settings)]


@app.command("bundle")
def bundle(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The bot: a Python file, or the name of a module.")
    ],
    out: option(Path | None, "The file to write.", "-o", "--out", metavar="OUT.py") = None,
    mode: option(
        Mode | None,
        "How kernels run there: as machine code, compiled by numba, or as plain Python.",
        show_default="native, or python for a bot without kernels; with --watch numba",
    ) = None,
    cpu: option(Cpu, "The least processor for machine code; v3 pays for loops of floats.") = Cpu.v2,
    encode: option(
        Encoding, "Machine code as ideographs, or as ASCII, twice as many characters."
    ) = Encoding.wide,
    strip: option(
        bool,
        "Leave out comments, docstrings and empty lines; indentation too if it must.",
        "--strip",
    ) = False,
    limit: option(
        int, "The site's limit in characters (UTF-16 units).", min=1, metavar="N"
    ) = 100_000,
    keep_all: option(bool, "Keep what nothing uses.", "--keep-all") = False,
    plain: option(
        bool, "Carry no module whole: refuse the bot, and say what to change.", "--plain"
    ) = False,
    allow: option(
        list[str] | None,
        "A module that the site has besides numpy and Python's own. May be given again.",
        metavar="MODULE",
    ) = None,
    root: option(
        Path | None,
        "The project's folder.",
        metavar="FOLDER",
        show_default="the nearest with a project file",
    ) = None,
    report: option(
        bool, "List what each module costs, and why it is carried whole if it is.", "--report"
    ) = False,
    stdout: option(bool, "Write the bundle to stdout, not to a file.", "--stdout") = False,
    trace: option(
        bool, "Let the bot echo its input to stderr, for `python -m referee import`.", "--trace"
    ) = False,
    watch: option(bool, "Write again on every change, without the check.", "--watch") = False,
    file: option(
        Path | None,
        "Check on this: a log of `referee match`, or a text for the bot to read.",
        "--check",
        metavar="FILE",
    ) = None,
    no_check: option(bool, "Write the bundle without running it.", "--no-check") = False,
):
    """Write a bot and all it imports as one file.

    Before that the bundle and its source run side by side, and must write the same: alone in an
    empty folder, without numba, on one core, in 768 MB and for a few seconds. A contest's bot plays
    a few turns with few nodes to search, any other bot reads FILE, or nothing.
    """
    if (out is None) != stdout:
        raise typer.BadParameter("give either -o OUT.py or --stdout.")
    if file is not None and (watch or no_check):
        raise typer.BadParameter("--check goes with neither --watch nor --no-check.")
    if mode is None and watch:
        mode = Mode.numba  # the only one of them that is there within a second of a change
    native_options = (cpu, encode) != (Cpu.v2, Encoding.wide)
    if mode not in (None, Mode.native) and native_options:
        raise typer.BadParameter("--cpu and --encode go with --mode native.")

    allowed = {name.partition(".")[0] for name in allow or ()}
    options = {"root": root, "keep_all": keep_all, "plain": plain, "allow": allowed}

    told = set()

    def flat(mode):
        """The Bundle of a mode."""
        made = flatten(bot, mode=mode.value, strip=strip, trace=trace, **options)
        if mode is not Mode.native:
            return made
        from bundler.native import embed  # slow to import

        kernels = flatten(bot, mode=Mode.numba.value, **options).text
        settings = {"cpu": cpu.value, "encode": encode.value, "path": bot, "say": say}
        return replace(made, text=embed(made.text, kernels, **settings))

    def once():
        try:
            made = flat(mode or Mode.native)
        except NoKernelError:
            if mode is not None or native_options:
                raise
            made = flat(Mode.python)
        if out is not None and out.resolve() in made.files:
            raise BundleError(out, 1, "a source of the bot", "give another file to write")
        if strip and utf16_units(made.text) > limit:
            made = replace(made, text=compact(made.text))
        if watch or no_check:
            compiles(made.text)
            checked = "not checked"
        else:
            checked = check(made, file, allowed)
        fits = _deliver(made, out, limit, checked, report, told)
        if not fits and not watch:
            raise typer.Exit(1)
        return made

    try:
        if watch:
            with contextlib.suppress(KeyboardInterrupt):
                _watch(once)
        else:
            once()
    except BundleError as error:
        say(error)
        raise typer.Exit(2) from error
    except CheckError as error:
        say(f"{out or 'stdout'} is not written: {error}")
        raise typer.Exit(1) from error


def _deliver(made, out, limit, checked, report, told):
    """Write a Bundle and say what there is to know of it, but for notes that are told; whether it
    is within the limit, else nothing is written.
    """
    size = utf16_units(made.text)
    if report:
        for path, units, name in module_costs(made.text):
            why = f", whole: {made.carried.get(name, 'the package of others')}" if name else ""
            say(f"{units:8,} {path}{why}")
    if size > limit:
        say(
            f"{size:,} characters, {size - limit:,} over the limit of {limit:,}; the largest pieces:"
        )
        for where, name, units in largest_pieces(made.text, N_LARGEST):
            say(f"{units:8,} {where} {name}")
        return False
    if out is None:
        sys.stdout.write(made.text)
    else:
        _write(out, made.text)
    share = size / limit
    near = f"; warning: {share:.0%} of the limit" if share > WARNING_SHARE else ""
    n_modules = f"{len(made.files)} module{'s' * (len(made.files) != 1)}"
    say(f"{out or 'stdout'}: {size:,} of {limit:,} characters, {n_modules}; {checked}{near}")
    for note in _notes(made, report):
        if note not in told:
            told.add(note)
            say(note)
    return True


def _notes(made, report):
    """What else is to be known of a Bundle, line by line."""
    n = len(made.carried)
    if n and not report:
        are = "module is" if n == 1 else "modules are"
        yield f"{n} {are} carried whole (--report says why; --plain refuses)"
    yield from (f"warning: {warning}" for warning in made.warnings[:N_WARNINGS])
    if len(made.warnings) > N_WARNINGS:
        yield f"and {len(made.warnings) - N_WARNINGS} more warnings"


def _write(out, text):
    """Write a text into a file; exits with status 2 where that cannot be written."""
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        say(f"{out}: {error.strerror}; give a file that can be written")
        raise typer.Exit(2) from error


def _watch(once):
    """Bundle on every change of a file that the bundle is made of, until interrupted.

    After an error on any change beside them: it may be of a file that no bundle was made of yet.
    """
    files, seen, failed = {}, {}, False
    while True:
        if not files or _modified(files, failed) != seen:
            seen = _modified(files, True)
            try:
                files = seen = once().files
                failed = False
            except BundleError as error:
                if not files:
                    raise
                say(error)
                failed = True
        time.sleep(WATCH_SECONDS)


def _modified(files, beside):
    """{path: the time (ns) of its last change, None where it is gone} of files, and of modules
    `beside` them.
    """
    paths = set(files)
    if beside:
        paths.update(
            path for folder in {path.parent for path in files} for path in folder.glob("*.py")
        )
    return {path: path.stat().st_mtime_ns if path.exists() else None for path in paths}


@app.command("where")
def where(
    bundle_file: Annotated[Path, typer.Argument(help="A bundle.", metavar="OUT.py")],
    lines: Annotated[
        list[int] | None,
        typer.Argument(metavar="LINE", help="Its lines; without any, stdin is a traceback."),
    ] = None,
    root: option(
        Path | None, "The project's folder, where it is not found by itself.", metavar="FOLDER"
    ) = None,
):
    """Say which source lines stand behind lines of a bundle, or behind a traceback on stdin."""
    try:
        text = bundle_file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        say(f"{bundle_file}: {reason}; give a bundle that this program wrote")
        raise typer.Exit(2) from error
    source_map = SourceMap(text)
    folders = [root] if root else [Path.cwd(), guess_root(bundle_file.resolve())]
    source_map.find_sources(folders)
    if all(piece.path is None for piece in source_map.pieces):
        say(f"{bundle_file}: no comment names a source; give a bundle that this program wrote")
        raise typer.Exit(2)
    if not lines:
        print(source_map.translate(sys.stdin.read(), bundle_file.name), end="")
        return
    for number in lines:
        if not 1 <= number <= len(source_map.lines):
            say(f"{bundle_file}: has no line {number}, only {len(source_map.lines)}")
            raise typer.Exit(2)
        print(source_map.shown(number) or "(written by the bundler)")


@app.command("probe")
def probe(out: option(Path, "The file to write.", "-o", "--out", metavar="OUT.py")):
    """Write a bot of any contest that says on stderr what the site allows."""
    _write(out, PROBE.read_text(encoding="utf-8"))
    say(f"{out}: paste it as a bot, play one turn and read its stderr")


def main(program="python -m bundler"):
    """Run the command line; a first argument that names no command is a bot.

    program: what it was called as.
    """
    if sys.platform != "linux":
        sys.exit(f"bundler: {sys.platform}: it needs Linux, on Windows inside WSL")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what it has started ends with it
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
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)


if __name__ == "__main__":
    main()
