"""Every bot plays to the end, over pipes and in one process alike."""

import json
import subprocess
import sys

import pytest

from referee.log.file import read_log
from referee.sources.contests import contest_names, find_contest
from tests.conftest import BOTS, COMPILED_BOTS, PROJECT
from tests.golden.record import faults

# A contest whose bots compile fast. The golden games play those of the others.
FAST = "coders_strike_back"
further = pytest.mark.exhaustive("compiles bundles for a whole game, as golden games do")


def tables():
    """Yields (contest, bots): a bot of each contest against itself, and pairs in which every bot
    has each seat once. In games of four players a pair sits down twice.
    """
    for contest in contest_names():
        bots = [bot for bot in BOTS if bot.parent.name == contest]
        marks = [] if contest == FAST else [further]
        meetings = [(bot, bot) for bot in bots if bot in COMPILED_BOTS]
        meetings += zip(bots, bots[1:] + bots[:1])
        seats = find_contest(contest).players[0]
        for bot, rival in meetings:
            players = [one.relative_to(PROJECT) for one in (bot, rival)] * (seats // 2)
            players = players or [bot.relative_to(PROJECT)]
            name = f"{contest}-{bot.stem}-{rival.stem}"
            yield pytest.param(contest, players, id=name, marks=marks)


@pytest.fixture(scope="module")
def play_in_process():
    """play_in_process(contest, bots, nodes, seed) plays a match in one process."""
    command = [sys.executable, "-m", "tests.golden.in_process"]
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def play(*match):
            process.stdin.write(json.dumps(match) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield play
        process.stdin.close()


@pytest.mark.slow("plays whole games")
@pytest.mark.parametrize(("contest", "bots"), list(tables()))
def test_every_bot_plays_from_either_seat_to_the_end(contest, bots, tmp_path, play_in_process):
    """Over pipes, and the same game within one process."""
    log = tmp_path / "game.jsonl"
    command = ["match", contest, *bots, "--nodes", "30", "--limits", "off", "--log", log]
    result = subprocess.run(
        [sys.executable, "-m", "referee", *command, "--seed", "2"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert faults(log) == []
    played = read_log(log)
    expected = [
        [rank, score, None] for rank, score in zip(played.outcome.ranks, played.outcome.scores)
    ]
    answers = [[part.output for _, part in played.of_player(player)] for player in range(len(bots))]
    in_process = play_in_process(contest, list(map(str, bots)), 30, 2)
    assert in_process == [len(played.turns), expected, answers]
