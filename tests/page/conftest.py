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
def open_tab(browser):
    """Opens a page: `open_tab(url, width=390, ...) -> Tab`."""
    tabs = []

    def open_url(url, **screen):
        tabs.append(Tab(browser, url, **screen))
        return tabs[-1]

    yield open_url
    for tab in tabs:
        tab.close()


@pytest.fixture
def open_page(open_tab, tmp_path):
    """Opens the page of a log: `open_page(log, "#turn=3", width=390, ...) -> Tab`."""

    def open_log(log, address="", **screen):
        path = tmp_path / f"page{len(list(tmp_path.iterdir()))}.html"
        write_page(log, path, trust=True)  # of the contest crowd.py
        return open_tab(path.as_uri() + address, **screen)

    return open_log


@pytest.fixture
def open_it(open_tab, page):
    """Opens what a module's `page` has written: `open_it(width=390, ...) -> Tab`."""
    return lambda **screen: open_tab(page.as_uri(), **screen)
