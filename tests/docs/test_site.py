"""The site of docs/: its pages, links and generated sections."""

import re
from importlib.util import find_spec

import pytest

from docs.tools import site
from docs.tools.commands import UndocumentedError, application, command_section, commands_page
from docs.tools.site import anchor, build, pages, relink, stage
from tests.page.browser import Tab

HEADING = re.compile(r"^#+ (.+?)\s*$", re.MULTILINE)


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "source"
    folder.mkdir()
    stage(folder)
    return folder


def headings(path):
    """The anchors of a page; a heading that stands twice gets _1, _2."""
    found = []
    text = site.FENCE.sub("", path.read_text())
    for heading in HEADING.findall(text):
        name = anchor(heading)
        n = sum(re.fullmatch(re.escape(name) + r"(_\d+)?", one) is not None for one in found)
        found.append(f"{name}_{n}" if n else name)
    return found


@pytest.mark.slow("renders all pages")
def test_every_link_leads_to_a_page_and_a_heading(staged):
    n_links = 0
    for page in (staged / "pages").rglob("*.md"):
        text = site.FENCE.sub("", page.read_text())
        for _, _, target in site.LINK.findall(text):
            if not target or re.match(r"[a-z]+:", target):
                continue
            path, _, heading = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            assert file.exists(), f"{page}: {target}"
            assert not heading or heading in headings(file), f"{page}: {target}"
            n_links += 1
    assert n_links > 100


def test_every_page_is_in_the_navigation(staged):
    config = (staged / "zensical.toml").read_text()
    own = {path.relative_to(staged / "pages").as_posix() for path in staged.rglob("*.md")}
    assert set(re.findall(r'"([\w./-]+\.md)"', config)) == own


@pytest.mark.parametrize("part", ["command", "option"])
def test_a_command_without_help_is_an_error(part):
    command = application().commands["match"]
    if part == "command":
        command.help = ""
    else:
        command.params[2].help = None
    with pytest.raises(UndocumentedError, match="match"):
        command_section("match", command)


def test_every_command_and_option_has_help():
    text = commands_page(application())
    assert re.search(r"^\| `--games` `N` \| .+ Default: `20000` \|$", text, re.MULTILINE)


def test_a_link_to_a_module_leads_to_its_section():
    sections = {"shared/core/game.py": "reference/game-interface.md#sharedcoregame"}
    text = "[game.py](../core/game.py) and [its test](../../tests/conftest.py) `[a](b)`"
    linked = relink(text, "shared/search/README.md", pages(), sections)
    assert linked == (
        "[game.py](../../reference/game-interface.md#sharedcoregame) and its test `[a](b)`"
    )


@pytest.fixture(scope="module")
def built(staged):
    if find_spec("zensical") is None:
        pytest.skip("Zensical is not installed: run `make docs`")
    return build(staged)


def test_the_site_is_built_without_a_warning(built):
    assert (built / "search.js").exists()


def test_a_page_from_the_disk_searches_and_loads_nothing_from_elsewhere(built, browser):
    tab = Tab(browser, (built / "how-to" / "tune.html").as_uri())
    tab.click(".md-search__button")
    tab.evaluate(f"({UNTIL})(() => document.activeElement.shadowRoot)")
    tab.call("Input.insertText", text="plackett")
    tab.evaluate(f"({UNTIL})(() => /Plackett and Luce/.test({RESULTS}))")
    assert tab.complaints() == []
    tab.close()


# Search has a dialog in a tree of its own.
RESULTS = "document.activeElement.shadowRoot.textContent"
UNTIL = """(holds) => new Promise((done) => {
  const look = () => (holds() ? done() : setTimeout(look, 100));
  look();
})"""
