"""Every case of a truth file on paths, against `shared/path` and `shared/mesh`.

    python -m tests.paths.truth_files [--every N] FILE...

FILE is one of the truth files beside the project, as its `about` says. They are of grids
(`grid_extra`), of many agents (`mapf`), of triangulations (`cdt`), of points and discs among
polygons (`navmesh_paths`, `radius_paths`). Or FILE is a scenario of Moving AI (`.scen`), whose map
is searched beside it and in `../maps`. Compiled, or plain with `CG_JIT=0`. `--every N` takes only
every Nth case. Searches are compiled when a file needs them.
"""

import argparse
import sys
from pathlib import Path
from typing import NamedTuple, Optional

from shared.core.checks.truth import MALFORMED, TruthError, load_json
from tests.paths.maps import read_map, read_scenario

MAPF_MAPS = Path("maps/movingai/mapf")


class Report(NamedTuple):
    """The content of a file: cases, comparisons, differences and the first of them."""

    cases: int
    checks: int
    mismatches: int
    first: Optional[str]


def check_scenario(path, every):
    """The queries of a scenario file."""
    for folder in (path.parent, path.parent.parent / "maps"):
        file = folder / path.name.removesuffix(".scen")
        file = file if file.suffix == ".map" else file.with_suffix(".map")
        if file.is_file():
            break
    else:
        raise TruthError(f"{path}: its map is neither beside it nor in ../maps")
    from tests.paths import on_grids

    yield from on_grids.check_queries(read_map(file), read_scenario(path)[::every])


def check_file(path, every=1):
    """The Report of a file. Raises TruthError."""
    if path.suffix == ".scen":
        found = check_scenario(path, every)
    else:
        content = load_json(path, "truth file of paths")
        kind = content.get("about", "") if isinstance(content, dict) else ""
        if str(kind).startswith("grids:"):
            from tests.paths import on_grids

            found = on_grids.check_grids(content["grids"], every)
        elif str(kind).startswith("scenarios:"):
            from tests.paths import of_agents

            folder = path.resolve().parent.parent / MAPF_MAPS
            found = of_agents.check_plans(content, folder, every)
        elif str(kind).startswith(("static:", "maps: rings")):
            from tests.paths import on_meshes

            if str(kind).startswith("static:"):
                found = on_meshes.check_triangulations(content, every)
            elif "lower" in str(kind):
                found = on_meshes.check_discs(content, every)
            else:
                found = on_meshes.check_points(content, every)
        else:
            raise TruthError(f"{path}: its `about` is of no kind known here: {str(kind)[:60]!r}")
    cases, checks, wrong = 0, 0, []
    try:
        for case, n_checks, differences in found:
            cases += 1
            checks += n_checks
            wrong += [f"{case}: {difference}" for difference in differences]
    except MALFORMED as error:
        raise TruthError(f"{path}: case {cases + 1} is not as it should be ({error!r})") from error
    if not cases:
        raise TruthError(f"{path}: it has no cases")
    return Report(cases, checks, len(wrong), wrong[0] if wrong else None)


def main():
    """Print a line a file; returns True if an answer differs."""
    parser = argparse.ArgumentParser(description="Compare paths with truth files and scenarios.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--every", type=int, default=1, help="every Nth case alone")
    asked, has_other = parser.parse_args(), False
    for file in asked.files:
        try:
            report = check_file(file, asked.every)
        except TruthError as error:
            raise SystemExit(str(error)) from error
        if report.first:
            print(f"first difference: {report.first}")
            has_other = True
        print(f"{file}: {report.cases} cases, {report.checks} checks, other: {report.mismatches}")
    return has_other


if __name__ == "__main__":
    sys.exit(main())
