"""The bundles of the project's bots: they leave room below the site's limit of 100,000 characters
and stay as small as they were; nothing in them is newer than a site with Python 3.9 and numpy 1.20;
no comment is lost.
"""

import ast
import io
import tokenize
from functools import cache
from pathlib import Path

import pytest

from bundler.bundle import make_bundle
from bundler.report import utf16_units
from bundler.source_map import SourceMap, looks_like_mark
from referee.sources.bots import find_bot
from tests.conftest import BOTS, NATIVE_BUNDLES, PROJECT

MOST_NATIVE = 60_000
MOST_NATIVE_OF = {"ants": 70_000, "code_of_kutulu": 70_000, "wayfinder": 80_000}
# With a triangulation and a funnel for discs in it
MOST_NATIVE_OF["wayfinder/tra_star"] = 95_000
MOST_PACKED = 40_000
MOST_WITH_WEIGHTS = 100_000  # the site's limit
# Characters in python mode: of the bundles of version 0.1, of infexion/mcts and
# ultimate_tic_tac_toe since PUCT sorts its children, of those that search trees by UCB1 since they
# look up its logarithms, of coders_strike_back/smitsimax since it minds who covers whose way, of
# the rest of infexion since its keys have 62 bits and actions are listed in stages, of its minimax
# since a network says what leaves are worth, of ants since hills are defended by the nearest alone,
# of xmas_rush/smitsimax since it minds how players stand, of wayfinder/midpoints since it asks the
# clock, of bots by UCT or alpha-beta since nodes are read by name, and of later bots as they came
PYTHON = {
    "ants/greedy": 37_801,
    "ants/patient": 59_448,
    "ants/sampler": 59_436,
    "code_of_kutulu/greedy": 37_843,
    "code_of_kutulu/paranoid": 60_642,
    "code_of_kutulu/random_player": 38_296,
    "code_of_kutulu/smitsimax": 60_896,
    "code_of_kutulu/uct": 63_052,
    "coders_strike_back/mutation": 45_154,
    "coders_strike_back/racer": 25_109,
    "coders_strike_back/smitsimax": 52_961,
    "infexion/greedy": 14_869,
    "infexion/mcts": 51_611,
    "infexion/minimax": 51_361,
    "infexion/random_player": 10_368,
    "infexion/report_mcts": 20_319,
    "infexion/report_minimax": 45_011,
    "ultimate_tic_tac_toe/network": 89_864,
    "ultimate_tic_tac_toe/rollouts": 51_318,
    "wayfinder/midpoints": 58_265,
    "wayfinder/polyanya": 62_977,
    "wayfinder/tangents": 35_713,
    "wayfinder/tra_star": 77_089,
    "xmas_rush/greedy": 24_269,
    "xmas_rush/matrix": 48_004,
    "xmas_rush/smitsimax": 52_662,
    "xmas_rush/uct": 53_421,
}
OLDEST = (3, 9)

# Each is flattened once, whatever is asked of it.
flattened = cache(make_bundle)
every_bot = pytest.mark.parametrize("bot", BOTS, ids=lambda path: f"{path.parent.name}-{path.stem}")


@every_bot
def test_a_bundle_is_small(bot):
    """Flattened altogether in every mode."""
    name = f"{bot.parent.name}/{bot.stem}"
    for mode in ("python", "numba", "native"):
        assert not flattened(bot, mode=mode).embedded
    assert utf16_units(flattened(bot, mode="python").text) <= 1.01 * PYTHON[name]


@pytest.mark.parametrize("bot", NATIVE_BUNDLES)
def test_a_bundle_with_machine_code_is_small(bot):
    name = f"{bot.parent.name}/{bot.stem}"
    native = Path(find_bot(str(bot)).command[-1])
    text = native.read_text(encoding="utf-8")
    most = MOST_NATIVE_OF.get(name, MOST_NATIVE_OF.get(bot.parent.name, MOST_NATIVE))
    assert utf16_units(text) < (MOST_WITH_WEIGHTS if "weights(" in text else most)
    saved = utf16_units(flattened(bot, mode="native").text)
    saved -= utf16_units(flattened(bot, mode="native", packing="wide").text)
    if "weights(" not in text:
        assert utf16_units(text) - saved < MOST_PACKED


def test_every_bot_is_measured():
    """None was forgotten above, and none that stands there is gone."""
    assert {f"{path.parent.name}/{path.stem}" for path in BOTS} == set(PYTHON)


@every_bot
@pytest.mark.parametrize("mode", ["python", "native"])
def test_no_syntax_and_no_annotation_is_newer(bot, mode):
    """`int | None` needs Python 3.10, a generic NamedTuple 3.11, `np.ndarray[...]` numpy 1.22."""
    text = flattened(bot, mode=mode).text
    tree = ast.parse(text, feature_version=OLDEST)
    for node in ast.walk(tree):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for inner in ast.walk(part) if part else ():
                assert not isinstance(inner, ast.BinOp), ast.unparse(part)
        if isinstance(node, ast.Subscript):
            assert ast.unparse(node.value) not in ("np.ndarray", "np.dtype"), ast.unparse(node)
        if isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases):
            assert len(node.bases) == 1, node.name
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":
            assert "strict" not in [keyword.arg for keyword in node.keywords]


def definitions(text):
    """(name, line, comments) of each function and class at the top level, with the comments right
    above it.
    """
    lines = text.split("\n")
    comments = {
        token.start[0]: token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            first = min([node, *node.decorator_list], key=lambda part: part.lineno).lineno
            while first > 1 and lines[first - 2].startswith("#"):
                first -= 1
            yield node.name, node.lineno, [
                comments[line] for line in range(first, node.end_lineno + 1) if line in comments
            ]


@every_bot
def test_every_comment_of_a_kept_definition_stands_in_the_bundle(bot):
    """The comments of each function and class are those of its source, in order."""
    text = flattened(bot, mode="python").text
    source_map = SourceMap(text)
    found = list(definitions(text))
    for name, line, comments in found:
        place = source_map.locate(line)
        if place is None:
            continue  # a helper of the bundler
        path, source_line = place
        source = (PROJECT / path).read_text(encoding="utf-8")
        expected = {(theirs, at): said for theirs, at, said in definitions(source)}
        own = [comment for comment in comments if not looks_like_mark(comment)]
        assert own == expected[name, source_line], name
    assert len(found) > 10
