"""Bots are looked into in plain Python, which starts at once."""

import pytest

from tests.support.plain_logs import plain_log


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("CG_EXPLORE_JIT", "0")


@pytest.fixture(scope="session")
def logs(tmp_path_factory):
    """Logs by contest: `logs["infexion"]`, each played once."""
    folder = tmp_path_factory.mktemp("logs")

    class Logs(dict):
        def __missing__(self, contest):
            name = CONTESTS.get(contest, contest).split()[0]
            self[contest] = plain_log(folder / f"{contest}.jsonl", name, *GAMES[contest])
            return self[contest]

    return Logs()


CONTESTS = {"mutation": "coders_strike_back"}
# Contest, perhaps with another word -> bots, nodes, turns
GAMES = {
    "ultimate_tic_tac_toe": (["rollouts", "network"], 40, 8),
    "infexion": (["mcts", "minimax"], 400, 5),
    "coders_strike_back": (["smitsimax", "smitsimax"], 30, 2),
    "code_of_kutulu": (["smitsimax", "uct", "paranoid", "imitation"], 12, 2),
    "xmas_rush": (["matrix", "uct"], 30, 3),
    "ants": (["sampler", "greedy"], 300, 3),
    "samegame beam": (["beam"], 100, 1),
    "samegame chokudai": (["chokudai"], 40, 1),
    "samegame sp_mcts": (["sp_mcts"], 30, 2),
    "samegame nmcs": (["nmcs"], 30, 2),
    "samegame nrpa": (["nrpa"], 30, 1),
    "mutation": (["mutation", "racer"], 20, 1),
    "wayfinder": (["midpoints", "tangents"], 3, 2),
}
