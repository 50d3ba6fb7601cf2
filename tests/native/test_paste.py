"""Machine code as ideographs survives a real browser: typed into a text box, copied, pasted into
another and read.
"""

import pytest

from bundler.stages.encoding import ENCODINGS, to_literal
from tests.page.browser import Tab
from tests.page.conftest import browser  # noqa: F401 (a fixture)

PAGE = (
    "<!doctype html><meta charset=utf-8><textarea "
    "id=editor></textarea><textarea id=site></textarea>"
)


@pytest.fixture
def tab(browser, tmp_path):  # noqa: F811
    page = tmp_path / "editor.html"
    page.write_text(PAGE)
    tab = Tab(browser, page.as_uri())
    yield tab
    tab.close()


def edit(tab, box, command):
    """Give an editing command to a text box, as a key of the keyboard does."""
    tab.evaluate(f"{box}.focus()")
    tab.call("Input.dispatchKeyEvent", type="rawKeyDown", commands=[command])


@pytest.mark.slow("types a text into a browser")
def test_every_ideograph_survives_typing_copying_and_pasting(tab):
    """All of them, as a bundle has them; the site counts one UTF-16 unit for each."""
    base = ENCODINGS["wide"].base
    numbers = [(n * base + n + 1) * base + n + 2 for n in range(0, base, 3)]
    bits = "".join(f"{number:059b}" for number in numbers)
    bits += "0" * (-len(bits) % 8)
    text = to_literal(int(bits, 2).to_bytes(len(bits) // 8, "big"), "wide")
    assert len(set(text) - {chr(i) for i in range(128)}) == base

    tab.evaluate("editor.focus()")
    tab.call("Input.insertText", text=text)
    edit(tab, "editor", "selectAll")
    edit(tab, "editor", "copy")
    edit(tab, "site", "paste")
    assert tab.evaluate("site.value") == text
    assert tab.evaluate("site.value.length") == len(text)
