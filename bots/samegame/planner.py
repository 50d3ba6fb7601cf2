"""Plans of a whole game: a plan is played as long as it leads to the boards that are read."""

from shared.core.clock import FIRST_SHARE, Clock
from shared.core.loop import expect
from shared.games.samegame.protocol import LIMITS, format_action, read_turn
from shared.games.samegame.sim import apply, score
from shared.games.samegame.state import SCORE, SIDE, new_setup, new_state

FIRST_MS = 18_800  # of 20 s, in which the process starts as well
MARGIN_MS = 15


def new_clock():
    """Returns a clock with FIRST_MS at first."""
    return Clock(LIMITS._replace(first_ms=round(FIRST_MS / FIRST_SHARE)), MARGIN_MS)


class Planner:
    """Reads boards and plays a plan.

    find_plan(setup, state, clock) returns actions to the game's end. On later boards improve does
    so.
    """

    def __init__(self, find_plan, improve=None):
        self.find_plan, self.improve, self.clock = find_plan, improve, new_clock()
        self.setup, self.state, self.expected = new_setup(), new_state(), new_state()
        self.plan = []

    def choose(self):
        """Returns the plan's next action; plans anew where the board is another one."""
        same = [1 for x in range(SIDE) if self.state[x] == self.expected[x]]
        self.state[SCORE] = self.expected[SCORE]  # boards tell none
        if not self.plan or len(same) < SIDE:
            self.plan = self.find_plan(self.setup, self.state, self.clock)
        elif self.improve:
            self.plan = self.improve(self.setup, self.state, self.clock)
        else:
            self.clock.grant()  # a report of 0 nodes could not be given again
        self.tell()
        action = self.plan.pop(0)
        apply(self.setup, self.state, action, self.expected)
        return action

    def tell(self):
        """Report the plan and its final score."""
        before, after = self.state, self.expected
        for action in self.plan:
            apply(self.setup, before, action, after)
            before = after
        line = map(format_action, self.plan)
        expect(score(self.setup, after), len(self.plan), self.clock.granted, line)


def new_planner(find_plan, read_line, improve=None):
    """Returns the functions for `run` to play."""
    player = Planner(find_plan, improve)
    return (
        lambda: read_turn(read_line, player.state),
        lambda: [format_action(player.choose())],
        player.clock,
    )


def new_searcher(search, tree, functions, read_line, setup_for=None):
    """Returns the functions for a bot that plans until its time is up.

    functions: (reset, is_finished, plan_of) of the search. setup_for(state): the game's setup, if
    it depends on the board.
    """
    reset, is_finished, plan_of = functions

    def find_plan(setup, state, clock):
        setup = setup_for(state) if setup_for else setup
        reset(tree)
        while not is_finished(tree) and (nodes := clock.grant()):
            search(setup, state, tree, nodes)
        while not plan_of(tree) and not is_finished(tree):
            search(setup, state, tree, 1)  # a late answer is better than none
        return plan_of(tree)

    return new_planner(find_plan, read_line)
