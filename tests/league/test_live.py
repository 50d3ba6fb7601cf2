"""Running matches that are followed: the growing log, the growing page, and `match --live`."""

import json
import os
import subprocess
import sys
import urllib.request
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from referee.log import live
from referee.log.file import read_log
from referee.log.live import WATCH, LiveLog
from referee.page.page import GrowingPage, page_data
from referee.project import PROJECT
from referee.sources.contests import find_contest
from tests.arena.conftest import TOY
from tests.league.conftest import bot, write_bot
from tests.page.logs import race
from tests.support.listeners import documented_hosts, hosts_of, listening


def joined(parts):
    """The data of a whole page from those of its parts, as a browser joins them."""
    whole = dict(parts[-1])
    for name in ("turns", "rows", "texts"):
        whole[name] = [one for part in parts for one in part[name]]
    return whole


def test_a_page_that_grows_is_the_whole_page():
    log = race()
    contest = find_contest(log.header.contest)
    page = GrowingPage(contest)
    cuts = [
        replace(log, turns=log.turns[:n_turns], outcome=None) for n_turns in range(len(log.turns))
    ]
    parts = [page.add(one) for one in [*cuts, log]]
    grown, whole = joined(parts), page_data(log, contest)
    assert grown.keys() == whole.keys()
    assert shown(grown) == shown(whole)


def shown(data):
    """The data of a page with rows and texts in place of their numbers."""

    def row(number):
        schema, *values = data["rows"][number]
        return [data["schemas"][schema], *values]

    def texts(answer):
        return None if answer is None else [[data["texts"][one] for one in answer[1]], answer[3:7]]

    frames = [None if number is None else deep(row, number) for number in data["frames"]]
    turns = [[texts(answer) for answer in turn] for turn in data["turns"]]
    return data["title"], data["outcome"], frames, turns


def deep(row, number):
    """A row with the rows of its shapes, events, facts and so on."""
    (_, *names), *values = row(number)
    return {
        name: expand(row, value) if name in ("shapes", "events", "facts", "charts") else value
        for name, value in zip(names, values)
    }


def expand(row, numbers):
    return [expand(row, one) for one in numbers] if isinstance(numbers, list) else row(numbers)


def test_a_log_is_written_from_the_moment_that_someone_watches(tmp_path, monkeypatch):

    monkeypatch.setattr(live, "LOOK_S", -1.0)
    log, place = race(), tmp_path / "1-0-1.jsonl"
    with LiveLog(place) as writer:
        writer.header(log.header)
        for number, turn in enumerate(log.turns):
            writer.turn(turn)
            if number == 3:
                place.with_suffix(WATCH).touch()
            writer.flush()
            assert place.exists() == (number >= 3)
        writer.outcome(log.outcome)
    assert read_log(place) == log and not place.with_suffix(WATCH).exists()


@pytest.mark.slow("waits for a match")
def test_a_match_is_shown_while_it_is_played(tmp_path):
    pytest.importorskip("starlette", reason="Starlette is not installed: the extra `league`")
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: the extra `league`")
    write_bot(tmp_path, "slow", bot(3, pause="sleep 0.5"))
    log = tmp_path / "match.jsonl"
    words = ["match", TOY, tmp_path / "slow", "--live", "--log", log, "--limits", "off", "--json"]
    running = subprocess.Popen(
        [sys.executable, "-m", "referee", *map(str, words)],
        cwd=PROJECT,
        env={**os.environ, "BROWSER": "true"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    url = running.stderr.readline().split("live: ")[1].strip()
    found = listening(running.pid)
    assert found == {("127.0.0.1", urlsplit(url).port)}
    assert hosts_of(found) == documented_hosts("onefile match --live")
    with urllib.request.urlopen(url, timeout=60) as page:
        assert "text/html" in page.headers["Content-Type"]
    events = []
    with urllib.request.urlopen(f"{url}events", timeout=60) as stream:
        for line in stream:
            if line.startswith(b"event: "):
                events.append(line.split()[1].decode())
    assert events[0] == "whole" and events[-1] == "end"
    assert running.wait(60) == 0
    assert json.loads(running.stdout.read())["turns"] == 5
    assert log.exists()
