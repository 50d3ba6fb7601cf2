"""Every bot plays to the end, over pipes and within one process alike."""

import json
import subprocess
import sys

import pytest

from referee.log.file import read_log
from referee.sources.contests import contest_names, find_contest
from tests.conftest import BOTS, GOLDEN_BOTS, PROJECT, slow_bundle
from tests.golden.record import faults


def pairs():
    """(contest, bots) so that every bot sits in either seat once, two of each at a table for four;
    slow unless both play the golden game.
    """
    for contest in contest_names():
        found = sorted(BOTS, key=lambda bot: bot not in GOLDEN_BOTS)
        bots = [bot.relative_to(PROJECT) for bot in found if bot.parent.name == contest]
        seats = find_contest(contest).players[0]
        for bot, rival in zip(bots, bots[1:] + bots[:1]):
            players = [bot, rival] * (seats // 2)
            marks = [] if {PROJECT / bot, PROJECT / rival} <= {*GOLDEN_BOTS} else [slow_bundle]
            name = f"{contest}-{bot.stem}-{rival.stem}"
            yield pytest.param(contest, players, id=name, marks=marks)


@pytest.fixture(scope="module")
def play_in_process():
    """play_in_process(contest, bots, nodes, seed): a match in a process that plays all of them."""
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


@pytest.mark.parametrize(("contest", "bots"), list(pairs()))
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
