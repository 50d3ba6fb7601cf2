"""Figures with their spread, and CPU time."""

import resource
import statistics


def spread(values, unit="", digits=0):
    """The median of some measurements with the least and the greatest: '71 ms (70 to 75)'."""
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{middle:,.{digits}f}{unit} ({low:,.{digits}f} to {high:,.{digits}f})"


def cpu_of_children():
    """CPU seconds of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
