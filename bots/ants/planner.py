"""Shared by the bots: survey each turn, then decide the moves."""

from typing import Callable

from bots.ants.combat import HOLD, new_field
from bots.ants.survey import Weights, new_contacts, survey
from bots.ants.territory import new_territory
from bots.ants.tracker import MAX_ANTS, Tracker
from shared.games.ants.protocol import DONE, LIMITS, format_order

MARGIN_MS = 60


class Planner:
    """A player's turns: `prepare` values the moves, `orders` returns the chosen ones."""

    def __init__(self, weights: Weights):
        self.weights = weights
        self.fades, self.rates = weights.fades(), weights.rates()

    def start(self, tracker: Tracker) -> None:
        """Allocate the buffers of a game."""
        start = tracker.start
        n_cells = start.rows * start.cols
        self.tracker = tracker
        self.territory = new_territory(n_cells, MAX_ANTS, self.weights.reach, self.weights.nearness)
        self.field = new_field(n_cells, 2 * MAX_ANTS)
        self.contacts = new_contacts(start.radii.attack, start.rows, start.cols)

    def prepare(self) -> None:
        memory = self.tracker.memory
        survey(memory, self.territory, self.field, self.contacts, self.fades, self.rates)

    def orders(self) -> list:
        """Returns a turn's order lines from the own ants' moves."""
        tracker, cols = self.tracker, self.tracker.start.cols
        moves = [int(self.field.moves[ant]) for ant in range(len(tracker.own))]
        return [
            format_order(cell, move, cols) for cell, move in zip(tracker.own, moves) if move != HOLD
        ] + [DONE]


def make_player(read_line: Callable, weights: Weights, choose: Callable, clock=None) -> tuple:
    """Returns the functions for `run` to play one game. choose(memory, field) sets own ants' moves.
    The start counts as the first turn, so that a replay grants each turn the same nodes.
    """
    tracker, planner = Tracker(read_line), Planner(weights)
    is_started = False

    def read_turn():
        return tracker.read_turn() if is_started else tracker.read_start()

    def answer():
        nonlocal is_started
        if is_started:
            planner.prepare()
            choose(tracker.memory, planner.field)
            return planner.orders()
        is_started = True
        planner.start(tracker)
        if clock is not None:
            clock.grant()
            # The site's limit varies from game to game.
            clock.set_limits(LIMITS._replace(turn_ms=tracker.start.turn_ms), MARGIN_MS)
        return [DONE]

    return read_turn, answer, clock
