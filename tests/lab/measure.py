"""Measurements with their spread, CPU time, and ports in C++."""

import resource
import shutil
import statistics
import subprocess
from pathlib import Path


def spread(values, unit="", digits=0):
    """The median of some measurements with the least and the greatest, if these differ: '71 ms (70
    to 75)'.
    """
    low, middle, high = min(values), statistics.median(values), max(values)
    if low == high:
        return f"{middle:,.{digits}f}{unit}"
    return f"{middle:,.{digits}f}{unit} ({low:,.{digits}f} to {high:,.{digits}f})"


def cpu_of_children():
    """CPU seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def build_port(source, folder, *flags):
    """Compile a C++ port in `folder`; None if there is no compiler."""
    if not shutil.which("g++"):
        return None
    program = str(Path(folder) / Path(source).stem)
    command = ["g++", "-std=c++20", "-O3", "-march=native", *flags, str(source), "-o", program]
    subprocess.run(command, check=True)
    return program
