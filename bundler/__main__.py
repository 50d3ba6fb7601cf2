"""Command line: `python -m bundler BOT -o OUT.py`, and the commands `where` and `probe`."""

import sys
import time
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from bundler.check import CheckError, check, compiles
from bundler.compact import compact
from bundler.errors import BundleError, NoKernelError
from bundler.flatten import flatten
from bundler.project import Project, guess_root
from bundler.report import largest_pieces, module_costs, utf16_units
from bundler.where import SourceMap

WATCH_SECONDS = 0.2
WARNING_SHARE = 0.95
N_LARGEST = 10
PROBE = Path(__file__).with_name("probe.py")

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class Mode(str, Enum):
    numba = "numba"
    native = "native"
    python = "python"


def say(text):
    """Print a line for people: stdout may be carrying the bundle."""
    print(text, file=sys.stderr, flush=True)


class Cpu(str, Enum):
    v2 = "x86-64-v2"
    v3 = "x86-64-v3"


class Encoding(str, Enum):
    wide = "wide"
    base85 = "base85"


@app.command("bundle")
def bundle(
    bot: Annotated[str, typer.Argument(help="The bot: a Python file, or the name of a module.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The file to write.")] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(
            help="How compiled functions are to run.",
            show_default="native, or python for a bot without any; with --watch numba",
        ),
    ] = None,
    cpu: Annotated[
        Cpu, typer.Option(help="The least processor for native mode; v3 pays for float loops.")
    ] = Cpu.v2,
    encode: Annotated[
        Encoding,
        typer.Option(help="Machine code as ideographs, or as ASCII: twice as many characters."),
    ] = Encoding.wide,
    strip: Annotated[
        bool, typer.Option("--strip", help="Drop comments and docstrings, and more if it must.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, help="The site's limit in UTF-16 units.")] = 100_000,
    keep_all: Annotated[bool, typer.Option("--keep-all", help="Keep what is unused.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Refuse a bot of which modules must be carried whole.")
    ] = False,
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="MODULE", help="A module that the site has besides numpy."),
    ] = None,
    root: Annotated[Path | None, typer.Option(help="The project's folder.")] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Say what each module costs in characters.")
    ] = False,
    stdout: Annotated[bool, typer.Option("--stdout", help="Write the bundle to stdout.")] = False,
    trace: Annotated[
        bool,
        typer.Option(
            "--trace",
            help="Let the bot echo its input to stderr, for `python -m referee import`.",
        ),
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Write again on every change, without the check.")
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            "--check", metavar="LOG", help="Check on this log, not on a game made for it."
        ),
    ] = None,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Do not compare the bundle with its source.")
    ] = False,
):
    """Flatten a bot and all it imports into one file.

    Before it is written, the bundle has to answer as its source does, on a few turns of its contest
    and with few nodes to search: alone in an empty folder, without numba, on one core, in 768 MB.
    """
    if (out is None) != stdout:
        raise typer.BadParameter("give either -o OUT.py or --stdout.")
    if log is not None and (watch or no_check):
        raise typer.BadParameter("--check goes with neither --watch nor --no-check.")
    if mode is None and watch:
        mode = Mode.numba  # the only one of them that is there within a second of a change
    native_options = (cpu, encode) != (Cpu.v2, Encoding.wide)
    if mode not in (None, Mode.native) and native_options:
        raise typer.BadParameter("--cpu and --encode go with --mode native.")

    options = {"root": root, "keep_all": keep_all, "plain": plain, "allow": allow or ()}

    def flat(mode):
        """The bundle of a mode."""
        written = {}
        if mode is Mode.native:
            from bundler.native import machine_code_literal

            kernels = flatten(bot, mode=Mode.numba.value, **options).text
            code = machine_code_literal(
                kernels, cpu=cpu.value, encode=encode.value, path=bot, say=say
            )
            written = {"MACHINE_CODE": code}
        return flatten(bot, mode=mode.value, strip=strip, written=written, trace=trace, **options)

    def once():
        try:
            bundled = flat(mode or Mode.native)
        except NoKernelError:
            if mode is not None or native_options:
                raise
            bundled = flat(Mode.python)
        text = bundled.text
        if out is not None and out.resolve() in bundled.files:
            raise BundleError(out, 1, "a source of the bot", "give another file to write")
        if strip and utf16_units(text) > limit:
            text = compact(text)
        if watch or no_check:
            compiles(text)
            checked = "not checked"
        else:
            checked = check(text, Project(bot, root), bundled.files, log)
        fits = _deliver(text, out, limit, f"{len(bundled.files)} modules; {checked}", report)
        if not fits and not watch:
            raise typer.Exit(1)
        return bundled

    try:
        if watch:
            _watch(once)
        else:
            once()
    except BundleError as error:
        say(error)
        raise typer.Exit(2) from error
    except CheckError as error:
        say(f"{out or 'stdout'} is not written: {error}")
        raise typer.Exit(1) from error


def _deliver(text, out, limit, note, report):
    """Write the bundle and say how large it is, with a note on it; whether it is within the limit,
    else nothing is written.
    """
    size = utf16_units(text)
    if report:
        for path, units in module_costs(text):
            say(f"{units:8,} {path}")
    if size > limit:
        say(
            f"{size:,} characters, {size - limit:,} over the limit of {limit:,}; the largest pieces:"
        )
        for where, name, units in largest_pieces(text, N_LARGEST):
            say(f"{units:8,} {where} {name}")
        return False
    if out is None:
        sys.stdout.write(text)
    else:
        _write(out, text)
    share = size / limit
    warning = f"; warning: {share:.0%} of the limit" if share > WARNING_SHARE else ""
    say(f"{out or 'stdout'}: {size:,} of {limit:,} characters, {note}{warning}")
    return True


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
    try:
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
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


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
        list[int] | None, typer.Argument(help="Lines of it; none: a traceback is read from stdin.")
    ] = None,
    root: Annotated[Path | None, typer.Option(help="The project's folder.")] = None,
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
        try:
            found = source_map.locate(number)
        except IndexError:
            say(f"{bundle_file}: has no line {number}, only {len(source_map.lines)}")
            raise typer.Exit(2) from None
        print(f"{found[0]}:{found[1]}" if found else "(written by the bundler)")


@app.command("probe")
def probe(
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")],
):
    """Write a bot of any contest that says on stderr what the site allows."""
    _write(out, PROBE.read_text(encoding="utf-8"))
    say(f"{out}: paste it as a bot, play one turn and read its stderr")


def main():
    """Run the command line; a first argument that names no command is a bot."""
    arguments = sys.argv[1:]
    commands = {command.name for command in app.registered_commands}
    if arguments and arguments[0] not in commands | {"--help"}:
        arguments.insert(0, "bundle")
    try:
        sys.exit(app(arguments, prog_name="python -m bundler", standalone_mode=False))
    except typer.TyperException as error:
        message = " ".join(error.format_message().split()).rstrip(".")
        say(f"bundler: {message}. See python -m bundler --help.")
        sys.exit(2)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)


if __name__ == "__main__":
    main()
