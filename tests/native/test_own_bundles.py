"""The bundles of the project's bots leave room below the site's limit of 100,000 characters and do
not grow; they need no syntax newer than a site with Python 3.9 and numpy 1.20; no comment is lost.
"""

import ast
from pathlib import Path

import pytest

from bundler.bundle import make_bundle
from bundler.report import utf16_units
from bundler.sites import STRICT
from bundler.versions import check_version
from referee.sources.bots import find_bot
from tests.conftest import BOTS, GOLDEN_BOTS, NATIVE_BUNDLES

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
# Characters in python mode: of the bundles of version 0.1, of infexion/mcts and
# ultimate_tic_tac_toe since UCT chooses in the backup, of UCB1 tree searches since they look up
# logarithms, of coders_strike_back/smitsimax since it values blocked ways, of the rest of infexion
# since its keys have 62 bits and actions are listed in stages, of its minimax since a network
# evaluates leaves, of ants since groups of ants decide local fights, of
# xmas_rush/smitsimax since it values the players' places, of wayfinder/midpoints since it asks the
# clock, of wayfinder/polyanya since it finds paths between places on walls, of bots by UCT or
# alpha-beta since nodes are read by name, of bots by tree searches since they tell their values,
# and of later bots since they were added; of coders_strike_back/mutation since evolution crosses
# plans; of it and the searching bots of samegame since they tell their plans,
# of samegame/beam since it improves its plan in later turns,
# of its other searches since they find a plan however short the time,
# of cellularena's since the rival acts in simulated turns,
# of ultimate_tic_tac_toe/network since positions choose its value's weights,
# and of bots by Smitsimax since agents may have no tree,
PYTHON = {
    "ants/greedy": 41_095,
    "ants/sampler": 78_185,
    "cellularena/beam": 67_486,
    "cellularena/greedy": 47_571,
    "code_of_kutulu/greedy": 37_843,
    "code_of_kutulu/imitation": 66_187,
    "code_of_kutulu/paranoid": 61_956,
    "code_of_kutulu/random_player": 38_296,
    "code_of_kutulu/smitsimax": 62_212,
    "code_of_kutulu/uct": 63_361,
    "coders_strike_back/mutation": 47_652,
    "coders_strike_back/racer": 25_109,
    "coders_strike_back/smitsimax": 53_527,
    "infexion/greedy": 14_869,
    "infexion/mcts": 51_498,
    "infexion/minimax": 51_361,
    "infexion/random_player": 10_368,
    "infexion/report_minimax": 45_011,
    "samegame/beam": 47_185,
    "samegame/chokudai": 41_378,
    "samegame/greedy": 24_086,
    "samegame/nmcs": 30_418,
    "samegame/nrpa": 30_479,
    "samegame/random_player": 10_070,
    "samegame/sp_mcts": 33_932,
    "ultimate_tic_tac_toe/network": 87_090,
    "ultimate_tic_tac_toe/rollouts": 51_168,
    "wayfinder/midpoints": 58_265,
    "wayfinder/polyanya": 64_464,
    "wayfinder/tangents": 35_713,
    "wayfinder/tra_star": 78_142,
    "xmas_rush/greedy": 24_269,
    "xmas_rush/matrix": 48_004,
    "xmas_rush/smitsimax": 53_445,
    "xmas_rush/uct": 53_421,
}
MODES = ("python", "numba", "native")


def name_of(bot):
    return f"{bot.parent.name}/{bot.stem}"


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            (*bot.values, mode),
            id=f"{bot.id}-{mode}",
            marks=() if mode == "python" and bot.values[0] in GOLDEN_BOTS else bot.marks,
        )
        for bot in NATIVE_BUNDLES
        for mode in MODES
    ],
)
def made(request):
    """(name of a bot, mode, its Bundle): made once for all tests of it, which follow each other."""
    bot, mode = request.param
    return name_of(bot), mode, make_bundle(bot, mode)


def test_a_bundle_is_small_and_flattened_altogether(made):
    name, mode, bundle = made
    assert not bundle.embedded
    assert mode != "python" or utf16_units(bundle.text) <= 1.01 * PYTHON[name]


def test_no_syntax_no_name_and_no_annotation_is_newer(made):
    """`int | None` needs Python 3.10, a generic NamedTuple 3.11, `np.ndarray[...]` numpy 1.22."""
    check_version(made[2].kept, STRICT.python)
    tree = ast.parse(made[2].text, feature_version=STRICT.python)
    for node in ast.walk(tree):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for inner in ast.walk(part) if part else ():
                assert not isinstance(inner, ast.BinOp), ast.unparse(part)
        if isinstance(node, ast.Subscript):
            assert ast.unparse(node.value) not in ("np.ndarray", "np.dtype"), ast.unparse(node)
        if isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases):
            assert len(node.bases) == 1, node.name


def test_every_comment_stays_with_its_statement(made):
    from tests.bundler.test_comments import assert_comments_kept, read  # skips without a reader

    assert assert_comments_kept(made[2].text, map(read, made[2].files)) > 0


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
