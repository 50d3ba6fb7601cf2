"""Exports of the page: a link to a turn, a picture of it, an animated picture of a span."""

import base64
import io

import pytest

from tests.page.browser import SCREENS
from tests.page.logs import race

# Catches the download of a click: {name, data} of the last one.
CATCH = """
    { window.saved = null;
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = async function () {
        const blob = await (await fetchBlob(this.href)).arrayBuffer();
        let text = "";
        for (const byte of new Uint8Array(blob)) text += String.fromCharCode(byte);
        window.saved = { name: this.download, data: btoa(text) };
    };
    const blobs = new Map();
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
        const url = create(blob);
        blobs.set(url, blob);
        return url;
    };
    window.fetchBlob = async (url) => blobs.get(url); }
    0
"""
WAIT = """new Promise((done) => {
    const check = () => (window.saved ? done(window.saved) : setTimeout(check, 20));
    check();
})"""


@pytest.fixture
def image():
    """Pillow, to read the pictures with somebody else's code."""
    return pytest.importorskip("PIL.Image", reason="Pillow is not installed")


def save(tab, button):
    """Click a button that saves a file: (its name, its bytes)."""
    tab.evaluate(CATCH)
    tab.click(button)
    found = tab.evaluate(WAIT)
    return found["name"], base64.b64decode(found["data"])


def n_colours(picture):
    return len(picture.convert("RGB").getcolors(1 << 24))


def test_a_link_to_the_turn_is_copied(open_page):
    tab = open_page(race(), "#turn=3")
    tab.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }; 0")
    tab.click("#link")
    assert tab.evaluate("window.copied") == tab.evaluate("location.href.split('#')[0]") + "#turn=3"
    assert tab.text("#shared") == "copied"


def test_the_board_of_a_turn_is_saved_as_fine_as_the_screen(open_page, image):
    tab = open_page(race(), "#turn=3", **SCREENS["phone"])
    name, data = save(tab, "#png")
    picture = image.open(io.BytesIO(data))
    assert name == "coders_strike_back-seed7-turn3.png"
    assert picture.size == tuple(tab.evaluate("[board.width, board.height]"))
    assert n_colours(picture) > 20 and tab.complaints() == []


@pytest.mark.slow("draws a picture for each turn")
def test_a_span_of_turns_is_saved_as_a_gif_that_others_can_read(open_page, image):
    """Pillow reads frames equal to the canvas, except for the palette."""
    tab = open_page(race(), "#turn=2")
    for name, turn in (("from", 2), ("to", 5)):
        tab.evaluate(f"document.getElementById('{name}').value = {turn}; 0")
    name, data = save(tab, "#gif")
    assert name == "coders_strike_back-seed7-turn2-5.gif"
    picture = image.open(io.BytesIO(data))
    assert picture.is_animated and picture.n_frames == 10  # three turns of three frames, the first
    assert picture.info["loop"] == 0 and picture.size[0] == 560
    frames = []
    for number in range(picture.n_frames):
        picture.seek(number)
        frames.append(picture.convert("RGB"))
    assert all(n_colours(frame) > 20 for frame in frames)
    assert len({frame.tobytes() for frame in frames}) == len(frames)
    tab.press("ArrowRight")
    tab.press("ArrowRight")
    tab.press("ArrowRight")
    _, data = save(tab, "#png")
    shown = image.open(io.BytesIO(data)).convert("RGB").resize(picture.size)
    pairs = zip(frames[-1].tobytes(), shown.tobytes())
    n_bytes = 3 * picture.size[0] * picture.size[1]
    assert sum(abs(a - b) for a, b in pairs) / n_bytes < 3.0  # of 255
    assert tab.complaints() == []


def test_the_theme_is_switched_and_kept(open_page):
    """The system's at first; the board is painted in the new colours too."""
    tab = open_page(race(), **SCREENS["dark"])
    theme = "document.documentElement.dataset.theme"
    pixel = "[...board.getContext('2d').getImageData(board.width / 2, 60, 1, 1).data].join()"
    assert tab.evaluate(theme) == "dark"
    dark = tab.evaluate(pixel)
    tab.click("#theme")
    assert tab.evaluate(theme) == "light" and tab.evaluate(pixel) != dark

    def theme_after_reload() -> str:
        tab.call("Page.reload")
        tab.evaluate("new Promise((done) => setTimeout(done, 300))")
        return tab.evaluate(theme)

    # Chromium stores the choice in another process, which a quick reload may overtake.
    assert any(theme_after_reload() == "light" for _ in range(5))
    tab.evaluate("localStorage.clear()")
