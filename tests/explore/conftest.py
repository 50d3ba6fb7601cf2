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
            self[contest] = plain_log(folder / f"{contest}.jsonl", contest, *GAMES[contest])
            return self[contest]

    return Logs()


# Contest -> bots, nodes, turns
GAMES = {
    "ultimate_tic_tac_toe": (["rollouts", "network"], 40, 8),
    "infexion": (["mcts", "minimax"], 400, 5),
    "coders_strike_back": (["smitsimax", "smitsimax"], 30, 2),
    "code_of_kutulu": (["smitsimax", "uct", "smitsimax", "smitsimax"], 12, 2),
}
