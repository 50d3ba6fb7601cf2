"""The validator of plans, which compiles nothing."""

from shared.path.plans import problems, sum_of_costs


def test_the_validator_finds_what_is_wrong():
    free = [[True, True, True]]
    starts, goals = [(0, 0), (1, 0)], [(1, 0), (0, 0)]
    swap = [[(0, 0), (1, 0)], [(1, 0), (0, 0)]]
    assert problems(free, starts, goals, swap) == ["agents 0 and 1 swap places at (0, 0) at 1"]
    jump = [[(0, 0), (2, 0)], [(1, 0), (1, 0)]]
    assert len(problems(free, starts, [(2, 0), (1, 0)], jump)) == 1
    both = [[(0, 0), (1, 0)], [(1, 0)]]
    assert "both in (1, 0) at 1" in problems(free, starts, [(1, 0), (1, 0)], both)[0]
    # A wait at the goal costs a step if the agent leaves the goal later.
    assert sum_of_costs([[(0, 0), (0, 0), (1, 0), (0, 0), (0, 0)]], [(0, 0)]) == 3
