"""The page in a real browser: it opens, steps, plays and scrubs, and output of bots is shown as
text.
"""

from dataclasses import replace

import pytest

from referee.log.limits import Clock
from tests.page.browser import SCREENS
from tests.page.logs import (
    CHECKPOINT_TURN,
    COLLISION_TURN,
    LAST,
    LATE_TURN,
    MARKUP,
    N_TURNS,
    crowd,
    race,
)
from tests.page.test_view import imported

WAIT_FOR_END = """new Promise((done) => {
    const check = () =>
        document.body.classList.contains("playing") ? requestAnimationFrame(check) : done();
    check();
})"""


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
def test_every_turn_shows_without_a_complaint_and_fits_the_screen(open_page, screen):
    tab = open_page(race(), **screen)
    for _ in range(N_TURNS):
        tab.press("ArrowRight")
    assert tab.text("#turn") == f"Turn {LAST} / {LAST}"
    assert tab.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    assert tab.complaints() == []


@pytest.mark.parametrize("screen", ["desktop", "dark"])
def test_everything_can_be_read_and_reached(open_page, axe, screen):
    assert axe(open_page(race(), f"#turn={LATE_TURN}", **SCREENS[screen])) == []


def test_the_board_of_the_last_turn_names_the_winner(open_page):
    tab = open_page(race(), "#turn=3")
    assert tab.evaluate("document.querySelector('#verdict').hidden")
    tab.press("End")
    assert not tab.evaluate("document.querySelector('#verdict').hidden")
    assert tab.text("#verdict") == "left wins"


@pytest.mark.parametrize(
    ("n_turns", "where"), [(3, "after turn 2"), (0, "before the first turn")], ids=["cut", "empty"]
)
def test_an_unfinished_log_says_so(open_page, n_turns, where):
    tab = open_page(race(n_turns=n_turns, outcome=False))
    assert tab.text("#outcome").startswith(f"Unfinished: the log ends {where}")
    assert tab.complaints() == []


@pytest.mark.parametrize(
    ("key", "turn"),
    [("ArrowRight", 5), (",", 3), ("End", LAST), ("n", 5), ("p", 3)],
)
def test_keys_step(open_page, key, turn):
    tab = open_page(race(), "#turn=4")
    tab.press(key)
    assert tab.text("#turn") == f"Turn {turn} / {LAST}"


def test_the_scrubber_goes_to_its_turn(open_page):
    tab = open_page(race())
    tab.evaluate("scrubber.value = 3; scrubber.dispatchEvent(new Event('input'))")
    assert tab.text("#turn") == f"Turn 2 / {LAST}"


def test_space_plays_to_the_end(open_page):
    tab = open_page(race())
    tab.evaluate("document.getElementById('speed').value = '32'")
    tab.press(" ")
    tab.evaluate(WAIT_FOR_END)
    assert tab.text("#turn") == f"Turn {LAST} / {LAST}"
    assert tab.complaints() == []


@pytest.mark.parametrize(
    ("turn", "event"),
    [
        (COLLISION_TURN, "player 0 pod 0 and player 1 pod 0 collide"),
        (CHECKPOINT_TURN, "player 0 pod 0 passes checkpoint 1"),
    ],
)
def test_a_turn_announces_its_events(open_page, turn, event):
    tab = open_page(race(), f"#turn={turn}")
    assert tab.evaluate("board.getAttribute('aria-label')") == f"Turn {turn}: {event}"


def test_a_panel_shows_progress_times_and_input(open_page):
    tab = open_page(race(), f"#turn={CHECKPOINT_TURN}")
    parts = "[...document.querySelector('.fact').children].map((part) => part.textContent)"
    assert tab.evaluate(parts) == ["Pod 0", "lap 1/3 · next 2 · shield 1", "1/9", ""]
    assert tab.text("article .time") == "40.1 of 75 ms · CPU 30.0 ms · 1,234 nodes"
    assert tab.text(".input") == f"{CHECKPOINT_TURN} 0 0 0 0 1"


@pytest.mark.parametrize(
    ("profile", "says"),
    [
        ("soft3", "limits 1000 ms, then 75 ms, up to 50 ms later 2 times"),
        ("bank", "60.0 s of CPU time for the game"),
        ("off", "no time limits"),
    ],
)
def test_the_header_names_the_limits(open_page, profile, says):
    assert tab_facts(open_page(race(profile=profile)))[2] == says


def tab_facts(tab):
    return tab.text("#facts").split(" · ")


def test_a_turn_that_the_machine_spoiled_says_so(open_page):
    log = race()
    late = log.turns[LATE_TURN].players[1]
    late.late, late.queue_ms = "machine", 21.5
    log.outcome.spoiled = True
    tab = open_page(log, f"#turn={LATE_TURN}")
    said = "late by the machine · 80.3 of 75 ms · CPU 30.0 ms · its threads waited"
    said += " 21.5 ms in all for a CPU"
    assert tab.text("article:last-child .time") == said
    assert tab.text("#outcome").startswith("No result, the machine was too busy: ")


def test_each_answer_has_the_limit_that_the_log_tells(open_page):
    """An official referee sets it by turn; header, panel and late marks follow the same numbers."""
    log = race()
    for turn, limit_ms in enumerate([500, 120, 120, 60, 120, 120, 120, 120]):
        for part in log.turns[turn].players.values():
            part.limit_ms = limit_ms
    tab = open_page(log, "#turn=3")
    assert tab.text("article .time").startswith("40.1 of 60 ms")
    tab.press("ArrowRight")
    assert tab.text("article .time").startswith("40.1 of 120 ms")
    assert "limits 500 ms, then 60 to 120 ms" in tab.text("#facts")


@pytest.mark.parametrize("n_players", [2, 8])
def test_a_desktop_s_page_fits_the_window(open_page, n_players):
    """Lanes and panels scroll in places of their own, and the board is still to be seen."""
    tab = open_page(crowd(n_players), **SCREENS["desktop"])
    page = "document.documentElement"
    assert tab.evaluate(f"[{page}.scrollWidth, {page}.scrollHeight]") == [1400, 900]
    assert tab.evaluate("board.getBoundingClientRect().height") > 50
    bottom = tab.evaluate("document.querySelector('#tools').getBoundingClientRect().bottom")
    assert bottom <= 900


def test_warnings_are_shown_in_their_turn_and_marked(open_page):
    log = race()
    log.turns[6].players[0].warnings = [MARKUP, "wrote more than its answer"]
    tab = open_page(log, f"#turn={CHECKPOINT_TURN}")
    assert tab.evaluate("document.querySelector('.warnings').hidden")
    tab.press("n")
    assert tab.text(".warnings") == f"{MARKUP}\nwrote more than its answer"


def test_a_fault_is_shown_in_its_turn_only(open_page):
    log = race()
    log.turns[-1].players[1].fault = f"player 1, turn 7: {MARKUP}"
    log.turns[-1].state = log.turns[-2].state
    tab = open_page(log, "#turn=7")
    assert tab.text("article:last-child .fault") == f"player 1, turn 7: {MARKUP}"
    assert tab.evaluate("document.querySelector('article .fault').hidden")
    tab.press("ArrowLeft")
    assert tab.evaluate("document.querySelector('article:last-child .fault').hidden")


def test_markup_of_bots_is_shown_as_characters(open_page):
    log = race()
    log.turns[5].players[0].stderr = 200 * "x"
    tab = open_page(log, "#turn=3")
    lines = "document.querySelector('.stderr').style.getPropertyValue('--lines')"
    assert tab.evaluate(lines) == "5", "long lines are wrapped"
    assert tab.text(".output").startswith(f"3 10 200 {MARKUP}")
    assert tab.text(".stderr").startswith(MARKUP)
    assert tab.evaluate("document.title") == "left – right & <b>right</b> · Coders Strike Back"
    assert tab.evaluate("document.querySelectorAll('main img, main script, #bots b').length") == 0


def test_a_game_played_elsewhere_shows_its_texts(open_page):
    tab = open_page(imported(), "#turn=2", **SCREENS["phone"])
    assert tab.evaluate("board.hidden")
    assert "played elsewhere" in tab.text("#facts")
    assert tab.text("article:last-child .input") == "2 1 0 0 0 1"
    tab.press("ArrowRight")
    assert tab.text("#turn") == f"Turn 3 / {LAST}"
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert tab.complaints() == []


def test_limits_by_player_are_told_in_the_panels(open_page):
    log = race()
    conditions = log.header.conditions
    short = replace(conditions.limits[1], turn_ms=50)
    log.header.conditions = replace(
        conditions, limits=(conditions.limits[0], short), think_ms=(None, 40)
    )
    tab = open_page(log, "#turn=1")
    assert "limits by player" in tab.text("#facts")
    small = "article:last-child header small"
    assert tab.text(small) == "player 1 · limits 1000 ms, then 50 ms · told to think 40 ms"
    assert tab.text("article:last-child .time").startswith("40.1 of 50 ms")


def test_the_cpu_clock_is_told(open_page):
    log = race()
    log.header.conditions = replace(log.header.conditions, clock=Clock.CPU)
    tab = open_page(log, "#turn=1")
    assert tab_facts(tab)[2] == "limits 1000 ms, then 75 ms of CPU time"
    assert tab.text("article .time") == "40.1 ms · CPU 30.0 of 75 ms · 1,234 nodes"
