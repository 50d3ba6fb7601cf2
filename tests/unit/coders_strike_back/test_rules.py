"""Coders Strike Back rule by rule; the numbers are computed by hand from RULES.md."""

import math

import pytest

from shared.games.coders_strike_back import sim
from shared.games.coders_strike_back.maps import BASE_MAPS, new_course
from shared.games.coders_strike_back.sim import BOOST, MAX_ROTATION, RAISE_SHIELD
from shared.games.coders_strike_back.state import (
    ANGLE,
    BOOSTED,
    COLLISIONS,
    N_GATES,
    NEXT,
    SHIELD,
    TIMEOUT,
    TURN,
    VX,
    VY,
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

    def test_nothing_is_spent_and_gate_1_is_next(self):
        state = new_state(CHECKPOINTS)
        assert [float(state[NEXT + pod]) for pod in range(4)] == [1] * 4
        assert all(state[f + p] == 0 for f in (VX, VY, SHIELD, BOOSTED, WON) for p in range(4))
        assert [float(state[TIMEOUT + player]) for player in (0, 1)] == [100, 100]

    def test_the_gates_are_all_laps_and_checkpoint_0(self, setup):
        assert setup[N_GATES] == 10

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

    def test_the_seed_decides(self):
        assert new_course(5) == new_course(5) != new_course(6)


class TestCommands:
    def test_thrust_goes_along_the_heading_and_friction_takes_15_percent(self, setup):
        state = state_of((0, 0, 100, 0))
        play(setup, state, (1000, 0, 200))
        assert pod_of(state) == (300, 0, 255, 0)

    def test_a_turn_of_more_than_18_degrees_stops_at_18(self, setup):
        state = state_of((0, 0, 0, 0))
        play(setup, state, (0, 1000, 100))
        assert state[ANGLE] == MAX_ROTATION
        assert pod_of(state)[:2] == (
            math.floor(100 * math.cos(MAX_ROTATION) + 0.5),
            math.floor(100 * math.sin(MAX_ROTATION) + 0.5),
        )

    def test_the_shorter_way_round_is_taken(self, setup):
        state = state_of((0, 0, 0, 0))
        state[ANGLE] = math.radians(170)
        play(setup, state, (-1000, -1000, 0))
        assert state[ANGLE] == math.radians(170) + MAX_ROTATION

    def test_within_the_limit_the_angle_is_the_targets_own(self, setup):
        state = state_of((0, 0, 0, 0))
        state[ANGLE] = 6.2
        play(setup, state, (1000, 0, 0))
        assert state[ANGLE] == 0.0

    def test_on_the_first_turn_any_angle_is_free(self, setup):
        state = state_of((0, 0, 0, 0), turn=0)
        play(setup, state, (-1000, 0, 100))
        assert (state[ANGLE], state[X]) == (math.pi, -100)

    def test_the_own_place_as_target_neither_turns_nor_thrusts(self, setup):
        state = state_of((50, 60, 0, 0))
        play(setup, state, (50, 60, 200))
        assert pod_of(state) == (50, 60, 0, 0) and state[ANGLE] == 0.0

    def test_boost_is_650_once_a_pod_then_200(self, setup):
        state = state_of((0, 0, 0, 0), (0, 5000, 0, 0))
        play(setup, state, (90000, 0, BOOST), (90000, 5000, BOOST))
        assert pod_of(state)[0] == pod_of(state, 1)[0] == 650
        speed = pod_of(state)[2]
        play(setup, state, (90000, 0, BOOST))
        assert pod_of(state)[0] == 650 + speed + 200

    def test_a_shield_stops_the_thrust_for_this_turn_and_three_more(self, setup):
        state = state_of((0, 0, 0, 0))
        moved = []
        for command in (RAISE_SHIELD, 200, 200, 200, 200):
            play(setup, state, (90000, 0, command))
            moved.append(pod_of(state)[0] > 0)
        assert moved == [False, False, False, False, True]

    def test_a_boost_under_the_shield_is_spent_for_nothing(self, setup):
        state = state_of((0, 0, 0, 0))
        play(setup, state, (90000, 0, RAISE_SHIELD))
        play(setup, state, (90000, 0, BOOST))
        assert (state[BOOSTED], state[X]) == (1, 0)

    def test_a_shield_raised_again_starts_anew(self, setup):
        state = state_of((0, 0, 0, 0))
        play(setup, state, (90000, 0, RAISE_SHIELD))
        play(setup, state, (90000, 0, RAISE_SHIELD))
        assert state[SHIELD] == 3


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

    def test_a_raised_shield_makes_ten_times_as_heavy(self, setup):
        state = state_of((0, 0, 1000, 0), (1300, 0, 0, 0))
        play(setup, state, (90000, 0, RAISE_SHIELD))
        impulse = 2 * 1000 / 1.1
        assert state[VX] == math.trunc((1000 - impulse * 0.1) * 0.85)
        assert state[VX + 1] == math.trunc(impulse * 0.85)

    def test_the_shield_is_only_heavy_on_the_turn_it_is_raised(self, setup):
        state = state_of((0, 0, 0, 0), (5000, 0, -1000, 0))
        state[SHIELD] = 3
        state[X + 1] = 1300
        play(setup, state)
        assert state[VX] == -850

    def test_a_light_touch_has_an_impulse_of_at_least_120(self, setup):
        state = state_of((0, 0, 10, 0), (805, 0, 0, 0))
        play(setup, state)
        assert (state[VX], state[VX + 1]) == (
            math.trunc((10 - 125) * 0.85),
            math.trunc(125 * 0.85),
        )

    def test_pods_that_overlap_are_pushed_apart(self, setup):
        state = state_of((0, 0, 0, 0), (700, 0, 0, 0))
        play(setup, state)
        assert setup[COLLISIONS] == 1
        assert state[X + 1] - state[X] >= 800

    def test_pods_on_one_spot_are_pushed_apart_too(self, setup):
        state = state_of((0, 0, 0, 0), (0, 0, 0, 0))
        play(setup, state)
        assert abs(state[X + 1] - state[X]) >= 800

    def test_pods_that_move_apart_do_not_touch(self, setup):
        state = state_of((0, 0, -100, 0), (801, 0, 0, 0))
        play(setup, state)
        assert setup[COLLISIONS] == 0

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

    def test_passing_in_mid_turn_is_enough(self, setup):
        state = state_of((7000, 1000, 4000, 0))
        play(setup, state)
        assert state[X] == 11000 and state[NEXT] == 2

    def test_only_the_next_gate_counts(self, setup):
        state = state_of((9000, 7500, 0, 100))
        play(setup, state)
        assert state[NEXT] == 1

    def test_passing_resets_the_players_timeout_only(self, setup):
        state = state_of((9000, 1000, 0, 0))
        state[TIMEOUT] = state[TIMEOUT + 1] = 50
        play(setup, state)
        assert [float(state[TIMEOUT + player]) for player in (0, 1)] == [100, 49]

    def test_the_last_gate_wins_and_stays_the_next_one(self, setup):
        state = state_of((1000, 1000, 0, 0))
        state[NEXT] = 9
        play(setup, state)
        assert (state[WON], state[NEXT]) == (1, 9)
        assert sim.winner(setup, state) == 0


class TestRounding:
    def test_speed_is_truncated_towards_zero_and_position_rounded_half_up(self, setup):
        state = state_of((0.0, 0.0, 10.5, -10.5))
        play(setup, state)
        assert pod_of(state) == (11, -10, 8, -8)


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
