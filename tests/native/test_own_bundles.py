"""The bundles of the project's bots leave room below the site's limit of 100,000 characters and do
not grow; they need no syntax newer than a site with Python 3.9 and numpy 1.20; no comment is lost.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

from bundler.bundle import make_bundle
from bundler.program import Program
from bundler.report import utf16_units
from bundler.sites import STRICT
from bundler.stages.strip import stripping
from bundler.versions import check_version
from referee.sources.bots import find_bot
from tests.conftest import BOTS, COMPILED_BOTS, GOLDEN_BOTS, NATIVE_BUNDLES

MOST_NATIVE = 60_000
MOST_NATIVE_OF = {"ants": 90_000, "code_of_kutulu": 70_000, "wayfinder": 80_000}
MOST_NATIVE_OF["cellularena"] = 80_000
MOST_NATIVE_OF["code_of_kutulu/uct"] = 71_000
# It contains a model of the other explorers.
MOST_NATIVE_OF["code_of_kutulu/imitation"] = 74_000
# It contains a triangulation and a funnel for discs.
MOST_NATIVE_OF["wayfinder/tra_star"] = 96_000
MOST_PACKED = 40_000
MOST_WITH_WEIGHTS = 100_000  # the site's limit
# Characters in python mode: a change that makes a bundle longer by a hundredth says so here.
PYTHON = {
    "ants/greedy": 40_456,
    "ants/sampler": 78_185,
    "cellularena/beam": 66_869,
    "cellularena/greedy": 46_905,
    "code_of_kutulu/greedy": 36_346,
    "code_of_kutulu/imitation": 65_947,
    "code_of_kutulu/paranoid": 61_676,
    "code_of_kutulu/random_player": 36_791,
    "code_of_kutulu/smitsimax": 61_992,
    "code_of_kutulu/uct": 63_123,
    "coders_strike_back/mutation": 46_807,
    "coders_strike_back/racer": 24_495,
    "coders_strike_back/smitsimax": 53_349,
    "connect_four/network": 61_224,
    "connect_four/rollouts": 39_446,
    "infexion/greedy": 13_995,
    "infexion/mcts": 51_415,
    "infexion/minimax": 57_494,
    "infexion/random_player": 10_265,
    "infexion/report_minimax": 46_885,
    "samegame/beam": 48_312,
    "samegame/chokudai": 42_482,
    "samegame/greedy": 25_246,
    "samegame/nmcs": 30_357,
    "samegame/nrpa": 30_484,
    "samegame/random_player": 10_110,
    "samegame/sp_mcts": 33_672,
    "ultimate_tic_tac_toe/network": 87_245,
    "ultimate_tic_tac_toe/rollouts": 51_187,
    "wayfinder/midpoints": 58_620,
    "wayfinder/polyanya": 64_157,
    "wayfinder/tangents": 36_316,
    "wayfinder/tra_star": 78_535,
    "xmas_rush/greedy": 22_737,
    "xmas_rush/matrix": 46_262,
    "xmas_rush/smitsimax": 53_205,
    "xmas_rush/uct": 52_834,
}
MODES = ("python", "numba", "native")
IDS = {"ids": lambda value: name_of(value) if isinstance(value, Path) else value}


def name_of(bot):
    return f"{bot.parent.name}/{bot.stem}"


@cache
def made(bot, mode="python"):
    return make_bundle(bot, mode)


def text_of_each():
    """(bot, mode): python mode of COMPILED_BOTS in the fast tests, of GOLDEN_BOTS in the slow."""
    for bot in BOTS:
        for mode in MODES:
            is_sample = mode == "python" and bot in GOLDEN_BOTS
            marks = [] if is_sample else [pytest.mark.exhaustive("more bundles")]
            marks += [] if bot in COMPILED_BOTS else [slow_text]
            yield pytest.param(bot, mode, marks=marks)


slow_text = pytest.mark.slow("golden games play these bundles")
each_text = pytest.mark.parametrize(("bot", "mode"), list(text_of_each()), **IDS)


@pytest.mark.parametrize(
    "bot",
    [pytest.param(bot, marks=[] if bot in COMPILED_BOTS else slow_text) for bot in BOTS],
    **IDS,
)
def test_a_bundle_is_small_and_flattened_altogether(bot):
    bundle = made(bot)
    assert not bundle.carried, bundle.reasons
    assert utf16_units(bundle.text) <= 1.01 * PYTHON[name_of(bot)]
    _, left_in = stripping(Program(bundle.project, "python", ()))
    assert left_in == ""


@each_text
def test_no_syntax_no_name_and_no_annotation_is_newer(bot, mode):
    """`int | None` needs Python 3.10, a generic NamedTuple 3.11, `np.ndarray[...]` numpy 1.22."""
    bundle = made(bot, mode)
    check_version(bundle.kept, STRICT)
    tree = ast.parse(bundle.text, feature_version=STRICT.python)
    for node in ast.walk(tree):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for inner in ast.walk(part) if part else ():
                assert not isinstance(inner, ast.BinOp), ast.unparse(part)
        if isinstance(node, ast.Subscript):
            assert ast.unparse(node.value) not in ("np.ndarray", "np.dtype"), ast.unparse(node)
        if isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases):
            assert len(node.bases) == 1, node.name


@each_text
def test_every_comment_stays_with_its_statement(bot, mode):
    from tests.bundler.test_comments import assert_comments_kept, read  # skips without a reader

    bundle = made(bot, mode)
    assert assert_comments_kept(bundle.text, map(read, bundle.files)) > 0


@pytest.mark.parametrize("bot", NATIVE_BUNDLES)
def test_a_bundle_with_machine_code_is_small(bot):
    name = name_of(bot)
    native = Path(find_bot(str(bot)).command[-1])
    text = native.read_text(encoding="utf-8")
    most = MOST_NATIVE_OF.get(name, MOST_NATIVE_OF.get(bot.parent.name, MOST_NATIVE))
    assert utf16_units(text) < (MOST_WITH_WEIGHTS if "weights(" in text else most)
    if "weights(" not in text:
        readable, packed = (make_bundle(bot, "native", packing=one).text for one in (None, "wide"))
        assert utf16_units(text) - utf16_units(readable) + utf16_units(packed) < MOST_PACKED


def test_every_bot_is_measured():
    """The table above lists exactly the existing bots."""
    assert set(map(name_of, BOTS)) == set(PYTHON)
