"""Fixtures of the page's tests: the browser and the logs."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from referee.page.page import write_page
from tests.page.browser import Browser, Tab


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed: run `make browser`")
    running = Browser(program, tmp_path_factory.mktemp("profile"))
    yield running
    running.close()


SERIOUS = """axe.run().then(({ violations }) => violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(" "))]))"""


@pytest.fixture(scope="session")
def axe():
    """Returns the serious findings of axe-core on a page: contrast, names, focus."""
    package = find_spec("axe_playwright_python")
    script = Path(package.origin).with_name("axe.min.js").read_text(encoding="utf-8")

    def findings(tab):
        tab.evaluate(f"{script};0")
        return tab.evaluate(SERIOUS)

    return findings


@pytest.fixture
def open_page(browser, tmp_path):
    """Opens the page of a log: `open_page(log, "#turn=3", width=390, ...) -> Tab`."""
    tabs = []

    def open_log(log, address="", **screen):
        path = tmp_path / f"page{len(tabs)}.html"
        write_page(log, path, trust=True)  # of the contest crowd.py
        tabs.append(Tab(browser, path.as_uri() + address, **screen))
        return tabs[-1]

    yield open_log
    for tab in tabs:
        tab.close()


@pytest.fixture
def open_it(browser, page):
    """Opens what a module's `page` has written: `open_it(width=390, ...) -> Tab`."""
    tabs = []

    def open_file(**screen):
        tabs.append(Tab(browser, page.as_uri(), **screen))
        return tabs[-1]

    yield open_file
    for tab in tabs:
        tab.close()
