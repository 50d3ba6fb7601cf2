"""Tunable numbers in the file to paste: each call is replaced by a number."""

import json

import pytest

from bundler.bundle import make_bundle
from bundler.errors import BundleError
from bundler.modules.source import Source
from bundler.modules.tunables import tunables_of, write_values
from tests.bundler.test_command_line import bundler as command
from tests.conftest import PROJECT

IMPORT = "from shared.core.tunable import tunable\n"

WRITTEN = {
    'X = tunable("x", 0.4, 0.1, 1.2)': "X = 0.4",
    'X = tunable("given", 0.4, 0.1, 1.2)': "X = 0.7",
    'X = tunable("x", 4, 1, 9, step=2) ** 2': "X = 4 ** 2",
    'X = tunable("x", -4, -5, 9) ** 2': "X = (-4) ** 2",
    'X = f(tunable("x", -1.5, low=-2.0, high=0.0), 3)': "X = f(-1.5, 3)",
    'X = tunable(\n    "x",\n    4, 1, 9\n) * 2\nY = 1': "X = (4\n\n\n) * 2\nY = 1",
}
LEFT_ALONE = [
    'def tunable(*a): ...\nX = tunable("x", 0.4, 0.1, 1.2)',
    'from tuning import tunable\nX = tunable("x", 0.4)',
    'from shared.core.tunable import tunable as t\nX = t("x", 0.4, 0.1, 1.2)',
]
REFUSED = {
    'tunable("x", VALUE, 0.1, 1.2)': "write it like tunable",
    'tunable("x", 0.4)': "write it like tunable",
    'tunable("x", "4", 1, 9)': "write it like tunable",
    'tunable("x", 4, 5, 9)': "4 is not within 5 to 9: give other bounds",
    'tunable("x", 4, 4, 4)': "4 is not within 4 to 4: give other bounds",
    "tunable(3, 4, 1, 9)": "give other bounds",
}


@pytest.mark.parametrize("before", WRITTEN)
def test_a_number_takes_the_place_of_the_call_and_no_line_moves(before):
    text = write_values(Source(IMPORT + before, "bot.py"), {"given": 0.7})
    assert text == IMPORT + WRITTEN[before]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_similar_calls_stay_unchanged(text):
    assert write_values(Source(text, "bot.py"), {}) == text


@pytest.mark.parametrize("call", REFUSED)
def test_invalid_declarations_are_errors_with_the_line(call):
    with pytest.raises(BundleError, match=r"bot.py:2") as error:
        list(tunables_of(Source(f"{IMPORT}X = {call}", "bot.py")))
    assert REFUSED[call] in str(error.value)


@pytest.fixture
def bot(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text(f'{IMPORT}\nWIDTH = tunable("width", 0.4, 0.1, 1.2)\nprint(WIDTH, 2 * WIDTH)\n')
    (tmp_path / "shared").symlink_to(PROJECT / "shared")
    return file


def test_the_bundle_to_paste_has_the_number_alone(bot):
    made = make_bundle(bot, root=bot.parent, mode="python", parameters={"width": 0.5})
    assert "WIDTH = 0.5\n" in made.text and "tunable" not in made.text.replace("bot.py", "")
    assert make_bundle(bot, root=bot.parent, mode="python").text.count("WIDTH = 0.4") == 1


@pytest.mark.slow("types commands")
def test_from_the_command_line(bot):
    listed = command("tunables", bot, cwd=PROJECT)
    assert json.loads(listed.stdout) == {
        "name": "width",
        "value": 0.4,
        "low": 0.1,
        "high": 1.2,
        "step": 0,
    }
    out = bot.with_name("out.py")
    made = command(bot, "-o", out, "--set", "width=1", cwd=PROJECT)
    assert made.returncode == 0 and "the program writes 1 line" in made.stderr, made.stderr
    assert "WIDTH = 1.0" in out.read_text()
    for wrong, said in {
        "height=1": "no tunable number 'height': there are width",
        "width=3.0": "width is a number from 0.1 to 1.2, got 3.0",
        "width": "NAME=NUMBER is expected",
    }.items():
        refused = command(bot, "-o", out, "--set", wrong, cwd=PROJECT)
        assert refused.returncode == 2 and said in refused.stderr
        assert len(refused.stderr.splitlines()) == 1
