"""Each benchmark runs, with small numbers; the command fails if one of them fails."""

import pytest

from bundler.sites import SiteError
from tests.conftest import BOTS
from tests.lab.bench import __main__ as bench
from tests.lab.bench import adversarial

ONE_BOT = ["infexion/minimax"]
# By module: what makes its benchmarks take seconds
SMALL = {
    "adversarial": {"ROUNDS": 1, "SECONDS": 0.01, "ITERATIONS": 100, "POSITIONS": [("3", 3)]},
    "ants": {"CLASSES": ((2, 3),), "PER_CLASS": 1, "SECONDS": 0.005, "SLICE": 200},
    "bundles": {"STARTS": 1, "N_TURNS": 4, "SEARCHING": ONE_BOT, "BOTS": BOTS[:1]},
    "code_of_kutulu": {"SEEDS": (1,), "ROUNDS": 1, "TURN_MS": 5, "ITERATIONS": 100},
    "networks": {"N_EVALUATIONS": 100, "ROUNDS": 1},
    "plain_python": {"BOTS": ONE_BOT},
    "referee": {"ROUNDS": 1, "TURNS": 20},
    "ultimate_tic_tac_toe": {"ITERATIONS": 500, "PLIES": (0,), "ROUNDS": 1, "TURN_MS": 5},
    "wayfinder": {"N_MAPS": 1, "N_QUERIES": 4},
    "xmas_rush": {"SEEDS": (1,), "ROUNDS": 1, "TURN_MS": 5},
}


def no_environment(*_):
    raise SiteError("the rivals' packages are of the package index")


@pytest.mark.exhaustive("compiles the kernels of all bots")
@pytest.mark.parametrize("measure", bench.MEASURES, ids=lambda measure: bench.names_of(measure)[1])
def test_a_benchmark_has_rows(monkeypatch, measure):
    module, _ = bench.names_of(measure)
    for name, value in SMALL.get(module, {}).items():
        monkeypatch.setattr(f"tests.lab.bench.{module}.{name}", value)
    monkeypatch.setattr(adversarial, "make_environment", no_environment)
    title, columns, rows = measure()
    assert title and rows and all(len(row) == len(columns) for row in rows)


def fails():
    raise TypeError("no such row")


def passes():
    return "Ants", ["bot", "speed"], [["greedy", "3"]]


def test_a_benchmark_that_fails_fails_the_command(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["bench"])
    monkeypatch.setattr(bench, "MEASURES", (fails, passes))
    assert bench.main() == 1
    told = capsys.readouterr()
    assert "greedy" in told.out and told.err.endswith(f"failed: {bench.names_of(fails)[1]}\n")
    monkeypatch.setattr(bench, "MEASURES", (passes,))
    assert bench.main() == 0
