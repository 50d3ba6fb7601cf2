"""The plans of SameGame's bots, as they are told for the page of a match."""

from bots.samegame.planner import Planner
from shared.core.jit import Ints, int_buffer
from shared.games.samegame.contest import CONTEST, Match
from shared.games.samegame.protocol import format_action, read_turn
from shared.games.samegame.sim import apply, is_over, legal
from shared.games.samegame.state import MAX_ACTIONS


def first_regions(setup: Ints, state: Ints, clock: object) -> list[int]:
    """A plan by the first region of each board."""
    board, actions, plan = state.copy(), int_buffer(MAX_ACTIONS), []
    while not is_over(setup, board):
        legal(setup, board, actions)
        plan.append(int(actions[0]))
        apply(setup, board, plan[-1], board)
    return plan


def play(planner: Planner) -> Match:
    """A game to its end by the planner."""
    match = CONTEST.new_match(3)
    while match.outcome() is None:
        lines = iter(match.turn_input(0))
        read_turn(lambda lines=lines: next(lines), planner.state)
        planner.clock.start()
        action = planner.choose()
        match.play({0: match.parse(0, [format_action(action)])})
    return match


def test_each_turn_of_a_plan_tells_the_score_of_the_whole_game(capsys):
    """Boards are read with a score of 0, and the points made so far count as well."""
    match = play(Planner(first_regions))
    told = {line.split("|")[0].split()[1] for line in capsys.readouterr().err.splitlines()}
    assert told == {f"{match.outcome().scores[0]:.4g}"}
