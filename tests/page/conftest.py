"""Fixtures of the page's tests: the browser and the logs."""

import shutil

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
