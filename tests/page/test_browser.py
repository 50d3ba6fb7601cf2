"""The page in a real browser: it opens, steps, plays and scrubs, and output of bots is shown as
text.
"""

from dataclasses import replace

import pytest

from referee.log.limits import Clock
from referee.log.records import LoggedTurn
from referee.page.summary import summarise
from shared.games.coders_strike_back import render as csb_render
from tests.page.browser import SCREENS, SHIFT
from tests.page.logs import (
    BOOST_TURN,
    CHECKPOINT_TURN,
    COLLISION_TURN,
    LAST,
    LATE_TURN,
    MARKUP,
    N_TURNS,
    SHIELD_TURN,
    bot_named,
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


def test_long_texts_do_not_widen_the_page(open_page):
    log = race()
    log.header.bots[0] = bot_named("x" * 300)
    log.outcome.reason = log.turns[0].players[0].stderr = "y" * 3000
    tab = open_page(log, "#turn=0", **SCREENS["phone"])
    assert tab.evaluate("document.documentElement.scrollWidth") <= SCREENS["phone"]["width"]


def test_the_board_is_as_fine_as_the_screen_and_not_blank(open_page):
    tab = open_page(race(), **SCREENS["phone"])
    assert tab.evaluate("board.width === Math.round(board.getBoundingClientRect().width * 3)")
    n_colours = tab.evaluate(
        "new Set(new Uint32Array(board.getContext('2d')"
        ".getImageData(0, 0, board.width, board.height).data.buffer)).size"
    )
    assert n_colours > 20


def test_the_header_names_the_match_and_its_outcome(open_page):
    tab = open_page(race())
    assert tab.text("h1") == "Coders Strike Back"
    assert "Seed 7" in tab.text("#facts")
    assert "right & <b>right</b>" in tab.text("#bots")
    assert tab.text("#outcome") == "left wins: player 0 was faster"


def test_equal_ranks_are_a_draw(open_page):
    log = race()
    log.outcome.ranks = [0, 0]
    assert open_page(log).text("#outcome").startswith("Draw:")


def test_a_shared_first_place_names_its_players(open_page):
    log = crowd(n_players=3)
    log.outcome.ranks = [0, 2, 0]
    says = "bot number 0 and bot number 2 are first:"
    assert open_page(log).text("#outcome").startswith(says)


@pytest.mark.parametrize(
    ("n_turns", "where"), [(3, "after turn 2"), (0, "before the first turn")], ids=["cut", "empty"]
)
def test_an_unfinished_log_says_so(open_page, n_turns, where):
    tab = open_page(race(n_turns=n_turns, outcome=False))
    assert tab.text("#outcome").startswith(f"Unfinished: the log ends {where}")
    assert tab.complaints() == []


def test_the_address_opens_the_turn_of_the_log(open_page):
    tab = open_page(race(), "#turn=5")
    assert tab.text("#turn") == f"Turn 5 / {LAST}"
    assert "turn 5" in tab.text(".stderr")


def test_the_address_follows_the_turn(open_page):
    tab = open_page(race(), "#turn=5")
    tab.press("ArrowRight")
    tab.evaluate("new Promise((done) => setTimeout(done, 400))")
    assert tab.evaluate("location.hash") == "#turn=6"


@pytest.mark.parametrize(
    ("key", "turn"),
    [("ArrowRight", 5), (".", 5), ("ArrowLeft", 3), (",", 3), ("End", LAST), ("n", 5), ("p", 3)],
)
def test_keys_step(open_page, key, turn):
    tab = open_page(race(), "#turn=4")
    tab.press(key)
    assert tab.text("#turn") == f"Turn {turn} / {LAST}"


def test_shift_makes_it_ten_turns(open_page):
    tab = open_page(race(n_turns=40), "#turn=14")
    tab.press("ArrowRight", SHIFT)
    assert tab.text("#turn") == "Turn 24 / 39"
    tab.press("ArrowLeft", SHIFT)
    assert tab.text("#turn") == "Turn 14 / 39"


def test_seeking_finds_events_and_late_turns_and_stays_after_the_last(open_page):
    tab = open_page(race(), f"#turn={CHECKPOINT_TURN}")
    tab.press("n")
    assert tab.text("#turn") == f"Turn {LATE_TURN} / {LAST}"
    tab.press("n")
    assert tab.text("#turn") == f"Turn {LATE_TURN} / {LAST}"


def test_home_goes_to_the_start(open_page):
    tab = open_page(race(), "#turn=4")
    tab.press("Home")
    assert tab.text("#turn") == "Start"
    assert tab.text(".output") == ""


@pytest.mark.parametrize(
    ("button", "turn"),
    [("#forward", 5), ("#back", 3), ("#last", LAST)],
    ids=lambda value: str(value),
)
def test_buttons_step(open_page, button, turn):
    tab = open_page(race(), "#turn=4")
    tab.click(button)
    assert tab.text("#turn") == f"Turn {turn} / {LAST}"


def test_the_scrubber_goes_to_its_turn(open_page):
    tab = open_page(race())
    tab.evaluate("scrubber.value = 3; scrubber.dispatchEvent(new Event('input'))")
    assert tab.text("#turn") == f"Turn 2 / {LAST}"


def test_arrows_step_once_with_the_scrubber_in_focus(open_page):
    tab = open_page(race(), "#turn=4")
    tab.evaluate("scrubber.focus()")
    tab.press("ArrowRight")
    assert tab.text("#turn") == f"Turn 5 / {LAST}"


def test_space_plays_to_the_end(open_page):
    tab = open_page(race())
    tab.evaluate("document.getElementById('speed').value = '32'")
    tab.press(" ")
    tab.evaluate(WAIT_FOR_END)
    assert tab.text("#turn") == f"Turn {LAST} / {LAST}"
    assert tab.complaints() == []


def test_space_pauses_on_a_whole_turn(open_page):
    tab = open_page(race())
    tab.press(" ")
    tab.press(" ")
    assert not tab.evaluate("document.body.classList.contains('playing')")
    progress = tab.evaluate("Number(document.body.style.getPropertyValue('--progress'))")
    assert progress * N_TURNS == round(progress * N_TURNS)


@pytest.mark.parametrize(
    ("turn", "event"),
    [
        (BOOST_TURN, "player 0 pod 0 boosts"),
        (SHIELD_TURN, "player 0 pod 0 raises its shield"),
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


def test_the_first_answer_has_the_first_limit_and_the_first_input(open_page):
    tab = open_page(race(), "#turn=0")
    assert tab.text("article .time").startswith("40.1 of 1000 ms")
    assert tab.text(".input").splitlines() == ["3", "3", "2000 4500", "0 0 0 0 0 1"]


def test_late_answers_say_so_and_are_counted_as_failed(open_page):
    tab = open_page(race(), "#turn=6")
    assert tab.text("article:last-child .time").startswith("late · 80.3 of 75 ms")
    assert tab.text("article:last-child .timing-summary").endswith("1 failed")
    assert tab.text("article:first-child .timing-summary").endswith("0 failed")


@pytest.mark.parametrize(
    ("profile", "says"),
    [
        ("official", "limits 1000 ms, then 75 ms"),
        ("soft3", "limits 1000 ms, then 75 ms, up to 50 ms later 2 times"),
        ("bank", "60.0 s of CPU time for the game"),
        ("off", "no time limits"),
    ],
)
def test_the_header_names_the_limits(open_page, profile, says):
    assert tab_facts(open_page(race(profile=profile)))[2] == says


def tab_facts(tab):
    return tab.text("#facts").split(" · ")


def test_a_bank_of_time_is_counted_down(open_page):
    tab = open_page(race(profile="bank"), "#turn=6")
    assert tab.text("article .time") == "40.1 ms · CPU 30.0 ms · 59.8 s left · 1,234 nodes"


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
    for turn in (0, 3, 4):
        told = summarise(log)["players"][0]["worst_turns"]
        limit = log.header.limit_ms(0, turn == 0, log.turns[turn].players[0].limit_ms)
        share = next((one["share"] for one in told if one["turn"] == turn), None)
        assert share in (None, round(40.0625 / limit, 3))


def test_the_page_shows_the_node_budget_of_the_bots(open_page):
    log = race()
    log.header.conditions = replace(log.header.conditions, nodes=(200, 200))
    assert "told to search 200 nodes a turn" in open_page(log).text("#facts")


@pytest.mark.parametrize("turns", [(), (2,), range(N_TURNS)], ids=["never", "once", "always"])
def test_a_box_for_stderr_takes_no_room_where_nothing_is_written(open_page, turns):
    """A bot that writes often keeps its place in turns without a word, so that nothing jumps."""
    log = race()
    for turn in log.turns:
        if turn.turn not in turns:
            turn.players[0].stderr = ""
    log.turns[4].players[0].stderr = ""
    tab = open_page(log, "#turn=2")
    height = "document.querySelector('.stderr').offsetHeight"
    assert (tab.evaluate(height) > 0) == (2 in turns)
    tab.press("ArrowRight")
    tab.press("ArrowRight")
    assert (tab.evaluate(height) > 0) == (len(turns) == N_TURNS)


@pytest.mark.parametrize("n_players", [2, 4, 8])
def test_a_desktop_s_page_fits_the_window(open_page, n_players):
    """Lanes and panels scroll in places of their own, and the board is still to be seen."""
    tab = open_page(crowd(n_players), **SCREENS["desktop"])
    page = "document.documentElement"
    assert tab.evaluate(f"[{page}.scrollWidth, {page}.scrollHeight]") == [1400, 900]
    assert tab.evaluate("board.getBoundingClientRect().height") > 50
    bottom = tab.evaluate("document.querySelector('#tools').getBoundingClientRect().bottom")
    assert bottom <= 900


def test_the_legend_paints_each_sign_beside_its_meaning(open_page):
    tab = open_page(race())
    texts = tab.evaluate(
        "[...document.querySelectorAll('#legend li')].map((one) => one.textContent)"
    )
    assert texts == [sign.text for sign in csb_render.LEGEND]
    n_colours = (
        "(canvas => new Set(new Uint32Array(canvas.getContext('2d').getImageData("
        "0, 0, canvas.width, canvas.height).data.buffer)).size)"
    )
    canvases = "[...document.querySelectorAll('#legend canvas')]"
    assert all(count > 2 for count in tab.evaluate(f"{canvases}.map({n_colours})"))


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


def test_a_turn_in_which_nothing_moved_has_no_events(open_page):
    log = race(n_turns=COLLISION_TURN + 1)
    last = log.turns[-1]
    log.turns.append(LoggedTurn(COLLISION_TURN + 1, last.players, last.state))
    tab = open_page(log, f"#turn={COLLISION_TURN + 1}")
    assert tab.evaluate("board.getAttribute('aria-label')") == f"Turn {COLLISION_TURN + 1}"


def test_a_player_that_was_not_asked_has_an_empty_panel(open_page):
    log = race()
    del log.turns[3].players[1]
    tab = open_page(log, "#turn=3")
    assert tab.text("article:last-child .output") == ""
    assert tab.complaints() == []


def test_markup_of_bots_is_shown_as_characters(open_page):
    tab = open_page(race(), "#turn=3")
    assert tab.text(".output").startswith(f"3 10 200 {MARKUP}")
    assert tab.text(".stderr").startswith(MARKUP)
    assert tab.evaluate("document.title") == "left – right & <b>right</b> · Coders Strike Back"
    assert tab.evaluate("document.querySelectorAll('main img, main script, #bots b').length") == 0


def test_bots_of_one_name_are_told_apart_on_the_page(open_page):
    log = race()
    log.header.bots = [bot_named("same")] * 2
    assert open_page(log).text("#bots") == "same #1same #2"


def test_the_list_of_keys_names_them_all(open_page):
    tab = open_page(race())
    keys = tab.evaluate("[...document.querySelectorAll('kbd')].map((one) => one.textContent)")
    assert {"space", "p", "n", "d", "/", "+", "-", "0"} <= set(keys)


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
