"""Runs programs one by one, each in a forked process of its own as Python would run it as a script.

This file is a process with few imports, so that a program finds the modules of a fresh Python: none
of another program or of pytest. It reads one line a program from its standard input (JSON: path,
folders for sys.path, and a module's name for `python -m`) and answers with one line: the program's
standard output, then the exception that ended it, if any.
"""

import atexit
import builtins
import importlib.machinery
import json
import os
import runpy
import signal
import sys
import threading
import types

SECONDS_OF_CPU, SECONDS = 20, 120  # for a busy machine


def run_as_script(path):
    """Run a file as `python path` does."""
    main = types.ModuleType("__main__")
    main.__file__, main.__cached__, main.__annotations__ = path, None, {}
    main.__builtins__ = builtins
    main.__loader__ = importlib.machinery.SourceFileLoader("__main__", path)
    sys.modules["__main__"] = main
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    exec(code, main.__dict__)


def description(error):
    """Class and message of an exception, with its notes."""
    kind = type(error)
    where = "" if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}."
    notes = "".join(f"\n{note}" for note in getattr(error, "__notes__", ()))
    return f"{where}{kind.__qualname__}: {error}{notes} <- raised"


def run(path, folders, module):
    """Run a program to its end and write the reason for its end to standard output."""
    sys.path[:1] = folders
    sys.argv = [path]
    os.chdir(folders[-1])
    try:
        if module:
            sys.modules["__main__"] = types.ModuleType("__main__")
            runpy._run_module_as_main(module, alter_argv=False)
        else:
            run_as_script(path)
    except BaseException as error:
        print(description(error))
        if os.environ.get("SHOW_TRACEBACKS"):
            import traceback

            traceback.print_exc(file=sys.stdout)
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()


def serve(requests, answers):
    """Fork a process for each request."""
    # A program may measure the length of its output: a module's repr has no path, which would
    # differ between folders.
    importlib._bootstrap._module_repr = lambda module: f"<module {module.__name__!r}>"
    for line in requests:
        request = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                answers.close()
                os.dup2(writing, 1)
                signal.setitimer(signal.ITIMER_PROF, SECONDS_OF_CPU)
                signal.setitimer(signal.ITIMER_REAL, SECONDS)
                run(**request)
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            text = pipe.read().decode("utf-8", "backslashreplace")
        _, status = os.waitpid(child, 0)
        if status:
            text += f"ended with status {status}\n"
        answers.write(json.dumps(text) + "\n")
        answers.flush()


if __name__ == "__main__":
    # A program must not read the requests or write among the answers.
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    serve(requests, answers)
