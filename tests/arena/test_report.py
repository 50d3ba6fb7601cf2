"""The report: its cells link to games, and games to pages; text from bots is escaped."""

import re
import shutil
import sqlite3
from contextlib import closing

import pytest

from referee.arena.charts import LETTER_WIDTH, WIDTH, Scale, interval_chart, ticks
from referee.arena.statistics.elo import Estimate
from tests.arena.conftest import TOY


@pytest.fixture(scope="module")
def report(run, played):
    """The path of the report of a finished arena."""
    page = played.with_name("report.html")
    done = run("report", "--db", played, "-o", page, "--trust")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(
        rf"{page}: \d+ kB, to open in a browser, and \d+ pages of games beside it\n", done.stdout
    )
    return page


def test_links_lead_somewhere(report):
    """Every cell links to a list of games in the page, and games with a log link to existing
    pages.
    """
    text = report.read_text()
    targets = re.findall(r'href="([^"]*)"', text)
    lists = {target[1:] for target in targets if target.startswith("#")}
    pages = [target for target in targets if not target.startswith("#")]
    assert len(lists) == 3 and all(f'id="{name}"' in text for name in lists)
    assert pages and all((report.parent / page).is_file() for page in pages)


@pytest.mark.parametrize("dark", [False, True])
def test_everything_can_be_read_and_reached(report, open_tab, axe, dark):
    tab = open_tab(report.as_uri(), dark=dark)
    assert axe(tab) == []
    tab.click(".cross a")  # the list of games unfolds
    assert tab.evaluate("document.querySelector(':target').closest('details').open")


def test_stays_small_and_alone(report):
    """The page is small, loads nothing, and shows the text of bots as text."""
    text = report.read_text()
    assert len(text) < 60_000
    assert (
        "src=" not in text and "url(" not in text and "http:" not in text and "https:" not in text
    )
    assert "<script" not in text and "&lt;script&gt;" in text


# Every element cut off by the screen, and every box with a scroll bar.
CUT = """[...document.querySelectorAll('td, th, h3, p')].filter((one) => {
    const box = one.getBoundingClientRect();
    const scrolled = one.closest('.scroll');
    if (scrolled) return scrolled.scrollWidth > scrolled.clientWidth;
    return box.width && (box.right > innerWidth || box.left < 0);
}).map((one) => one.outerHTML)"""
HIDDEN_NUMBERS = """[...document.querySelectorAll('.cards td')].filter((one) => {
    const [box, panel] = [one, one.closest('.panel')].map((e) => e.getBoundingClientRect());
    return box.right > panel.right + 1;
}).length"""


@pytest.mark.parametrize("width", [390, 1300])
def test_long_names_push_no_number_out(long_names, open_tab, width):
    """On any screen each number of the ratings is inside its panel, and nothing is cut off."""
    tab = open_tab(long_names.as_uri(), width=width, height=800)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.evaluate(CUT) == [] and tab.evaluate(HIDDEN_NUMBERS) == 0
    assert tab.complaints() == []


@pytest.fixture(scope="module")
def long_names(tmp_path_factory, run):
    """The report, under its default name, of two bots with long names that report values."""
    folder = tmp_path_factory.mktemp("named")
    bots = []
    for number in (1, 2):
        file = folder / f"{'a_very_long_name_of_a_bot_' * 3}{number}.sh"
        say = f"echo '#value eval {number}.5' >&2; echo nodes={number}00 >&2; echo {number}; echo x"
        file.write_text(f"read -r _; read -r _\nwhile read -r _; do {say}; done\n")
        bots.append(f"sh {file}")
    done = run("arena", TOY, *bots, "--games", "12", "--db", folder / "arena.db", "--all-logs")
    assert done.returncode == 0, done.stderr
    done = run("report", folder / "arena.db")
    assert done.returncode == 0, done.stderr
    return folder / "arena.html"


def test_values_by_turn_have_bands(long_names):
    """The chart of a reported value has a point for each turn, and a band."""
    text = long_names.read_text()
    assert "<h3>eval by turn</h3>" in text and "turn 0: nodes 100<" in text


def test_a_log_that_cannot_be_drawn_is_named(run, played, tmp_path):
    """The report skips the log, names the error, and contains all other logs."""
    db = tmp_path / "arena.db"
    shutil.copy(played, db)
    shutil.copytree(played.with_name("arena-logs"), tmp_path / "arena-logs")
    damaged, *_ = sorted((tmp_path / "arena-logs").iterdir())
    damaged.write_text(damaged.read_text().replace('"state":', '"stat":', 1))
    done = run("report", db, "--trust")
    problem = f'no page: {damaged}, line 1: "state" is missing'
    assert (done.returncode, done.stderr) == (0, f"warning: {problem}\n")
    text = (tmp_path / "arena.html").read_text()
    assert f"no page: {damaged}, line 1: &#34;state&#34; is missing" in text
    assert (
        len(list((tmp_path / "arena-games").iterdir())) == len(list(damaged.parent.iterdir())) - 1
    )


@pytest.mark.parametrize("log", ["/dev/zero", "a\0b", "arena.db"])
def test_a_log_that_is_none(run, played, tmp_path, log):
    """The report is written for any content at a log's path."""
    db = tmp_path / "arena.db"
    shutil.copy(played, db)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE games SET log = ?", (log,))
    done = run("report", db)
    assert done.returncode == 0 and done.stderr.count("\n") == (log == "arena.db")


def test_ticks_are_round():
    """About six round numbers within the bounds, also if both bounds are equal."""
    assert ticks(-190, 230) == [-100, 0, 100, 200]
    assert ticks(5, 5) == [5]
    assert ticks(0, 4) == [0, 1, 2, 3, 4]
    assert Scale(5, 5, 10, 20).at(5) == 10


def test_the_last_number_of_an_axis_stays_in_the_picture():
    """The picture is cut at its sides where it is as wide as the screen."""
    drawn = interval_chart(["bot"], [(0, Estimate(900.0, -1000.0, 1000.0))])
    place = float(re.search(r'class="tick" x="([0-9.]+)"[^>]*>\+1000<', drawn)[1])
    assert place + LETTER_WIDTH * (len("+1000") + 1) / 2 <= WIDTH
