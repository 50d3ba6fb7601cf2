"""The board of the page and the lanes under it in a real browser: drawings, charts, zoom."""

from msgspec.structs import replace

from tests.page.browser import SHIFT
from tests.page.logs import (
    LAST,
    crowd,
    race,
)


def test_a_pod_tells_where_it_is_when_pointed_at(open_page):
    tab = open_page(race(), "#turn=1")
    x, y = place_on_board(tab, 3800, 1500)
    tab.point_at(x, y)
    assert tab.text("#tip") == "player 0 pod 0 at 3800 1500, velocity 850 0"
    tab.point_at(*place_on_board(tab, 15000, 8500))
    assert tab.evaluate("tip.hidden")


def place_on_board(tab, x, y):
    """A place on the map of Coders Strike Back in CSS pixels of the screen."""
    left, top, width = tab.evaluate(
        "[board.getBoundingClientRect()].map((box) => [box.left, box.top, box.width])[0]"
    )
    scale = width / 17400
    return left + (x + 700) * scale, top + (y + 700) * scale


def with_drawings():
    log = race()
    log.turns[2].players[0].stderr = "#circle 8000 8000 500 #00ff00\n#line 1 2\nhello\n"
    return log


def is_green(tab):
    """Returns True if the topmost point of the circle drawn by `with_drawings` has its colour."""
    return tab.evaluate(
        "(([r, g, b]) => g > 200 && r < 100 && b < 100)(board.getContext('2d').getImageData("
        "board.width * 8700 / 17400, board.width * 8200 / 17400, 1, 1).data)"
    )


def test_drawings_of_a_bot_show_in_their_turn_and_can_be_hidden(open_page):
    tab = open_page(with_drawings(), "#turn=2")
    assert is_green(tab)
    tab.press("d")
    assert not is_green(tab)
    tab.click("#drawings")
    assert is_green(tab)
    tab.press("ArrowRight")
    assert not is_green(tab)


def saying():
    """A race in which both bots report named numbers."""
    log = race()
    for turn in log.turns:
        for player, part in turn.players.items():
            part.values = {"eval": turn.turn * (1.5 - 2 * player), "depth": 7.0}
    return log


def lane_names(tab):
    return tab.evaluate(
        "[...document.querySelectorAll('.lane-name')].map((one) => one.firstChild.textContent)"
    )


def point_at_lane(tab, selector, share):
    """Move the pointer to this share of a lane's width."""
    left, top, width, height = tab.evaluate(
        f"[document.querySelector({selector!r}).getBoundingClientRect()]"
        ".map((box) => [box.left, box.top, box.width, box.height])[0]"
    )
    tab.point_at(left + share * width, top + height / 2)


def test_reported_values_are_charted_under_the_board(open_page):
    tab = open_page(saying(), "#turn=3")
    assert lane_names(tab)[:3] == ["nodes", "eval", "depth"]
    assert tab.text("article .values") == "eval 4.5 · depth 7"
    scales = "[...document.querySelectorAll('.lane-name small')].map((one) => one.textContent)"
    assert tab.evaluate(scales)[0] == "0 to 1,234"
    point_at_lane(tab, ".chart:nth-of-type(n+5) canvas", 0.5)
    colours = (
        "(canvas => new Set(new Uint32Array(canvas.getContext('2d').getImageData("
        "0, 0, canvas.width, canvas.height).data.buffer)).size)"
    )
    canvases = "[...document.querySelectorAll('.chart canvas')]"
    assert all(count > 2 for count in tab.evaluate(f"{canvases}.map({colours})"))
    assert tab.complaints() == []


def test_pointing_at_a_lane_tells_its_values(open_page):
    """The page's own tip appears at once, and disappears when the mouse leaves."""
    tab = open_page(saying())
    tab.evaluate("document.querySelectorAll('.chart')[1].classList.add('second')")
    point_at_lane(tab, ".second canvas", 0.5)
    assert tab.text("#tip") == "Turn 3, eval: left 4.5 · right & <b>right</b> -1.5"
    point_at_lane(tab, ".time canvas", 1.0)
    assert tab.text("#tip").startswith("Turn 7: 40.1 of 75 ms")
    tab.point_at(5, 5)
    assert tab.evaluate("tip.hidden")


def test_stderr_of_all_turns_is_searched(open_page):
    """Enter moves to the next hit, in a cycle, and hits are highlighted."""
    log = race()
    for turn in (2, 5):
        log.turns[turn].players[1].stderr = "<b>Odd</b> thing\n"
    tab = open_page(log)
    tab.press("/")
    for key in "odd":
        tab.press(key)
    assert tab.text("#hits") == "2 turns"
    seen = []
    for modifiers in (0, 0, 0, SHIFT):
        tab.press("Enter", modifiers)
        seen.append((tab.text("#turn"), tab.text("#hits")))
    first, second = (f"Turn 2 / {LAST}", "1 of 2 turns"), (f"Turn 5 / {LAST}", "2 of 2 turns")
    assert seen == [first, second, first, second]
    assert (
        tab.text("mark") == "Odd" and tab.evaluate("document.querySelectorAll('pre b').length") == 0
    )
    tab.press("Escape")
    tab.press("ArrowLeft")
    assert tab.text("#turn") == f"Turn 4 / {LAST}"
    assert tab.complaints() == []


def test_the_board_is_zoomed_and_moved(open_page):
    """Zooming with the wheel keeps the point under the mouse; a double click shows the whole
    board.
    """
    tab = open_page(race(), "#turn=1")
    x, y = place_on_board(tab, 3800, 1500)
    for _ in range(4):
        tab.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-100)
    tab.evaluate("new Promise(requestAnimationFrame)")
    assert tab.evaluate("Number(board.dataset.zoom)") > 2
    tab.point_at(x, y)
    assert tab.text("#tip").startswith("player 0 pod 0 at 3800 1500")
    drag = {"button": "left", "buttons": 1}
    tab.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, clickCount=1, **drag)
    tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + 50, y=y + 20, **drag)
    tab.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + 50, y=y + 20, **drag)
    tab.point_at(x + 51, y + 21)
    assert tab.text("#tip").startswith("player 0 pod 0 at 3800 1500")
    tab.press("-")
    assert tab.evaluate("Number(board.dataset.zoom)") > 1
    tab.evaluate("board.dispatchEvent(new MouseEvent('dblclick'))")
    assert tab.evaluate("Number(board.dataset.zoom)") == 1
    tab.point_at(x, y)
    assert tab.text("#tip").startswith("player 0 pod 0 at 3800 1500")
    assert tab.complaints() == []


def test_players_that_are_out_are_told_with_the_turn(open_page):
    """Players leave by a fault and by the rules; earlier turns and the last player show nothing."""
    log = crowd(n_players=3)
    for turn in log.turns[4:]:
        del turn.players[1]
    log.turns[-1].players[2] = replace(log.turns[-1].players[2], fault="player 2, turn 7: late")
    tab = open_page(log, "#turn=2")
    told = "[...document.querySelectorAll('#bots .name')].map((one) => one.textContent)"
    assert tab.evaluate(told) == ["bot number 0", "bot number 1", "bot number 2"]
    assert tab.text("article:nth-child(2) header small") == "player 1"
    tab.press("End")
    assert tab.evaluate(told) == [
        "bot number 0",
        "bot number 1out since turn 3",
        "bot number 2out since turn 7",
    ]
    assert tab.text("article:nth-child(2) header small") == "player 1 · out since turn 3"
