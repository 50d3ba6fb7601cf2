"""Coders Strike Back rule by rule; the numbers are computed by hand from RULES.md."""

import pytest

from shared.games.coders_strike_back import sim
from shared.games.coders_strike_back.maps import BASE_MAPS, new_course
from shared.games.coders_strike_back.state import (
    ANGLE,
    COLLISIONS,
    NEXT,
    TIMEOUT,
    TURN,
    WON,
    X,
    Y,
    new_setup,
    new_state,
)
from tests.support.csb_pods import CHECKPOINTS, play, pod_of, state_of


@pytest.fixture
def setup():
    return new_setup(CHECKPOINTS, 3, recorded_collisions=4)


class TestStart:
    def test_pods_stand_across_the_first_leg_player_0_inside(self):
        state = new_state([(1000, 1000), (4000, 5000)])
        places = [(float(state[X + pod]), float(state[Y + pod])) for pod in range(4)]
        assert places == [(1400, 700), (600, 1300), (2200, 100), (-200, 1900)]

    def test_too_long_a_course_is_refused(self):
        with pytest.raises(ValueError, match="9 checkpoints in 3 laps: at most 25 gates fit"):
            new_setup([(i, i) for i in range(9)], 3)


class TestCourses:
    def test_every_course_is_a_turned_and_jittered_base_map(self):
        seen = set()
        for seed in range(300):
            found = new_course(seed)
            fits = [
                (number, start)
                for number, base in enumerate(BASE_MAPS)
                for start in range(len(base))
                if len(base) == len(found)
                and all(
                    abs(a - b) <= 30
                    for point, other in zip(found, base[start:] + base[:start])
                    for a, b in zip(point, other)
                )
            ]
            assert len(fits) == 1
            seen.add(fits[0])
        assert {number for number, _ in seen} == set(range(13))


class TestCommands:

    def test_the_own_place_as_target_neither_turns_nor_thrusts(self, setup):
        state = state_of((50, 60, 0, 0))
        play(setup, state, (50, 60, 200))
        assert pod_of(state) == (50, 60, 0, 0) and state[ANGLE] == 0.0


class TestCollisions:
    def test_equal_pods_head_on_exchange_their_speeds(self, setup):
        state = state_of((0, 0, 400, 0), (1200, 0, -400, 0))
        play(setup, state)
        assert setup[COLLISIONS] == 1
        assert [float(x) for x in setup[COLLISIONS + 1 : COLLISIONS + 6]] == pytest.approx(
            [0.5, 0, 1, 600, 0]
        )
        assert pod_of(state) == (0, 0, -340, 0)
        assert pod_of(state, 1) == (1200, 0, 340, 0)

    def test_pods_on_one_spot_are_pushed_apart_too(self, setup):
        state = state_of((0, 0, 0, 0), (0, 0, 0, 0))
        play(setup, state)
        assert abs(state[X + 1] - state[X]) >= 800

    def test_pods_that_touch_collide_though_they_part(self, setup):
        play(setup, state_of((0, 0, -400, 0), (700, 0, 400, 0)))
        assert setup[COLLISIONS] == 1

    def test_more_collisions_than_there_is_room_for_are_counted_all_the_same(self):
        setup = new_setup(CHECKPOINTS, 3)
        state = state_of((0, 0, 400, 0), (1200, 0, -400, 0))
        play(setup, state)
        assert setup[COLLISIONS] == 1 and len(setup) == COLLISIONS + 1


class TestGates:
    def test_a_gate_counts_when_the_way_comes_strictly_within_600(self, setup):
        for distance, passed in ((599, True), (600, False)):
            state = state_of((8500, 1000 - distance, 1000, 0))
            play(setup, state)
            assert (state[NEXT] == 2) == passed

    def test_the_last_gate_wins_and_stays_the_next_one(self, setup):
        state = state_of((1000, 1000, 0, 0))
        state[NEXT] = 9
        play(setup, state)
        assert (state[WON], state[NEXT]) == (1, 9)
        assert sim.winner(setup, state) == 0


class TestEnd:
    @pytest.mark.parametrize(
        ("timeouts", "won", "winner"),
        [
            ((1, 50), (), -1),
            ((0, 50), (), 1),
            ((50, 0), (), 0),
            ((0, 0), (), 1),
            ((50, 50), (3,), 1),
            ((50, 50), (1, 2), 0),
            ((0, 50), (0,), 1),
        ],
    )
    def test_timeouts_come_before_finishes_and_player_0_before_player_1(
        self, setup, timeouts, won, winner
    ):
        state = state_of()
        state[TIMEOUT], state[TIMEOUT + 1] = timeouts
        for pod in won:
            state[WON + pod] = 1
        assert sim.winner(setup, state) == winner

    def test_after_500_turns_gates_decide_then_nearness(self, setup):
        state = state_of((0, 0, 0, 0), (8000, 1000, 0, 0), (7900, 1000, 0, 0), turn=500)
        assert sim.winner(setup, state) == 0
        state[NEXT + 3] = 2
        assert sim.winner(setup, state) == 1
        state[TURN] = 499
        assert sim.winner(setup, state) == -1


def test_a_recorded_collision_names_both_pods(setup):
    state = state_of((8000, 0, 0, 0), (8000, 4000, 0, 0), (0, 0, 400, 0), (1200, 0, -400, 0))
    play(setup, state)
    recorded = [float(number) for number in setup[COLLISIONS : COLLISIONS + 6]]
    assert recorded == pytest.approx([1, 0.5, 2, 3, 600, 0])
