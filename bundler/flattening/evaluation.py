"""Trials of short texts of Python in a subprocess: imports, and calls of constructors.

The subprocess runs this file: it reads a list of texts as JSON and answers with a list of bools,
True for each text that does not raise.
"""

import contextlib
import importlib
import json
import resource
import subprocess
import sys
from collections.abc import Iterable

MEMORY_BYTES = 1 << 31  # of address space; a literal must not fill the machine's
LARGEST_ARGUMENT = 1 << 20  # of a constructor, for the same reason
TIMEOUT_S = 60.0

_answers: dict[str, bool] = {}  # of this process; Python and numpy stay the same


class AnyClass:
    """Stands for a class of the bot's own."""


def evaluate(texts: Iterable[str]) -> dict[str, bool]:
    """For each text True if a fresh Python runs it without an exception, and in time."""
    texts = sorted(texts)
    new = [text for text in texts if text not in _answers]
    if new:
        command = [sys.executable, "-P", __file__]
        with contextlib.suppress(subprocess.TimeoutExpired):
            answered = subprocess.run(
                command, input=json.dumps(new), capture_output=True, text=True, timeout=TIMEOUT_S
            )
            if answered.returncode == 0:
                _answers.update(zip(new, json.loads(answered.stdout)))
    return {text: _answers.get(text, False) for text in texts}


def find(name: str) -> object:
    """The attribute of a module, or the builtin, of a full name."""
    top, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(top or "builtins"), attribute)


def make(name: str, *values: object) -> object:
    """Call the constructor of a full name."""
    if any(type(value) is int and abs(value) > LARGEST_ARGUMENT for value in values):
        raise OverflowError
    constructor = find(name)
    assert callable(constructor)
    return constructor(*values)


def _runs(text: str) -> bool:
    try:
        exec(text, {"find": find, "make": make, "AnyClass": AnyClass})
    except Exception:  # of any class: it would be raised when the bot runs
        return False
    return True


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    with contextlib.redirect_stdout(sys.stderr):
        found = [_runs(text) for text in json.loads(sys.stdin.read())]
    print(json.dumps(found))
