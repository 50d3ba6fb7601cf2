"""Claims of MSmits' post-mortem of X-mas Rush about Smitsimax: variants of the bot play.

    python -m tests.lab.xmas_rush.claims FIRST SECOND [--games 60] [--nodes 5000] [--seed 1]

The variants differ in one thing each and search the same number of iterations a turn, so that a
result depends on no clock. They play in one process through the text of the game, every seed from
both seats. Prints the first one's share of the points with its 95% interval. Also prints the
numbers of games that were drawn, ended in a deadlock, or had a player complete all quests.

    smitsimax   the present bot: a random one of the best walks after every pair of pushes.
    evaluated   instead of a random one, the walk that ends nearest to a wanted item, on the tile
                with the most paths.
    walk-nodes  the walks after the first pushes are chosen in the tree, with their own statistics.
    drawn       quests not yet shown to a player are drawn at random for each line searched.
    no-breaker  without the deadlock breaker.
    no-places   the evaluation ignores the players' places.
    selfish     each player is assumed to value only its own quests.
    noise-10    a tenth of all choices in the tree are random (`Options.noise`).
    noise-25    a quarter.
"""

from enum import StrEnum
from typing import Annotated, NamedTuple

import typer

from bots.xmas_rush.game import (
    ALL_PUSHES,
    ALLOWED,
    CELL,
    CELL_BITS,
    FIRST_TURN,
    SETUP_SIZE,
    apply_actions,
    chosen_walk,
    found_at,
    legal,
    list_walks,
    make_game,
    next_turn,
    sample,
    search_is_over,
    walk_looked_up,
)
from bots.xmas_rush.paths import greedy_ends
from bots.xmas_rush.places import paths_and_distance
from bots.xmas_rush.planner import Planner
from bots.xmas_rush.smitsimax import GAME, OPTIONS, PLACES, WEIGHTS
from bots.xmas_rush.tracker import Tracker
from referee.arena.statistics.elo import wilson_interval
from shared.core.game import SimultaneousGame
from shared.core.jit import inline, int_buffer, kernel
from shared.games.xmas_rush.contest import CONTEST
from shared.games.xmas_rush.sim import (
    MAX_TURNS,
    count_cells,
    push_turn,
    walk,
)
from shared.games.xmas_rush.state import (
    DONE,
    N_PLAYERS,
    NAMES,
    PATHS,
    PLAYERS,
    ROWS,
    TILE_BITS,
    TURN,
    WANTED,
)
from shared.search.determinization import determinize
from shared.search.smitsimax import (
    Options,
    make_search,
    new_trees,
    reset,
    summary,
)
from tests.lab.xmas_rush.drawn_quests import draw_quests

CAPACITY = 500000  # nodes
N_CARDS = len(NAMES)  # quests of each player
# An index at the end of a setup: the place of the walks after the pushes just played, counted from
# the first pair's.
PAIR = SETUP_SIZE
ANY_WALK = -1


@inline
def distance(cell, other):
    """Columns and rows between two cells."""
    return abs(cell // TILE_BITS - other // TILE_BITS) + abs(cell % TILE_BITS - other % TILE_BITS)


@inline
def best_end(state, player, ends):
    """The cell of a board nearest to a wanted item, of those the one with the most paths."""
    best = 0
    best_worth = -1000
    for cell in range(CELL):
        if ends >> cell & 1:
            nearest = 100
            for item in range(CELL):
                if state[WANTED + player] >> item & 1:
                    nearest = min(nearest, distance(cell, item))
            tile = state[ROWS + cell % TILE_BITS] >> TILE_BITS * (cell // TILE_BITS)
            worth = count_cells(tile & PATHS) - 4 * nearest
            if worth > best_worth:
                best_worth = worth
                best = 1 << cell
    return best


@inline
def apply_evaluated(setup, state, joint_action):
    """`turns.apply_actions` with the best end of each walk instead of a random one."""
    if state[TURN] & 1 == 0:
        apply_actions(setup, state, joint_action)
        return
    first = state[TURN] == setup[FIRST_TURN]
    push_0, push_1 = joint_action[0], joint_action[1]
    push_turn(state, push_0, push_1)
    next_turn(state)
    if state[TURN] <= MAX_TURNS:
        if first:
            at_0, at_1 = found_at(push_0, push_1, 0), found_at(push_0, push_1, 1)
            ends_0, taken_0 = setup[at_0], setup[at_0 + 1]
            ends_1, taken_1 = setup[at_1], setup[at_1 + 1]
        else:
            ends_0, taken_0, ends_1, taken_1 = greedy_ends(state)
        walk(state, 0, state[PLAYERS], taken_0)
        walk(state, 1, state[PLAYERS + 1], taken_1)
        state[PLAYERS] = best_end(state, 0, ends_0)
        state[PLAYERS + 1] = best_end(state, 1, ends_1)
    next_turn(state)


@inline
def after_first_push(setup, state):
    """Returns True in the move turn after the push turn with which the search began."""
    return setup[FIRST_TURN] & 1 == 1 and state[TURN] == setup[FIRST_TURN] + 1


@inline
def legal_with_walks(setup, state, player, actions):
    """`turns.legal`, with the walks after the first pushes."""
    if not after_first_push(setup, state):
        return legal(setup, state, player, actions)
    return list_walks(setup, setup[PAIR] + found_at(0, 0, player), actions)


@inline
def sample_with_walks(setup, state, player, rng):
    """`turns.sample`, with any walk after the first pushes."""
    return ANY_WALK if after_first_push(setup, state) else sample(setup, state, player, rng)


@inline
def apply_with_walks(setup, state, joint_action):
    """`turns.apply_actions`, with a turn for the first pushes and one for the walks after them.

    A walk that the pushes of this simulation do not allow is replaced by a random one that they do.
    """
    if after_first_push(setup, state):
        for player in range(N_PLAYERS):
            at = setup[PAIR] + found_at(0, 0, player)
            action = joint_action[player]
            end, taken = chosen_walk(setup, at, action)
            if action != ANY_WALK and setup[at + 2 * (action >> CELL_BITS)] & end:
                walk(state, player, end, taken)
            else:
                walk_looked_up(setup, state, player, at)
        next_turn(state)
    elif state[TURN] & 1 and state[TURN] == setup[FIRST_TURN]:
        setup[PAIR] = found_at(joint_action[0], joint_action[1], 0) - found_at(0, 0, 0)
        push_turn(state, joint_action[0], joint_action[1])
        next_turn(state)
    else:
        apply_actions(setup, state, joint_action)


@inline
def over_with_walks(setup, state):
    """`turns.search_is_over`; a search from a move turn ends as early as without these walks."""
    return search_is_over(setup, state) or state[TURN] >= setup[FIRST_TURN] + 5


@inline
def evaluate_selfish(setup, state, scores):
    """`game.make_evaluate`'s, without the other player's score."""
    for player in range(N_PLAYERS):
        n_paths, nearest = paths_and_distance(state, player)
        stands = PLACES.ways * n_paths - PLACES.near * nearest
        scores[player] = WEIGHTS.quest * state[DONE + player] + stands


class Variant(NamedTuple):
    """The parts of a player's search."""

    game: SimultaneousGame
    options: Options = OPTIONS
    breaks_deadlocks: bool = True


VARIANTS = {
    "smitsimax": Variant(GAME),
    "evaluated": Variant(GAME._replace(apply=apply_evaluated)),
    "walk-nodes": Variant(
        GAME._replace(
            legal=legal_with_walks,
            sample=sample_with_walks,
            apply=apply_with_walks,
            is_over=over_with_walks,
        ),
        OPTIONS._replace(holds=(1, *OPTIONS.holds)),
    ),
    "drawn": Variant(determinize(GAME, draw_quests)),
    "no-breaker": Variant(GAME, breaks_deadlocks=False),
    "no-places": Variant(make_game(WEIGHTS)),
    "selfish": Variant(GAME._replace(evaluate=evaluate_selfish)),
    "noise-10": Variant(GAME, OPTIONS._replace(noise=0.1)),
    "noise-25": Variant(GAME, OPTIONS._replace(noise=0.25)),
}
Name = StrEnum("Name", {name: name for name in VARIANTS})


class Player:
    """A variant that plays one game after another."""

    def __init__(self, name, nodes):
        self.variant = VARIANTS[name]
        self.nodes = nodes
        game, options, _ = self.variant
        self.search = kernel(make_search(game, options))
        self.trees = new_trees(game, options, CAPACITY)

    def begin(self):
        """Make ready for a game."""
        self.lines = []
        self.tracker = Tracker(lambda: self.lines.pop(0) if self.lines else "")
        self.planner = Planner()
        self.planner.setup = int_buffer([*self.planner.setup, 0])

    def answer(self, lines):
        """Answer the lines of a turn."""
        self.lines += [line + "\n" for line in lines]
        self.tracker.read_turn()
        state, planner = self.tracker.state, self.planner
        planner.prepare(state)
        if not self.variant.breaks_deadlocks:
            planner.setup[ALLOWED] = planner.setup[ALLOWED + 1] = ALL_PUSHES
        reset(self.trees)
        # `determinize` needs one number more than a state has.
        self.search(planner.setup, int_buffer([*state, 0]), self.trees, self.nodes)
        return planner.answer(state, summary(self.trees).lines[0][0])


def play(seed, players):
    """The outcome of a game."""
    match = CONTEST.new_match(seed, N_PLAYERS)
    for player in players:
        player.begin()
    while match.outcome() is None:
        lines = [players[p].answer(match.turn_input(p)) for p in range(N_PLAYERS)]
        match.play({p: match.parse(p, [lines[p]]) for p in range(N_PLAYERS)})
    return match.outcome()


def main(
    first: Name,
    second: Name,
    games: Annotated[int, typer.Option(min=2, help="Games, two of every seed.")] = 60,
    nodes: Annotated[int, typer.Option(min=1, help="Iterations a turn.")] = 5000,
    seed: Annotated[int, typer.Option(min=0, help="The first seed.")] = 1,
):
    """Play a series between two variants and print the first one's share of the points."""
    players = [Player(name, nodes) for name in (first, second)]
    points, draws, deadlocks, completed = 0.0, 0, 0, 0
    for number in range(games):
        seat = number % 2
        outcome = play(seed + number // 2, players if seat == 0 else players[::-1])
        drawn = outcome.ranks[0] == outcome.ranks[1]
        points += 0.5 if drawn else float(outcome.ranks[seat] == 0)
        draws += drawn
        deadlocks += "same line" in outcome.reason
        completed += max(outcome.scores) >= N_CARDS
    low, high = wilson_interval(points / games, games)
    print(
        f"{first} against {second}, {nodes} iterations: {points:g} of {games} points,"
        f" {points / games:.3f} (95% interval {low:.3f} to {high:.3f});"
        f" {draws} draws, {deadlocks} deadlocks, {completed} with all quests completed"
    )


if __name__ == "__main__":
    typer.run(main)
