"""Installed packages whose modules a bundle takes along: those that bring contests or searches.

A package says so by an entry point of a group below; the first word of its value is the package.
"""

from functools import cache
from importlib.machinery import PathFinder
from importlib.metadata import entry_points
from pathlib import Path

CONTESTS, SEARCHES = "onefile.contests", "onefile.searches"


@cache
def place_of(top: str) -> Path | None:
    """Returns the folder of such a package, or the file of such a module; None for others."""
    points = (point for group in (CONTESTS, SEARCHES) for point in entry_points(group=group))
    if top not in {point.value.partition(":")[0].strip().split(".")[0] for point in points}:
        return None
    spec = PathFinder.find_spec(top)
    places = [*(spec.submodule_search_locations or ()), spec.origin] if spec else []
    return Path(places[0]) if places and places[0] else None
