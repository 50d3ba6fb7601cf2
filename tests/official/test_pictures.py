"""The official pictures: the viewer gathered from a build, and the page that shows it."""

import json
import shutil
import zipfile

import pytest

from referee.official.build import find_build
from referee.official.view import find_viewer
from tests.page.conftest import browser, open_tab  # noqa: F401

# A drawer of the engine's form, which tells the page the frames that it draws.
DRAWER = """
import { assets } from '../assets.js'
import * as config from '/config.js'
import { demo as theirs } from '../demo'
// import { nothing } from './nothing.js'
/* import './nothing.js' */
export class Drawer {
  static get requirements () { return { PIXI: 'PIXI6' } }
  static get WIDTH () { return 1920 }
  static get HEIGHT () { return 1080 }
  static get playerColors () { return config.colours }
  getOptions () { return config.options }
  init (canvas, width, height) {
    if (this.alreadyLoaded) return
    this.alreadyLoaded = true
    const image = new Image()
    image.onload = () => {
      this.loaded = 1
      const request = new XMLHttpRequest()
      request.open('GET', assets.sprites[0])
      request.onload = () => parent.postMessage({
        loaded: [PIXI.name, image.naturalWidth, JSON.parse(request.responseText).meta.image, theirs]
      }, '*')
      request.send()
    }
    const lacking = new Image()
    lacking.onload = () => { image.src = 'null/' + assets.images['a.svg'] }
    lacking.src = 'assets/lacking.png'
  }
  initFrames (frames, agents) {
    this.frames = frames
    const told = agents.map(({ name, color }) => [name, color])
    parent.postMessage({ agents: told, n: frames.length }, '*')
  }
  update (frame, progress, speed) {
    parent.postMessage({ drawn: [frame, progress, speed, JSON.parse(this.frames[frame][1])] }, '*')
  }
}
"""
FILES = {
    "view/core/Drawer.js": DRAWER,
    "view/lib/pixi6.js": "window.PIXI = { name: 'six' };",
    "view/config.js": "export const colours = ['#ff0000', '#00ff00']\nexport const options = []",
    "view/assets/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>',
    "view/assets/sheet.json": '{"frames": {}, "meta": {"image": "sheet.png"}}',
    "view/assets/sheet.png": "a picture",
    "view/assets/font.fnt": "<font/>",
}


@pytest.fixture
def drawn_build(build):
    """drawn_build(files) makes a build with a viewer; `files` replace some of FILES, None drops."""

    def make(files=None):
        folder = build()
        for name, text in {**FILES, **(files or {})}.items():
            path = folder / "target" / "classes" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is not None:
                path.write_text(text)
        return folder

    return make


@pytest.fixture
def played(run, drawn_build, adder, tmp_path):
    """A log, and the build that led its match."""
    folder, log = drawn_build(), tmp_path / "match.jsonl"
    words = ["match", "--official", folder, adder(1), adder("turn"), "--log", log, "--seed", 5]
    assert run(*words)[0] == 0
    return log, folder


def test_the_page_and_the_viewer_are_in_step(run, played, open_tab, tmp_path):  # noqa: F811
    """The viewer loads its files without network, and draws the turn that the page shows."""
    log, folder = played
    status, out, err = run("view", log, "--official", folder)
    assert (status, err) == (0, "") and "match.official.html, which belongs beside it" in out
    page = tmp_path / "match.html"
    shown = page.read_text().replace(
        '<script type="module">',
        "<script>window.told = [];"
        "addEventListener('message', ({data}) => told.push(data));"
        "function seen(name, test = () => true) { return new Promise((done) => {"
        "  const look = () => { const one = told.find((o) => name in o && test(o[name]));"
        "    if (one) done(one); else setTimeout(look, 20); }; look(); }); }</script>"
        '<script type="module">',
        1,
    )
    page.write_text(shown)
    tab = open_tab(page.as_uri() + "#turn=1")
    loaded = tab.evaluate("seen('loaded')")["loaded"]
    # There is no intro: JSON has null for undefined.
    assert loaded[:3] == ["six", 30, "sheet.png"] and loaded[3:] in ([None], [])
    agents = tab.evaluate("seen('agents')")
    assert agents == {"agents": [["adds_1", "#ff0000"], ["adds_turn", "#00ff00"]], "n": 5}
    assert tab.evaluate("seen('drawn', ([frame]) => frame === 2)")["drawn"][1:] == [
        1,
        0,
        {"board": 2},
    ]
    tab.press("Home")
    drawn = tab.evaluate("seen('drawn', ([frame]) => frame === 0)")["drawn"]
    assert drawn[3] == {"global": {}, "frame": {"board": 1}}
    assert tab.evaluate("pictures.getBoundingClientRect().width") > 500
    # Without a module of the contest there is no other board to choose.
    assert tab.evaluate("source.hidden && board.hidden && png.hidden")
    assert tab.complaints() == []


def test_a_key_switches_to_the_board(run, drawn_build, adder, open_tab, tmp_path):  # noqa: F811
    """A board of the bots' drawings, here; PNG and GIF are of the board."""
    folder, log = drawn_build(), tmp_path / "match.jsonl"
    draws = adder("print('#circle 5 5 2', file=sys.stderr, flush=True) or 1", "draws")
    assert run("match", "--official", folder, draws, draws, "--log", log)[0] == 0
    assert run("view", log, "--official", folder)[0] == 0
    tab = open_tab((tmp_path / "match.html").as_uri() + "#turn=1")
    assert tab.evaluate("!source.hidden && !pictures.hidden && board.hidden && png.hidden")
    tab.press("o")
    assert tab.evaluate("pictures.hidden && !board.hidden && !png.hidden")
    assert tab.evaluate("source.value === 'board' && board.width > 100")
    tab.press("o")
    assert tab.evaluate("!pictures.hidden && board.hidden && source.value === 'official'")
    assert tab.complaints() == []


def test_a_page_without_pictures_has_no_frame(run, played, tmp_path):
    log, _ = played
    assert run("view", log)[0] == 0
    text = (tmp_path / "match.html").read_text()
    assert "frame-src" not in text and not (tmp_path / "match.official.html").exists()


def test_the_first_place_that_has_a_file_counts(drawn_build):
    """The contest's sources, its classes, then jars; node_modules are left out."""
    folder = drawn_build()
    sources = folder / "src" / "main" / "resources" / "view"
    (sources / "node_modules").mkdir(parents=True)
    (sources / "node_modules" / "huge.js").write_text("")
    (sources / "config.js").write_text("export * from './own.js'\nexport const options = []")
    (sources / "own.js").write_text('export {\n  colours\n} from "./core/deep";')
    (folder / "target" / "dependency").mkdir()
    with zipfile.ZipFile(folder / "target" / "dependency" / "engine.jar", "w") as jar:
        jar.writestr("view/core/deep.js", "export const colours = ['#123456']")
        jar.writestr("view/config.js", "export const wrong = 1")
    viewer = find_viewer(find_build(str(folder)))
    assert "'view/own.js'" in viewer.modules["config.js"]
    assert '"view/core/deep.js"' in viewer.modules["own.js"]
    assert "#123456" in viewer.modules["core/deep.js"]
    assert "'./nothing.js'" in viewer.modules["core/Drawer.js"]
    assert viewer.assets == {
        "images": {"a.svg": "assets/a.svg"},
        "sprites": ["assets/sheet.json"],
        "fonts": ["assets/font.fnt"],
    }


def test_what_a_text_of_the_viewer_cannot_do(run, played, tmp_path):
    """Frames and names end no script of the page."""
    log, folder = played
    lines = log.read_text().splitlines()
    header = json.loads(lines[0])
    header["title"] = "</script><script>alert(1)</script>"
    log.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    assert run("view", log, "--official", folder)[0] == 0
    assert "</script><script>alert" not in (tmp_path / "match.official.html").read_text()


def test_bad_input(run, drawn_build, played, tmp_path):
    """Each error is one line that names the next step."""
    log, folder = played
    bare = tmp_path / "bare.jsonl"
    bare.write_text(log.read_text().replace('"view":', '"nothing":'))
    status, _, err = run("view", bare, "--official", folder)
    assert status == 2 and "it has no official pictures: play a match with --official" in err
    for files, message in [
        ({"view/core/Drawer.js": None}, "the engine has no viewer"),
        ({"view/lib/pixi6.js": None}, "no view/lib/pixi6.js, which draws the pictures"),
        ({"view/config.js": "import './graphics/View'"}, "give the contest's whole repository"),
    ]:
        shutil.rmtree(folder)
        drawn_build(files)
        status, _, err = run("view", log, "--official", folder)
        assert status == 2 and message in err and err.count("\n") == 1
    settings = folder / "src/main/resources/tsconfig.json"
    settings.parent.mkdir(parents=True)
    settings.write_text("{}")
    status, _, err = run("view", log, "--official", folder)
    assert "view/graphics/View, which view/config.js imports: compile its TypeScript: npx" in err
