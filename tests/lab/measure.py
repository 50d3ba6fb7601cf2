"""Measurements with their spread, tables, and ports in C++."""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table


def spread(values, unit="", digits=0):
    """The median of some measurements with the least and the greatest, if these differ: '71 ms (70
    to 75)'.
    """
    low, middle, high = min(values), statistics.median(values), max(values)
    if low == high:
        return f"{middle:,.{digits}f}{unit}"
    return f"{middle:,.{digits}f}{unit} ({low:,.{digits}f} to {high:,.{digits}f})"


def cpu_rate(run, seconds=1.0):
    """Calls `run`, which returns a number of things done, for some seconds of CPU time; returns
    the things done in one of them.
    """
    n, began = 0, time.process_time()
    while (passed := time.process_time() - began) < seconds or not n:
        n += run()
    return n / passed


def show(title, columns, rows):
    """Print a table; a row is a line, in a file as in a terminal."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*row)
    (Console() if sys.stdout.isatty() else Console(width=160)).print(table)


@contextmanager
def built(source, *flags):
    """The program of a C++ source while the context lasts; None without a compiler."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / Path(source).stem)
        command = ["g++", "-std=c++20", "-O3", "-march=native", *flags, str(source), "-o", program]
        if shutil.which("g++"):
            subprocess.run(command, check=True)
        yield program if shutil.which("g++") else None


def words_of(program, *arguments, text=""):
    """The words that a program prints."""
    command = [program, *map(str, arguments)]
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.split()


def beside(ours, theirs, scale=1.0, digits=0):
    """Three cells of a table: our figures, those of a rival, [] where it is missing, ratios."""
    cells = [spread([scale * one for one in ours], digits=digits)]
    if not theirs:
        return [*cells, "not here", ""]
    cells.append(spread([scale * one for one in theirs], digits=digits))
    return [*cells, spread([a / b for a, b in zip(ours, theirs)], digits=2)]
