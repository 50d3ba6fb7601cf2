"""On another processor bundles play the same games, as plain Python."""

import json
import shlex
import sys

import pytest

from referee.log.file import read_log
from referee.sources.bots import find_bot
from tests.golden import record

# The golden game that plain Python plays fastest
CONTEST = "infexion"
# Starts a bundle where Python tells of another processor.
OTHER = "import platform, runpy, sys; platform.machine = lambda: 'aarch64'; del sys.argv[0];"
OTHER += " runpy.run_path(sys.argv[0], run_name='__main__')"


@pytest.fixture
def golden():
    return next(game for game in record.recorded_games() if game.contest == CONTEST)


@pytest.mark.exhaustive("the zoo of programs runs on another machine, too")
@pytest.mark.falls_back
def test_a_golden_game_on_another_processor(golden, tmp_path):
    log = tmp_path / "game.jsonl"
    sources = [golden.source(player) for player in range(len(golden.bots))]
    bundles = [find_bot(source).command[-1] for source in sources]
    record.play(golden, log, [shlex.join([sys.executable, "-c", OTHER, one]) for one in bundles])
    assert record.game_of(golden, log) == json.loads(golden.path.read_text())
    said = "".join(part.stderr for _, part in read_log(log).of_player(0))
    assert ": made for linux on x86_64, this is linux on aarch64" in said
