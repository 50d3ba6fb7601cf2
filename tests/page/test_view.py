"""The file that `write_page` writes, without a browser."""

import json
import math
import re
from dataclasses import replace

import pytest

from referee.page.page import page_data, write_page
from referee.sources.contests import ContestError
from shared.core.drawing.shapes import Frame, Text
from shared.games.coders_strike_back.contest import CONTEST
from tests.page.logs import MARKUP, N_TURNS, race

MAX_PAGE_BYTES = 100_000
ISLAND = re.compile(r'<script type="application/json" id="log">(.*?)</script>', re.DOTALL)


@pytest.fixture
def written(tmp_path):
    """Writes the page of a log and returns its text."""

    def write(log):
        path = tmp_path / "page.html"
        write_page(log, path)
        return path.read_text(encoding="utf-8")

    return write


def test_the_page_without_its_data_is_under_100_kb(written):
    page = written(race())
    island = ISLAND.search(page)[1]
    assert len(page.encode()) - len(island.encode()) < MAX_PAGE_BYTES


def test_the_page_refers_to_nothing_outside_itself(written):
    page = written(race())
    assert "default-src 'none'" in page
    assert not re.search(r"https?:|@import|url\(|<link|\bsrc=[^x]", page)


def test_no_text_of_a_bot_can_end_the_island(written):
    island = ISLAND.search(written(race()))[1]
    assert "<" not in island
    assert any(MARKUP in text for text in json.loads(island)["texts"])


def test_a_turn_that_changes_nothing_has_no_frame_of_its_own():
    log = race()
    log.turns[-1].state = log.turns[-2].state
    assert page_data(log, CONTEST)["frames"].index(None) == N_TURNS


@pytest.mark.parametrize(
    "drawn",
    [
        Frame((0, 0, 9, 9), (Text("x", math.nan),)),
        Frame((0, 0, 9, "9"), ()),
        Frame((0, 0, 9, 9), (Text(b"x", 1),)),
        None,
    ],
)
def test_an_invalid_picture_is_reported(tmp_path, drawn):
    """The error names the contest and the line of the log."""
    contest = replace(CONTEST, render=lambda turn: drawn)
    with pytest.raises(ContestError, match="Coders Strike Back: drawing line 1 of the log: "):
        page_data(race(), contest)


@pytest.mark.slow("waits for a browser to give up")
def test_a_picture_without_end_is_cut_off(monkeypatch):
    """A log may contain the length of a loop: time and memory are bounded."""
    monkeypatch.setattr("referee.page.bounds.CPU_S", 0.2)
    log = race()
    log.turns[2].state["pods"][0][6] = 10**12
    with pytest.raises(
        ContestError, match=r"render.py:\d+, .*: BoundsExceeded: more than 0.2 s of CPU"
    ):
        page_data(log, CONTEST)
    monkeypatch.setattr("referee.page.bounds.CPU_S", 60.0)
    monkeypatch.setattr("referee.page.bounds.N_BYTES", 50_000_000)
    with pytest.raises(ContestError, match="more than 50 MB of memory"):
        page_data(log, CONTEST)
    assert page_data(race(), CONTEST)["board"]


def imported():
    """A game played elsewhere: input and answers of player 1."""
    log = race()
    log.header.conditions = replace(log.header.conditions, seed=None)
    log.header.setup, log.header.state, log.outcome = {}, {}, None
    for turn in log.turns:
        turn.state, turn.players = {}, {1: turn.players[1]}
    return log


def test_a_contest_may_derive_the_board_from_input():
    """The input of a turn shows the board before it; the end of the last turn is unknown."""

    def reconstruct(player, inputs):
        turns = [int(lines[-1].split()[0]) for lines in inputs]
        assert player == 1 and turns == list(range(N_TURNS))
        return [None if turn == 3 else ({"laps": 3}, {"places": [turn]}) for turn in turns]

    def render(turn):
        was = turn.before and turn.before["places"]
        return Frame((0, 0, 9, 9), (Text(f"{was} {turn.after['places']}", 1),))

    data = page_data(imported(), replace(CONTEST, render=render, reconstruct=reconstruct))
    assert data["board"]
    assert [frame is None for frame in data["frames"]] == [turn in (3, 8) for turn in range(9)]
    texts = [row[1] for row in data["rows"] if isinstance(row[1], str)]
    assert texts[:4] == ["None [0]", "[0] [1]", "[1] [2]", "[2] [4]"]


def test_a_state_that_cannot_be_drawn_is_named(tmp_path):
    """The error names the renderer's file and line, and the line of the log."""
    log = race()
    log.turns[2].state = {"pods": "none"}
    message = (
        r"coders_strike_back/render.py:\d+, in .*: TypeError: .* \(drawing line 4 of the log\)"
    )
    with pytest.raises(ContestError, match=message):
        write_page(log, tmp_path / "page.html")
