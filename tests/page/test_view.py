"""The file that `write_page` writes, without a browser."""

import json
import re

import pytest

from referee.errors import UsageError
from referee.view import page_data, write_page
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


def test_the_page_of_500_turns_is_under_700_kb(written):
    assert len(written(race(n_turns=500)).encode()) < 700_000


def test_the_page_refers_to_nothing_outside_itself(written):
    page = written(race())
    assert "default-src 'none'" in page
    assert not re.search(r"https?:|@import|url\(|<link|\bsrc=[^x]", page)


def test_no_text_of_a_bot_can_end_the_island(written):
    island = ISLAND.search(written(race()))[1]
    assert "<" not in island
    assert any(MARKUP in text for text in json.loads(island)["texts"])


def test_a_line_that_occurs_often_is_stored_once():
    data = page_data(race(), CONTEST)
    assert data["texts"].count("8000 2000 BOOST") == 1


def test_every_answer_can_be_read_back():
    data = page_data(race(), CONTEST)
    answer = data["turns"][0][0]
    sent, output, stderr, nodes, values, wall_ms, cpu_ms, *_, fault, drawings, strange = answer
    assert [data["texts"][i] for i in sent] == ["3", "3", "2000 4500", "0 0 0 0 0 1"]
    assert [data["texts"][i] for i in output] == [f"0 10 200 {MARKUP}", "8000 2000 BOOST"]
    assert data["texts"][stderr] == f"{MARKUP} 0\nturn 0\n"
    assert (nodes, values, wall_ms, cpu_ms, fault) == (1234, {}, 40.062, 30, None)
    assert drawings == strange == []


def test_there_is_a_frame_of_the_start_and_of_each_turn():
    data = page_data(race(), CONTEST)
    assert len(data["frames"]) == N_TURNS + 1
    assert None not in data["frames"]


def test_a_turn_that_changes_nothing_has_no_frame_of_its_own():
    log = race()
    log.turns[-1].state = log.turns[-2].state
    assert page_data(log, CONTEST)["frames"].index(None) == N_TURNS


def test_a_player_that_was_not_asked_has_no_answer():
    log = race()
    del log.turns[3].players[1]
    assert page_data(log, CONTEST)["turns"][3][1] is None


def test_an_unknown_contest_is_a_usage_error(tmp_path):
    log = race()
    log.header.contest = "chess"
    with pytest.raises(UsageError, match="no contest 'chess'"):
        write_page(log, tmp_path / "page.html")
