"""Installed packages that bring contests or searches: a bundle takes their modules along.

A package declares contests and searches by entry points of the groups below, whose values name its
modules.
"""

from functools import cache
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

CONTESTS, SEARCHES = "onefile.contests", "onefile.searches"


@cache
def brought_contests() -> dict[str, list[EntryPoint]]:
    """Returns {contest: its entry points} of the contests in installed packages."""
    points: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=CONTESTS):
        points.setdefault(point.name, []).append(point)
    return points


@cache
def brought_packages() -> dict[str, Path]:
    """Returns {top-level module: path} of the installed packages with contests or searches: the
    folder of a package, the file of a single module.
    """
    places: dict[str, Path] = {}
    for point in (*entry_points(group=CONTESTS), *entry_points(group=SEARCHES)):
        top = point.value.partition(":")[0].strip().partition(".")[0]
        if spec := PathFinder.find_spec(top):
            place = next(iter(spec.submodule_search_locations or ()), spec.origin)
            places |= {top: Path(place)} if place else {}
    return places
