"""The report: one page, whose cells lead to games, whose games lead to pages; text of bots is text."""

import re

import pytest

from referee.arena.charts import Scale, length_chart, ticks
from tests.page.browser import Tab


@pytest.fixture(scope="module")
def report(run, played):
    """The path of the report of a finished arena."""
    page = played.with_name("report.html")
    done = run("report", "--db", played, "-o", page)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return page


def test_links_lead_somewhere(report):
    """Every cell leads to a list of games in the page, and games with a log to
    pages that are there.
    """
    text = report.read_text()
    targets = re.findall(r'href="([^"]*)"', text)
    lists = {target[1:] for target in targets if target.startswith("#")}
    pages = [target for target in targets if not target.startswith("#")]
    assert len(lists) == 3 and all(f'id="{name}"' in text for name in lists)
    assert pages and all((report.parent / page).is_file() for page in pages)


def test_stays_small_and_alone(report):
    """The page is small, loads nothing, and shows the text of bots as text."""
    text = report.read_text()
    assert len(text) < 60_000
    assert (
        "src=" not in text and "url(" not in text and "http:" not in text and "https:" not in text
    )
    assert "<script" not in text and "&lt;script&gt;" in text


def test_in_a_browser(report, browser):
    """It opens without a complaint, fits a phone, and a cell shows the games of its two bots."""
    tab = Tab(browser, report.as_uri(), width=390, height=800)
    visible = "[...document.querySelectorAll('.games')].filter(e => e.offsetParent).length"
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    assert tab.evaluate("document.querySelectorAll('svg').length") == 1 + 1 + 3
    assert tab.evaluate(visible) == 0
    tab.click(".cross a")
    assert tab.evaluate(visible) == 1
    assert tab.complaints() == []
    tab.close()


def test_ticks_are_round():
    """About six round numbers within the bounds, also where the bounds are one."""
    assert ticks(-190, 230) == [-100, 0, 100, 200]
    assert ticks(5, 5) == [5]
    assert ticks(0, 4) == [0, 1, 2, 3, 4]
    assert Scale(5, 5, 10, 20).at(5) == 10


def test_lengths_are_grouped():
    """Games of very different lengths make no more than forty bars, which hold every game."""
    chart = length_chart({1: 2, 500: 3, 600: 1})
    assert 3 <= chart.count("<rect") <= 40
    assert sum(int(count) for count in re.findall(r": (\d+) games", chart)) == 6
