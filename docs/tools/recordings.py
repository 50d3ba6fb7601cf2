"""Records the pictures of pages from a headless Chromium: `python -m docs.tools.recordings`.

Matches are played by counted nodes, so the same games come every time. `make browser` installs the
browser.
"""

import base64
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

from tests.page.browser import Browser, Tab
from tests.support.plain_logs import plain_log

PROJECT = Path(__file__).resolve().parents[2]
FOLDER = PROJECT / "docs" / "pictures"
MOST_BYTES = 1_000_000
BOTS = "bots/coders_strike_back"
# The page plays by the time that this gives it, a frame a call of `nextFrame`.
STOPPED_TIME = """
(() => {
  let now = 0, waiting = new Map(), id = 0;
  performance.now = () => now;
  window.requestAnimationFrame = (call) => (waiting.set(++id, call), id);
  window.cancelAnimationFrame = (one) => waiting.delete(one);
  window.nextFrame = (ms) => {
    now += ms;
    const calls = [...waiting.values()];
    waiting.clear();
    for (const call of calls) call(now);
  };
})()
"""
WITHOUT_SCROLLBARS = """
document.head.append(
  Object.assign(document.createElement("style"), {textContent: "html {scrollbar-width: none}"}))
"""
TURNS, FRAMES_A_TURN, FRAME_MS = 32, 3, 110


class Studio:
    """A browser and a folder for logs and pages."""

    def __init__(self, browser: Browser, folder: Path):
        self.browser, self.folder = browser, folder

    def onefile(self, *words: str) -> None:
        """Run a command in the folder. Raises CalledProcessError."""
        environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
        command = [sys.executable, "-m", "referee.onefile", *words]
        subprocess.run(command, cwd=self.folder, env=environment, check=True, capture_output=True)

    def match(self, name: str, contest: str, *words: str) -> Path:
        """Play a match by counted nodes, without limits; returns its page."""
        log = f"{name}.jsonl"
        options = ("--limits", "off", "--log", log, *words)
        self.onefile("match", contest, *options)
        self.onefile("view", log)
        return self.folder / f"{name}.html"

    def open(self, page: Path, address: str = "", **screen: Any) -> Tab:
        """Open a page on a screen."""
        tab = Tab(self.browser, page.as_uri() + address, **screen)
        tab.evaluate(WITHOUT_SCROLLBARS)
        return tab


def picture(tab: Tab, **clip: float) -> Image.Image:
    """Returns the screen, or a part of it, in CSS pixels."""
    if clip:
        size = {"x": 0, "y": 0, "scale": 1, **clip}
        data = base64.b64decode(tab.call("Page.captureScreenshot", clip=size)["data"])
    else:
        data = tab.screenshot()
    return Image.open(io.BytesIO(data)).convert("RGB")


def board(tab: Tab) -> dict[str, float]:
    """Returns the place of the board on the screen."""
    place = tab.evaluate(
        "(({x, y, width, height}) => ({x, y, width, height}))"
        "(document.querySelector('#board').getBoundingClientRect())"
    )
    return {key: float(value) for key, value in place.items()}


def save(name: str, image: Image.Image, **options: Any) -> None:
    """Write a picture. Raises ValueError where it is too large for the repository."""
    path = FOLDER / f"{name}.webp"
    image.save(path, method=6, quality=options.pop("quality", 80), **options)
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path} has {path.stat().st_size} bytes, more than {MOST_BYTES}")
    print(path, path.stat().st_size, "bytes")


RACE = (f"{BOTS}/smitsimax.py", f"{BOTS}/racer.py", "--seed", "7", "--nodes", "3000")


def record_match(studio: Studio) -> None:
    """An animated picture of a match: the board of the page, which plays some turns."""
    page = studio.match("race", "coders_strike_back", *RACE)
    tab = studio.open(page, "#turn=3", width=940, height=1100)
    place = board(tab)
    tab.evaluate(STOPPED_TIME)
    tab.press(" ")
    frames = []
    for _ in range(TURNS * FRAMES_A_TURN):
        tab.evaluate(f"nextFrame({1000 / 4 / FRAMES_A_TURN})")
        frames.append(picture(tab, **place))
    tab.close()
    first, *others = frames
    save("match", first, save_all=True, append_images=others, duration=FRAME_MS, loop=0, quality=36)


def record_page(studio: Studio) -> None:
    """The page of a match, light and dark."""
    page = studio.match("race", "coders_strike_back", *RACE)
    for name, dark in (("light", False), ("dark", True)):
        tab = studio.open(page, "#turn=57", width=1400, height=900, dark=dark)
        save(f"page-{name}", picture(tab))
        tab.close()


def record_drawings(studio: Studio) -> None:
    """The board with what a bot has drawn, and the charts under it: the example of the docs."""
    text = (PROJECT / "docs" / "reference" / "stderr.md").read_text(encoding="utf-8")
    block = text.partition('drawer.py"\n')[2].partition("```")[0]
    (studio.folder / "drawer.py").write_text(block, encoding="utf-8")
    page = studio.match("drawn", "coders_strike_back", "drawer.py", "--seed", "7")
    tab = studio.open(page, "#turn=30", width=1400, height=1000)
    save("drawings", picture(tab, width=1400, height=1000))
    tab.close()


def record_report(studio: Studio) -> None:
    """The report of an arena."""
    bots = [f"bots/xmas_rush/{name}.py" for name in ("smitsimax", "matrix", "greedy")]
    conditions = ("--nodes", "400", "--in-process", "--plan", "roundrobin")
    studio.onefile("arena", "xmas_rush", *bots, *conditions, "--games", "36", "--db", "arena.db")
    studio.onefile("report", "arena.db", "-o", "report.html")
    tab = studio.open(studio.folder / "report.html", width=1200, height=900)
    save("report", picture(tab))
    tab.close()


BOARDS = {
    "coders_strike_back": ("#turn=57", RACE),
    "xmas_rush": (
        "#turn=20",
        (
            "bots/xmas_rush/smitsimax.py",
            "bots/xmas_rush/greedy.py",
            "--seed",
            "3",
            "--nodes",
            "500",
        ),
    ),
    "ants": (
        "#turn=75",
        (
            "bots/ants/sampler.py",
            "bots/ants/greedy.py",
            "--seed",
            "14",
            "--nodes",
            "20000",
            "--turns",
            "90",
            "--option",
            "kind=caves",
        ),
    ),
    "code_of_kutulu": (
        "#turn=25",
        (
            *[f"bots/code_of_kutulu/{name}.py" for name in ("smitsimax", "greedy") * 2],
            "--seed",
            "1",
            "--nodes",
            "300",
        ),
    ),
    "infexion": (
        "#turn=30",
        (
            "bots/infexion/report_minimax.py",
            "bots/infexion/minimax.py",
            "--seed",
            "1",
            "--nodes",
            "2000",
        ),
    ),
    "wayfinder": (
        "#turn=2",
        ("bots/wayfinder/tangents.py", "bots/wayfinder/midpoints.py", "--seed", "4"),
    ),
}


def board_of(studio: Studio, contest: str) -> Image.Image:
    """Returns the board of a contest's game."""
    address, words = BOARDS[contest]
    tab = studio.open(studio.match(contest, contest, *words), address, width=1100, height=1400)
    image = picture(tab, **board(tab))
    tab.close()
    return image


def record_contests(studio: Studio) -> None:
    """The boards of six contests, three a row."""
    width, height, gap = 440, 320, 12
    sheet = Image.new("RGB", (3 * width + 2 * gap, 2 * height + gap), "white")
    for index, contest in enumerate(BOARDS):
        image = board_of(studio, contest)
        scale = min(width / image.width, height / image.height)
        image = image.resize(
            (round(scale * image.width), round(scale * image.height)), Image.Resampling.LANCZOS
        )
        left = index % 3 * (width + gap) + (width - image.width) // 2
        top = index // 3 * (height + gap) + (height - image.height) // 2
        sheet.paste(image, (left, top))
    save("contests", sheet)


def record_ants(studio: Studio) -> None:
    """A battle of Ants."""
    save("ants", board_of(studio, "ants"))


def record_tron(studio: Studio) -> None:
    """Tron, as the tutorial has it."""
    workspace = studio.folder / "tron"
    Studio(studio.browser, studio.folder).onefile("init", str(workspace))
    inner = Studio(studio.browser, workspace)
    inner.onefile("new", "tron")
    shutil.copytree(PROJECT / "docs" / "tutorials" / "tron", workspace, dirs_exist_ok=True)
    bots = ["bots/tron/paranoid.py"] * 4
    page = inner.match("tron", "tron", *bots, "--nodes", "2000", "--seed", "3")
    tab = inner.open(page, "#turn=60", width=1100, height=900)
    save("tron", picture(tab, **board(tab)))
    tab.close()


def record_mistake(studio: Studio) -> None:
    """The pages of a lost game: its swings, its review, the tree of a turn; all in plain Python."""
    log, contest = studio.folder / "lost.jsonl", "ultimate_tic_tac_toe"
    plain_log(log, contest, ["rollouts", "network"], 120, 81, seed=5)
    os.environ["CG_EXPLORE_JIT"] = "0"
    studio.onefile("view", "lost.jsonl")
    tab = studio.open(studio.folder / "lost.html", width=1400, height=900)
    for key in "eeggg":
        tab.press(key)
    save("expected", picture(tab))
    tab.close()
    studio.onefile("review", "lost.jsonl", "--player", "0", "--nodes", "3")
    tab = studio.open(studio.folder / "lost.review.html", width=1150, height=640)
    save("review", picture(tab))
    tab.close()
    words = ("--player", "0", "--turn", "20", "--nodes", "3x", "-o", "tree.html")
    studio.onefile("explore", "lost.jsonl", *words)
    tab = studio.open(studio.folder / "tree.html", width=1400, height=900)
    for key in "nn":
        tab.press(key)
    save("explore", picture(tab))
    tab.close()


RECORDINGS: dict[str, Callable[[Studio], None]] = {
    "match": record_match,
    "page": record_page,
    "drawings": record_drawings,
    "report": record_report,
    "contests": record_contests,
    "ants": record_ants,
    "mistake": record_mistake,
    "tron": record_tron,
}


@contextmanager
def open_studio() -> Iterator[Studio]:
    """Opens the browser. Ends the program where there is none."""
    program = shutil.which("chromium")
    if program is None:
        sys.exit("chromium is not installed: run `make browser`")
    with tempfile.TemporaryDirectory() as folder:
        profile, logs = Path(folder, "profile"), Path(folder, "logs")
        profile.mkdir()
        logs.mkdir()
        browser = Browser(program, profile)
        try:
            yield Studio(browser, logs)
        finally:
            browser.close()


def main() -> None:
    """Record the pictures that are named, or all."""
    with open_studio() as studio:
        for name in sys.argv[1:] or RECORDINGS:
            RECORDINGS[name](studio)


if __name__ == "__main__":
    main()
