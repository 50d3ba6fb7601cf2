"""An arena whose cluster disappears continues on this machine: each game is played once, including
those in transit.
"""

from dataclasses import replace

import pytest

from referee.arena.cluster.fallback import FallbackWorkers
from referee.arena.plan import Game
from referee.arena.workers import NoWorkers
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Conditions

GAMES = [Game(seed, (0, 1), seed) for seed in range(7)]


class Pretended:
    """A pretended cluster: plays games in the order of submission until it breaks; counts its
    callers.
    """

    def __init__(self, n_places, breaks_at=None):
        self.n_places, self.breaks_at = n_places, breaks_at
        self.running, self.n_calls, self.n_inside = [], 0, 0

    def __enter__(self):
        self._call()
        self.n_inside += 1
        return self

    def __exit__(self, *_):
        self.n_inside -= 1

    def _call(self):
        self.n_calls += 1
        if self.breaks_at is not None and self.n_calls > self.breaks_at:
            raise NoWorkers("it is gone")

    def capacity(self):
        self._call()
        return self.n_places

    def start(self, game):
        self._call()
        self.running.append(game)
        assert len(self.running) <= self.n_places

    def wait(self, seconds):
        self._call()
        return [(self.running.pop(0), None, None)] if self.running else []


def play_all(workers):
    """Play as an arena does; returns the games in the order in which they ended."""
    wanted, running, ended = list(GAMES), set(), []
    while wanted or running:
        while wanted and len(running) < workers.capacity():
            workers.start(game := wanted.pop(0))
            running.add(game)
        for game, *_ in workers.wait(0):
            running.remove(game)
            ended.append(game)
    return ended


@pytest.mark.parametrize("breaks_at", [*range(24), None])
def test_each_game_is_played_once_wherever_it_breaks(breaks_at):
    cluster, here, told = Pretended(4, breaks_at), Pretended(2), []
    with FallbackWorkers(cluster, lambda: here, told.append) as workers:
        assert sorted(play_all(workers), key=GAMES.index) == GAMES
    assert told == ["it is gone; going on alone"] * (
        breaks_at is not None and cluster.n_calls > breaks_at
    )
    assert cluster.n_inside == here.n_inside == 0


def test_loss_of_the_local_worker_ends_the_arena():
    workers = FallbackWorkers(Pretended(1, 0), lambda: Pretended(1, 3), lambda _: None)
    with workers, pytest.raises(NoWorkers):
        play_all(workers)


def test_a_host_of_half_the_speed_has_twice_the_time():
    """Doubles limits and thinking time, common and per bot; without a required speed nothing
    changes.
    """
    limits = TurnLimits(Profile.SOFT3, 1000, 75, 50, 3, None)
    conditions = Conditions(
        seed=1, limits=(limits,) * 2, nodes=(None,) * 2, think_ms=(None, 40), host_speed=2e5
    )
    slow = conditions.on_host(1e5)
    assert slow.limits == (TurnLimits(Profile.SOFT3, 2000, 150, 100, 3, None),) * 2
    assert slow.think_ms == (None, 80)
    shared = Conditions.for_all(1, seed=1, limits=limits, think_ms=40)
    fast = replace(shared, host_speed=1e5).on_host(3e5)
    assert (fast.limits[0].turn_ms, fast.think_ms) == (25, (13,))
    assert shared.on_host(1e5) == shared
