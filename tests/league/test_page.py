"""The page of a league in a browser: standings that move, games watched, texts that run nothing."""

import json

import pytest

from tests.league.conftest import CRASHING, bot, write_bot
from tests.page.browser import SCREENS
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow("plays a league for each test")

HOSTILE = "<img src=x onerror=alert(1)>"


def cells(tab, selector):
    """The texts of elements."""
    quoted = json.dumps(selector)
    return tab.evaluate(f"[...document.querySelectorAll({quoted})].map((one) => one.textContent)")


def fits(tab):
    return tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_everything_can_be_read_and_reached(served, open_tab, axe):
    running = served()
    running.wait(lambda state: state.get("games", 0) > 8)
    for screen in ("desktop", "dark"):
        tab = open_tab(running.url, **SCREENS[screen])
        wait_for(lambda tab=tab: cells(tab, "#games tbody tr"))
        tab.click("#standings .bot-name")
        wait_for(lambda tab=tab: any("level by turn" in one for one in cells(tab, "#charts h3")))
        tab.evaluate("document.querySelector('#filters').on.value = 'odd'")
        tab.evaluate("document.querySelector('#filters').dispatchEvent(new Event('change'))")
        wait_for(lambda tab=tab: cells(tab, "#leaders tbody tr"))
        assert axe(tab) == [] and tab.complaints() == []


def test_standings_move_while_games_end(served, folder, open_tab):
    for level, name in enumerate(("late", "short"), 4):
        write_bot(folder, name, bot(level))
    running = served()
    tab = open_tab(running.url)
    rows = "#standings tbody tr"
    wait_for(lambda: len(cells(tab, rows)) == 5)
    used = "[...document.querySelectorAll('#standings .name')].map((one) => one.className)"
    assert len(set(tab.evaluate(used))) == 5, "a colour each"
    first = cells(tab, "#facts")
    wait_for(lambda: cells(tab, "#facts") != first)
    wait_for(lambda: len(cells(tab, "#games tbody tr")) > 5)
    write_bot(folder, "bot1", bot(9))
    wait_for(lambda: any("bot1 v2" in one for one in cells(tab, rows)))
    assert fits(tab) and tab.complaints() == []


@pytest.mark.exhaustive("in other sizes and colours", keep=1)
@pytest.mark.parametrize("screen", SCREENS)
def test_hostile_names_and_texts_are_text(served, folder, open_tab, screen):
    write_bot(folder, HOSTILE, CRASHING)
    (folder / "bots.txt").write_text("<script>document.title='x'</script> one: sh /no/such/file\n")
    running = served("--limits", "off")
    running.wait(lambda state: state.get("errors", 0) > 1)
    running.order(what="note", bot=HOSTILE, value=HOSTILE)
    tab = open_tab(running.url, **SCREENS[screen])
    wait_for(lambda: any(HOSTILE in one for one in cells(tab, "#games tbody tr")))
    wait_for(lambda: any(one.count(HOSTILE) == 2 for one in cells(tab, "#standings td")))
    assert tab.evaluate("document.querySelectorAll('img').length") == 0
    label = json.dumps(HOSTILE)
    tab.evaluate(
        "[...document.querySelectorAll('.bot-name')]"
        f".find((one) => one.textContent === {label}).click()"
    )
    wait_for(lambda: cells(tab, "#versions tbody tr"))
    assert fits(tab) and tab.complaints() == []
