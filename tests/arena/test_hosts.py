"""A host slower than the others is named; hosts of equal speed are not."""

from random import Random

from referee.arena.cluster.hosts import HostSample, find_outlier_hosts, host_samples
from referee.arena.entrants import Entrant
from referee.arena.play import Place, Result, SeatResult
from referee.arena.store import open_store
from referee.log.limits import TurnLimits
from referee.play.match import Conditions
from shared.core.clock import Limits


def games(n, slow, by_time, seed, hosts=4, factor=0.7):
    """The results of two bots in n games on some hosts, one of them slower."""
    rng = Random(seed)
    for number in range(n):
        host = f"host-{number % hosts}"
        speed = (factor if host == slow else 1.0) * rng.lognormvariate(0, 0.15)
        for bot, nodes in (("a", 900.0), ("b", 7000.0)):
            own = nodes * rng.lognormvariate(0, 0.2)
            yield HostSample(number, host, bot, own * (speed if by_time else 1.0), 0.01 / speed)


def test_a_host_slower_by_three_tenths_is_named_within_500_games():
    for seed in range(10):
        [*odd] = find_outlier_hosts(games(500, "host-2", True, seed))
        assert {one.host for one in odd} == {"host-2"}
        nodes = next(one for one in odd if one.measure == "nodes")
        assert -0.4 < nodes.share < -0.2 and nodes.n_games == 125
    assert str(nodes).startswith("on host-2 bots search ") and "% fewer nodes a turn" in str(nodes)


def test_games_by_nodes_tell_it_by_their_time():
    [odd] = find_outlier_hosts(games(500, "host-1", False, 1))
    assert (odd.host, odd.measure) == ("host-1", "ms") and "more CPU time" in str(odd)


def test_hosts_that_are_alike_are_not_named():
    assert sum(bool(find_outlier_hosts(games(200, None, True, seed))) for seed in range(20)) == 0


def test_few_games_or_one_host_say_nothing():
    assert find_outlier_hosts(games(72, "host-0", True, 1)) == []
    assert find_outlier_hosts(games(500, None, True, 1, hosts=1)) == [] == find_outlier_hosts([])


def test_results_keep_where_they_were_played(tmp_path):
    path = tmp_path / "arena.db"
    path.touch()
    seat = SeatResult(0, 1.0, None, 50.0, 3.0, {1: 2}, {"nodes": (1000.0, 10)})
    result = Result((seat, seat), 10, "over", 1, place=Place("here", "0,1", 123.0))
    with open_store(path) as store:
        store.add_entrants([Entrant("a", "a", "a"), Entrant("b", "b", "b")])
        limits = TurnLimits.read("off", Limits(1000, 100))
        series = store.series("toy", Conditions.for_all(2, seed=1, limits=limits))
        store.add(series, 1, ["a", "b"], result, None)
        assert host_samples(store, series) == [
            HostSample(1, "here", "a", 100.0, 0.05),
            HostSample(1, "here", "b", 100.0, 0.05),
        ]
