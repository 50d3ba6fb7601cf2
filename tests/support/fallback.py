"""A plugin of pytest: no process of a test may run its kernels as plain Python for want of machine
code or of numba, unless the test is about that and marked `falls_back`.

Bots say so on stderr, which a test captures, or which stands in the log of a match. Both are looked
through, so a bundle whose machine code does not load fails the test that plays it.
"""

import gzip
import os
import re
import subprocess
from pathlib import Path

import pytest

# The lines of bundles, of `match`, and of the probe
SAID = re.compile(
    rb"((?<!NOT CHECKED: )kernels run|player \d+ ran) as plain Python"
    rb"|native bundle: (plain Python|none)"
)
LOGS = (".jsonl", ".jsonl.gz")
# Where a process of the current test, or of its fixtures, said so
found = []
communicate = subprocess.Popen.communicate


def lines_in(text):
    """Returns the lines of a process's output that tell of a fallback."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text or b""
    return [line.decode("utf-8", "replace") for line in data.splitlines() if SAID.search(line)]


def is_fallback(log):
    """Returns True if the log of a match tells of one."""
    try:
        with (gzip.open if log.suffix == ".gz" else open)(log, "rb") as file:
            return bool(SAID.search(file.read()))
    except (OSError, EOFError):
        return False  # the test has damaged it


def communicate_and_look(process, *arguments, **named):
    """`Popen.communicate`, which notes the fallbacks in the output and in the logs that the command
    line names.
    """
    texts = communicate(process, *arguments, **named)
    words = [process.args] if isinstance(process.args, (str, bytes)) else process.args
    for text in texts:
        found.extend(lines_in(text))
    for word in map(os.fsdecode, words):
        if word.endswith(LOGS) and is_fallback(Path(word)):
            found.append(f"{word} tells of it")
    return texts


def pytest_configure(config):
    config.addinivalue_line("markers", "falls_back: kernels run as plain Python in this test")
    subprocess.Popen.communicate = communicate_and_look


def pytest_unconfigure():
    subprocess.Popen.communicate = communicate


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        result = yield
        folder = item.funcargs.get("tmp_path")
        if folder is not None:
            # A process that still runs may remove a folder meanwhile: `walk` passes over it.
            files = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
            logs = [file for file in files if file.name.endswith(LOGS)]
            found.extend(f"{log} tells of it" for log in logs if is_fallback(log))
        if found and not item.get_closest_marker("falls_back"):
            pytest.fail(f"kernels ran as plain Python, which no test is to hide: {found[0]}", False)
    finally:
        found.clear()
    return result
