"""The modules that are changed, by room, and the tests that should notice.

The first pattern that fits a module counts. Its tests run in this order until the first failure:
those next to the module come first. A test that is gone is an error, and so is a module of a room's
folders that no pattern fits.
"""

from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import NamedTuple

from tests.conftest import PROJECT

# Kernels run as plain Python: a changed module need not be compiled, and a wrong index is an error.
PLAIN = ("rules", "search")
# Most tests of searches are slow, as they compile; here they do not.
WHOLE = ("search",)
FOLDERS = {
    "rules": "shared/games/*/sim.py shared/games/*/state.py",
    "statistics": "referee/arena/statistics/*.py",
    "process": "referee/process/*.py referee/play/lateness.py",
    "bundler": "bundler/flattening/*.py bundler/strip.py",
    # Those that back up values
    "search": "shared/search/[amprst]*.py shared/search/turns/*.py",
}
# Replays the slice of a contest's recorded games.
SLICE = "golden/test_truth.py::test_the_slice_in_the_project"
# Repeats the first turns of a contest's golden game, by bots that play by a search.
TURNS = "golden/test_games.py::test_the_first_turns_are_the_recorded_ones"
# Compares hashes of all numbers of a contest or a kind of searches with recorded ones.
TRACE = "parity/test_modes.py::test_the_numbers_are_the_recorded_ones"
# Requirements of searches on every game of alternating moves
ALTERNATING = "conformance/test_alternating_games.py"
# Plays a few turns of a bot.
BOT = "conformance/test_expectations.py::test_it_tells_what_it_expects"
# Pattern of modules: their tests, in which {} is the module's name
TESTS = {
    "shared/games/ants/*": f"unit/test_ants_rules.py {SLICE}[ants] {TRACE}[ants] {TURNS}[ants]",
    "shared/games/cellularena/*": f"unit/test_cellularena.py {TRACE}[cellularena]"
    f" {TURNS}[cellularena]",
    "shared/games/code_of_kutulu/*": f"unit/code_of_kutulu {SLICE}[code_of_kutulu]"
    f" {TRACE}[code_of_kutulu] {TURNS}[code_of_kutulu]",
    "shared/games/coders_strike_back/*": f"unit/coders_strike_back {SLICE}[coders_strike_back]"
    f" {TRACE}[coders_strike_back] property/test_csb.py {TURNS}[coders_strike_back]",
    "shared/games/infexion/*": f"unit/infexion {TRACE}[infexion] {SLICE}[infexion]"
    f" {ALTERNATING} property/test_infexion.py {TURNS}[infexion]",
    "shared/games/samegame/*": f"unit/samegame {SLICE}[samegame] {TRACE}[samegame]"
    f" {TURNS}[samegame]",
    "shared/games/ultimate_tic_tac_toe/*": "unit/test_ultimate_tic_tac_toe.py"
    f" {SLICE}[ultimate_tic_tac_toe] {TRACE}[ultimate_tic_tac_toe] {ALTERNATING}"
    f" {TURNS}[ultimate_tic_tac_toe]",
    "shared/games/wayfinder/*": f"unit/wayfinder {SLICE}[wayfinder] {TRACE}[wayfinder]",
    "shared/games/xmas_rush/*": f"unit/xmas_rush {SLICE}[xmas_rush] {TRACE}[xmas_rush]"
    f" property/test_xmas.py {TURNS}[xmas_rush]",
    "referee/arena/statistics/scores.py": "arena/test_scores.py arena/test_statistics.py",
    "referee/arena/statistics/sprt.py": "arena/test_sprt.py" " arena/test_scores.py",
    "referee/arena/statistics/*": "arena/test_statistics.py arena/test_sprt.py arena/test_report.py"
    " league/test_pairing.py",
    "referee/play/lateness.py": "referee/test_lateness.py referee/test_limits.py"
    " referee/test_match.py",
    "referee/process/*usage.py": "referee/test_accounting.py referee/test_resource_usage.py"
    " referee/test_limits.py referee/test_match.py",
    "referee/process/output_buffer.py": "referee/test_output_buffer.py page/test_expected.py"
    " referee/test_match.py referee/test_limits.py referee/test_fuzz.py",
    "referee/process/procfs.py": "referee/test_procfs.py referee/test_match.py"
    " referee/test_supervisor.py",
    "referee/process/unflushed_output.py": "referee/test_match.py referee/test_limits.py",
    "referee/process/warmup.py": "referee/test_match.py referee/test_limits.py",
    "referee/process/bot_process.py": "referee/test_supervisor.py referee/test_match.py"
    " referee/test_limits.py referee/test_hostile_bots.py referee/test_idle.py"
    " referee/test_bots.py",
    "referee/process/*": "referee/test_supervisor.py referee/test_match.py"
    " referee/test_hostile_bots.py referee/test_limits.py",
    "bundler/strip.py": "bundler/test_stages.py bundler/test_text.py bundler/test_comments.py",
    "bundler/flattening/*": "bundler/test_style.py bundler/test_text.py bundler/test_programs.py"
    " native/test_own_bundles.py",
    "shared/search/tree.py": f"unit/search/test_bandit.py {TRACE}[monte_carlo] {TRACE}[smitsimax]"
    " unit/search/test_mcts.py unit/search/test_smitsimax.py",
    "shared/search/transpositions.py": f"{TRACE}[alphabeta] unit/search/test_alphabeta.py"
    f" {TRACE}[monte_carlo] {TRACE}[turns] unit/search/test_proof_number.py",
    "shared/search/alphabeta.py": f"{TRACE}[alphabeta] unit/search/test_{{}}.py {TRACE}[infexion]"
    f" {TRACE}[turns] {TURNS}[infexion]",
    "shared/search/mcts.py": f"{TRACE}[monte_carlo] unit/search/test_{{}}.py"
    f" {TRACE}[ultimate_tic_tac_toe] {TURNS}[ultimate_tic_tac_toe]",
    "shared/search/max_n.py": f"{TRACE}[code_of_kutulu] unit/search/test_{{}}.py"
    f" {TURNS}[code_of_kutulu] {BOT}[code_of_kutulu/paranoid]",
    "shared/search/sampler.py": f"unit/search/test_{{}}.py {TRACE}[ants] {TURNS}[ants]"
    f" {BOT}[ants/sampler]",
    "shared/search/smitsimax.py": f"{TRACE}[smitsimax] unit/search/test_{{}}.py"
    f" {TRACE}[coders_strike_back] {TURNS}[coders_strike_back]"
    f" {BOT}[code_of_kutulu/smitsimax] {BOT}[code_of_kutulu/imitation]",
    "shared/search/regret_matching.py": f"{TRACE}[smitsimax] unit/search/test_matrix_game.py",
    "shared/search/rave.py": f"{TRACE}[monte_carlo] unit/search/test_mcts.py",
    "shared/search/rollout.py": f"{TRACE}[monte_carlo] unit/search/test_mcts.py",
    "shared/search/simultaneous_uct.py": f"{TRACE}[smitsimax] unit/search/test_blocks.py"
    " unit/search/test_{}.py",
    "shared/search/proof_number.py": f"{TRACE}[monte_carlo] unit/search/test_{{}}.py",
    "shared/search/matrix_game.py": f"{TRACE}[smitsimax] unit/search/test_{{}}.py",
    "shared/search/retrograde.py": "unit/search/test_{}.py",
    "shared/search/turns/*": f"{TRACE}[turns] unit/search/test_{{}}.py",
    "shared/search/*": "unit/search/test_{}.py",
}


class Row(NamedTuple):
    """A module, by its path in the project, and its tests."""

    room: str
    path: str
    tests: tuple[str, ...]


def rows(room: str) -> list[Row]:
    """Returns the modules of a room; raises LookupError where tests are missing."""
    paths = sorted(path for pattern in FOLDERS[room].split() for path in PROJECT.glob(pattern))
    names = [str(path.relative_to(PROJECT)) for path in paths if path.stat().st_size > 200]
    return [Row(room, name, killers_of(name)) for name in names]


def killers_of(module: str) -> tuple[str, ...]:
    """Returns the tests that should kill the mutants of a module."""
    named = next((tests for pattern, tests in TESTS.items() if fnmatchcase(module, pattern)), "")
    name = PurePath(module).stem
    tests = tuple(f"tests/{test}" for test in named.format(name).split())
    missing = [test for test in tests if not (PROJECT / test.partition("::")[0]).exists()]
    if missing or not tests:
        raise LookupError(f"{module}: {' and '.join(missing) or 'no test'} missing, see {__file__}")
    return tests
