"""The input of a Code of Kutulu bot: the resulting state, and its errors for malformed text."""

from random import Random

import pytest

from bots.code_of_kutulu.tracker import Tracker
from shared.core.protocol import ProtocolError
from shared.games.code_of_kutulu.contest import Match
from shared.games.code_of_kutulu.state import (
    ALIVE,
    CELL,
    CELLS,
    EFFECTS,
    KIND_BIT,
    LIGHTS,
    MEMORY,
    MEMORY_BIT,
    MINIONS,
    N_ACTIONS,
    N_MINIONS,
    N_PLAYERS,
    PLANS,
    SANITIES,
    SHELTERS,
    SLASHED,
    STATE,
    STATE_BIT,
    TARGET,
    TARGET_BIT,
    TIMER,
    TIMER_BIT,
    TURN,
    WANDERING,
    YELLS,
)

pytestmark = pytest.mark.slow("compiles the bots' view of Code of Kutulu")

# The input of player 0 in Match(1), as text: each process collects all tests, and a Match compiles.
LINES = """15
15
###############
#.............#
#.###.#.#.###.#
#.............#
###.#.#.#.#.###
#...#w#.#w#...#
#.#U#.#.#.#U#.#
#.............#
#.#U#.#.#.#U#.#
#...#w#.#w#...#
###.#.#.#.#.###
#.............#
#.###.#.#.###.#
#.............#
###############
5 2 4 38""".splitlines()
FIRST = """4
EXPLORER 0 2 1 250 2 3
EXPLORER 1 12 1 250 2 3
EXPLORER 2 2 13 250 2 3
EXPLORER 3 12 13 250 2 3""".splitlines()


def reader(lines):
    lines = list(lines)
    return lambda: lines.pop(0) + "\n" if lines else ""


def seen(state, player):
    """The parts of a state that a player sees, as player 0; without the ids of minions."""
    agents = [(player + i) % N_PLAYERS for i in range(N_PLAYERS)]
    told = {"turn": int(state[TURN]), "shelters": int(state[SHELTERS])}
    living = [agent for agent in agents if int(state[ALIVE]) >> agent & 1]
    for field in (CELLS, SANITIES, PLANS, LIGHTS, EFFECTS):
        told[field] = [int(state[field + agent]) for agent in living]
    told["slashed"] = [int(state[SLASHED]) >> agent & 1 for agent in living]
    told["yells"] = {
        (agents.index(yeller), agents.index(receiver))
        for yeller in agents
        for receiver in living
        if int(state[YELLS]) >> N_PLAYERS * yeller + receiver & 1
    }
    told["minions"] = []
    for minion in map(int, state[MINIONS : MINIONS + int(state[N_MINIONS])]):
        target = (minion >> TARGET_BIT & TARGET) - 1
        kind, minion_state = minion >> KIND_BIT & 1, minion >> STATE_BIT & STATE
        memory = minion >> MEMORY_BIT & MEMORY
        if minion_state == WANDERING or (target >= 0 and target not in living):
            memory = 0  # it forgets before it rushes
        target = agents.index(target) if target in living else -1
        told["minions"].append(
            (kind, minion & CELL, minion_state, minion >> TIMER_BIT & TIMER, target, memory)
        )
    return told


@pytest.mark.parametrize("seed", range(6))
def test_a_bot_knows_the_state_of_a_game_of_random_play(seed):
    """In every turn and for every player, including remembered targets of slashers, and facts that
    the input omits.
    """
    game, rng, player = Match(seed), Random(seed), seed % N_PLAYERS
    lines = game.initial_input(player)
    tracker = Tracker(lambda: lines.pop(0) if lines else "")
    while player in game.players_to_move():
        lines += game.turn_input(player)
        assert tracker.read_turn()
        assert seen(tracker.state, 0) == seen(game.state, player)
        game.play({p: rng.randrange(N_ACTIONS) for p in game.players_to_move()})
    assert tracker.turn > 20 and not tracker.read_turn()


def changed(number, text, lines=FIRST):
    """Returns a first turn with line `number`, from 0, replaced."""
    return [*LINES, *lines[:number], text, *lines[number + 1 :]]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["x"], "expected the width of the maze (1 whole number), got 'x'"),
        (["33", "1", "#" * 32 + ".", "1 1 1 1"], "too large a maze"),
        (["3", "2", "###", "##", "1 1 1 1"], "expected 2 rows of 3 of # . w U, got ['###', '##']"),
        (["3", "1", "#.#", "1 1 1"], "spawn and life time (4 whole numbers), got '1 1 1'"),
        (["3", "1", "#.#", "1 1 1 999"], "too large a maze for this bot: ['#.#'], [1, 1, 1, 999]"),
        (changed(0, "0"), "expected 1 to 96 entities, got 0"),
        (changed(1, "EXPLORER 0 1 1 250 2"), "entity 1, EXPLORER"),
        (changed(1, "EXPLORER 0 1 1 256 2 3"), "entity 1 is in a wall or has strange numbers"),
        (changed(4, "WANDERER 4 1 1 -1 1 -1"), "entity 4 is in a wall or has strange numbers"),
        (changed(1, "EXPLORER 0 0 0 250 2 3"), "entity 1 is in a wall or has"),
        (
            changed(2, FIRST[1]),
            "own explorer first, and each one once",
        ),
        (changed(0, "5"), "the input ended where entity 5, EXPLORER"),
    ],
)
def test_a_malformed_line_is_named_and_shown(lines, message):
    with pytest.raises(ProtocolError) as error:
        Tracker(reader(lines)).read_turn()
    assert message in str(error.value) and "\n" not in str(error.value)
