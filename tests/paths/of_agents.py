"""Plans of many agents by every planner of `shared/path`, and their faults."""

from shared.path.grid import new_grid
from shared.path.multi_agent import Crowd, plan_optimal, plan_prioritized, plan_windowed
from shared.path.plans import problems, sum_of_costs
from tests.paths.maps import read_map

# Conflict-based search would never end without a plan.
MOST_NODES = 2000


def check_plans(content, folder, every):
    """Yields (case, checks, differences) of each scenario and puzzle of `mapf`. folder: of the
    maps.
    """
    maps = {}
    for number, case in enumerate(content["scenarios"][every - 1 :: every], 1):
        if case["map"] not in maps:
            rows = read_map(folder / f"{case['map']}.map")
            maps[case["map"]] = rows, new_grid(rows, diagonals=False)
        yield check_case(f"scenario {number} on {case['map']}", *maps[case["map"]], case)
    for number, case in enumerate(content["puzzles"][every - 1 :: every], 1):
        rows = [[letter == "." for letter in row] for row in case["rows"]]
        yield check_case(
            f"puzzle {number} ({case['name']})", rows, new_grid(rows, diagonals=False), case
        )


def check_case(name, rows, grid, case):
    """Returns (name, checks, differences) of an instance: least cost, valid plans, none below the
    least.
    """
    starts, goals = [[tuple(cell) for cell in case[key]] for key in ("starts", "goals")]
    wrong = []
    planners = {
        "the optimal plan": lambda crowd: plan_optimal(crowd, MOST_NODES),
        "the plan in turn": plan_prioritized,
        "the plan in windows": plan_windowed,
    }
    for title, planner in planners.items():
        plan = planner(Crowd(grid, starts, goals))
        cost = None if plan is None else sum_of_costs(plan, goals)
        if plan is not None:
            wrong += [f"{title}: {problem}" for problem in problems(rows, starts, goals, plan)]
        if title == "the optimal plan":
            if cost != case["cost"]:
                wrong.append(f"{title} costs {cost}, stated {case['cost']}")
        elif cost is not None and (case["cost"] is None or cost < case["cost"]):
            wrong.append(f"{title} costs {cost}, less than {case['cost']}")
    return name, len(planners), wrong
