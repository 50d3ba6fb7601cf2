"""Runs a miniature project before and after flattening.

A project is one text: a line `--- path` opens each file, the first is the entry. The outcome of a
run is what it prints, then the class and message of the exception that ends it, if one does.
"""

import contextlib
import importlib
import io
import os
import runpy
import signal
import sys
import traceback

from bundler.flatten import flatten


def write_project(text, folder):
    """Write the files of a project below `folder`; the path of the entry."""
    entry = None
    for part in ("\n" + text.strip("\n")).split("\n--- ")[1:]:
        name, _, body = part.partition("\n")
        path = folder / name.strip()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body + "\n", encoding="utf-8")
        entry = entry or path
    return entry


def in_child(action):
    """The text that `action()` prints in a forked process, so that nothing it imports or changes
    stays.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        output = io.StringIO()
        try:
            signal.setitimer(signal.ITIMER_PROF, 20)  # of CPU time, however loaded the machine is
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
                action()
        except BaseException as error:  # the exception that ends the program is part of its outcome
            output.write(f"{type(error).__name__}: {error} <- raised\n")
            if os.environ.get("SHOW_TRACEBACKS"):
                output.write(traceback.format_exc())
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(output.getvalue().encode("utf-8", "backslashreplace"))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return text if status == 0 else f"{text}ended with status {status}\n"


def outcome_of_sources(entry, root, as_module=False):
    """What the bot prints when Python imports its modules."""

    def run():
        os.chdir(root)
        sys.path.insert(0, str(root))
        # Other tests may have imported modules of the same names.
        names = {path.stem for path in root.iterdir()}
        for name in [name for name in sys.modules if name.split(".")[0] in names]:
            del sys.modules[name]
        # A module of a bundle has no file to show.
        importlib._bootstrap._module_repr = lambda module: f"<module {module.__name__!r}>"
        if as_module:
            name = ".".join(entry.relative_to(root).with_suffix("").parts)
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        else:
            if entry.parent != root:
                sys.path.insert(0, str(entry.parent))
            runpy.run_path(str(entry), run_name="__main__")

    return in_child(run)


def outcome_of_bundle(text, folder):
    """What the bundle prints in a folder without the sources."""
    folder.mkdir(exist_ok=True)
    path = folder / "bundle.py"
    path.write_text(text, encoding="utf-8")

    def run():
        os.chdir(folder)
        runpy.run_path(str(path), run_name="__main__")

    return in_child(run)


def assert_same(project, tmp_path, as_module=False, **options):
    """Flatten a project, run it both ways, and compare; returns the bundle's text."""
    root = tmp_path / "project"
    entry = write_project(project, root)
    bundle = flatten(entry, root=root, **options)
    before = outcome_of_sources(entry, root, as_module)
    after = outcome_of_bundle(bundle.text, tmp_path / "alone")
    assert after == before, bundle.text
    return bundle.text
