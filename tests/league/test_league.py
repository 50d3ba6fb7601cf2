"""Leagues as processes: games kept through kills, bots that misbehave, versions that come."""

import json
import random
import subprocess
from collections import Counter

import pytest

from referee.arena.plan import seatings_of
from tests.arena.conftest import rows
from tests.league.conftest import CRASHING, HANGING, bot, write_bot
from tests.support.waiting import wait_for


def test_it_plays_all_pairs_and_stops(league, tmp_path):
    running = league("--no-page", "--games", "24")
    assert running.process.wait(120) == 0, running.process.stderr.read()
    seatings = Counter(tuple(sorted(json.loads(one))) for _, one in rows(tmp_path / "league.db"))
    assert len(seatings) == 3 and 24 <= sum(seatings.values()) <= 26
    assert "points of" in running.process.stdout.read()


def test_too_few_bots_are_told(league, folder):
    """It waits for more, and says so once."""
    for name in ("bot1", "bot2"):
        (folder / name).unlink()
    running = league("--no-page", "--games", "2")
    line = running.process.stderr.readline()
    while "waiting" not in line:
        assert line
        line = running.process.stderr.readline()
    assert line == (
        f"waiting: a game needs 2 bots, {folder} has 1 to play: put sources there, programs, or a"
        " bots.txt\n"
    )
    write_bot(folder, "bot1", bot(1))
    assert running.process.wait(120) == 0


@pytest.mark.slow("kills and starts leagues")
def test_killed_at_random_moments(league, tmp_path, processes_naming):
    """Nothing is lost or there twice, and it goes on; groups that were cut are completed."""
    db, rng, before = tmp_path / "league.db", random.Random(1), 0

    def has_more():
        return len(rows(db)) > before

    for _ in range(3):
        running = league("--no-page")
        wait_for(has_more, running.process)
        with pytest.raises(subprocess.TimeoutExpired):
            running.process.wait(rng.uniform(0.0, 1.0))
        running.process.kill()
        running.process.wait()
        found = rows(db)
        assert len(set(found)) == len(found) >= before
        before = len(found)
    running = league("--no-page", "--games", "6")
    assert running.process.wait(120) == 0
    found = rows(db)
    assert len(set(found)) == len(found)
    groups = Counter((seed, tuple(sorted(json.loads(one)))) for seed, one in found)
    cut = [group for group, n in groups.items() if n != len(seatings_of(group[1], group[0]))]
    assert cut == []
    wait_for(lambda: not processes_naming(str(tmp_path / "bots")))


@pytest.mark.exhaustive("plays a league more")
def test_bots_that_misbehave(league, folder, tmp_path):
    """One crashes always, one hangs, one cannot be started: the others play on."""
    write_bot(folder, "crash", CRASHING)
    write_bot(folder, "hang", HANGING)
    (folder / "bots.txt").write_text(f"nothing: {tmp_path / 'gone'} 3\n")
    write_bot(folder, "unstartable", "#!/no/such/program\n")
    running = league("--no-page", "--games", "20", "--limits", "300,1000")
    _, said = running.process.communicate(timeout=300)
    assert running.process.returncode == 0, said
    faults = Counter(
        name
        for (name,) in rows(
            tmp_path / "league.db",
            "SELECT name FROM seats JOIN bots ON bot = key WHERE fault IS NOT NULL",
        )
    )
    assert faults["crash"] and faults["hang"]
    assert not faults.keys() & {"bot1", "bot2", "bot3"}


@pytest.mark.slow("plays two leagues")
def test_a_new_version_meets_its_predecessor(league, folder, tmp_path):
    running = league("--no-page", "--watch")
    db = tmp_path / "league.db"
    wait_for(lambda: len(rows(db)) > 4, running.process)
    write_bot(folder, "bot2", bot(6))
    query = "SELECT bot FROM versions WHERE name = 'bot2' ORDER BY number"
    keys = wait_for(lambda: len(found := rows(db, query)) == 2 and found, running.process)
    pair = {keys[0][0], keys[1][0]}
    wait_for(lambda: any(set(json.loads(one)) == pair for _, one in rows(db)), running.process)
    assert running.end() == 130


def test_errors_of_the_command_line(league, folder, tmp_path):
    for words, said in (
        (("--sprt", "5,1"), "smaller"),
        (("--port", "0", "--host", "256.1.1.1"), "cannot listen"),
    ):
        running = league(*words)
        assert running.process.wait(60) == 2
        text = running.process.stderr.read()
        assert said in text or "needs Starlette" in text
