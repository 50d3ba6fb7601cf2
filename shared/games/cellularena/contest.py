"""Cellularena as a `Contest` of `shared/core/contest.py`."""

from random import Random
from typing import Any

from ...core.contest import Case, Contest, Outcome, Rebuilt
from ...core.drawing.shapes import Scene
from ...core.jit import int_buffer
from ...core.protocol import ProtocolError, read_turns
from ...games.cellularena.maps import new_game
from ...games.cellularena.protocol import (
    LIMITS,
    cell_line,
    format_action,
    parse_action,
    read_start,
    read_turn,
    start_lines,
    turn_lines,
)
from ...games.cellularena.render import render
from ...games.cellularena.sim import (
    DIED,
    FULL,
    LAST_TURN,
    MAX_TURNS,
    STARVED,
    apply,
    can_buy,
    is_over,
    is_possible,
    total_proteins,
)
from ...games.cellularena.state import (
    BASIC,
    BOARD_SIZE,
    CELLS,
    ENDED,
    FACING,
    FACING_BIT,
    HARVESTER,
    HEIGHT,
    ID_BIT,
    JOINT_SIZE,
    KIND,
    MAX_ACTIONS,
    N_PLAYERS,
    N_PROTEINS,
    NORTH,
    ORGANS,
    ROOT,
    ROOTS,
    SPORER,
    STEPS,
    STOCKS,
    TENTACLE,
    TURN,
    WAIT,
    WIDTH,
    A,
    D,
    faced_cell,
    is_free,
    is_organ,
    new_state,
    organ_cells,
    owner_of,
    pack_action,
    place_of,
    root_of,
)

TOP_LEAGUE = 5
FAULT = -1  # the score of a player eliminated for a fault
REASONS = {
    STARVED: "not enough proteins to grow on",
    FULL: "the board is full",
    LAST_TURN: f"{MAX_TURNS} turns are played",
}


class Match:
    """One game of the top league, always at the start of a turn. first_id: the id of player 0's
    root.
    """

    n_players = N_PLAYERS

    def __init__(self, seed: int, n_players: int = N_PLAYERS, first_id: int = 1) -> None:
        self.state = new_game(seed, first_id)
        self.growths = int_buffer(MAX_ACTIONS)
        self.faults: dict[int, str] = {}
        self.actions: dict[int, list[str]] = {}

    def setup(self) -> dict[str, Any]:
        """Returns the constant data of the game, for the page."""
        return setup_of(self.state)

    def snapshot(self) -> dict[str, Any]:
        """Returns the state after a turn as plain data, for the page."""
        return snapshot_of(self.state, self.actions)

    def players_to_move(self) -> list[int]:
        return [] if self.outcome() else list(range(N_PLAYERS))

    def initial_input(self, player: int) -> list[str]:
        return start_lines(self.state)

    def turn_input(self, player: int) -> list[str]:
        return turn_lines(self.state, player)

    def lines_expected(self, player: int) -> int:
        return int(self.state[ROOTS + player])

    def parse(self, player: int, lines: list[str]) -> Any:
        return [parse_action(self.state, player, line) for line in lines]

    def random_lines(self, player: int, rng: Random) -> list[str]:
        cells = organ_cells(self.state, player)
        contents = {cell: int(self.state[CELLS + cell]) for cell in cells}
        roots = [cell for cell in cells if contents[cell] & KIND == ROOT]
        lines = []
        for root in roots:
            own = [cell for cell in cells if root_of(contents[cell]) == root]
            fate = rng.random()
            if fate < 0.3:
                lines.append(self._strange_line(own, player, rng))
            elif fate < 0.5:
                lines.append("WAIT")
            else:
                actions = self._actions_of(player, own, rng)
                lines.append(format_action(self.state, rng.choice(actions) if actions else WAIT))
        return lines

    def _strange_line(self, own: list[int], player: int, rng: Random) -> str:
        """Returns the line of a growth or spore towards a rival organ or a random place, which may
        be far, taken or off the board.
        """
        places = [(rng.randrange(-1, int(self.state[WIDTH]) + 1), rng.randrange(-1, 13))]
        places += [place_of(cell) for cell in organ_cells(self.state, 1 - player)]
        x, y = rng.choice((places[0], places[-1], rng.choice(places)))
        number = int(self.state[CELLS + rng.choice(own)]) >> ID_BIT
        kind = rng.choice(("BASIC", "BASIC", "TENTACLE", "HARVESTER", "SPORER", "ROOT"))
        facing = rng.choice(("", " N", " e", " S", " W", " words"))
        return rng.choice((f"GROW {number} {x} {y} {kind}{facing}", f"SPORE {number} {x} {y}"))

    def _actions_of(self, player: int, own: list[int], rng: Random) -> list[int]:
        """Returns affordable actions of an organism, with one direction each. Harvests and attacks
        are listed ten times.
        """
        kinds = [kind for kind in range(BASIC, SPORER + 1) if can_buy(self.state, player, kind)]
        actions = []
        for cell in own:
            for step in STEPS:
                if not is_possible(self.state, player, pack_action(BASIC, 0, cell + step, cell)):
                    continue
                for kind in kinds:
                    useful = self._useful_facings(player, kind, cell + step)
                    facing = rng.choice(useful or range(len(STEPS)))
                    actions += [pack_action(kind, facing, cell + step, cell)] * (
                        1 + 9 * bool(useful)
                    )
            if can_buy(self.state, player, ROOT):
                actions += self._spores(player, cell)
        return actions

    def _useful_facings(self, player: int, kind: int, cell: int) -> list[int]:
        """Returns the directions in which a new organ would harvest or attack at once."""
        useful = []
        for facing, step in enumerate(STEPS):
            faced = int(self.state[CELLS + cell + step])
            is_rival = is_organ(faced) and owner_of(faced) != player
            if (kind == HARVESTER and A <= faced & KIND <= D) or (kind == TENTACLE and is_rival):
                useful.append(facing)
        return useful

    def _spores(self, player: int, cell: int) -> list[int]:
        """Returns the actions that spore from a cell; [] if its organ is no sporer."""
        content = int(self.state[CELLS + cell])
        if content & KIND != SPORER:
            return []
        targets, target = [], faced_cell(cell, content)
        while is_free(int(self.state[CELLS + target])):
            targets.append(pack_action(ROOT, NORTH, target, cell))
            target += STEPS[content >> FACING_BIT & FACING]
        return [action for action in targets if is_possible(self.state, player, action)]

    def eliminate(self, player: int, reason: str) -> None:
        """Eliminate a player: the game ends with this turn (RULES.md, section 7)."""
        self.faults[player] = reason

    def play(self, actions: dict[int, Any]) -> None:
        if self.state[ENDED]:
            return
        self.actions = {
            player: [format_action(self.state, action) for action in actions[player]]
            for player in sorted(actions)
        }
        joint = int_buffer(JOINT_SIZE)
        n = N_PLAYERS
        for player in range(N_PLAYERS):
            for action in actions.get(player, ()):
                joint[n] = action
                joint[player] += 1
                n += 1
        apply(self.state, joint, self.growths)

    def outcome(self) -> Outcome | None:
        if not (is_over(self.state) or self.faults):
            return None
        players = range(N_PLAYERS)
        scores = [FAULT if p in self.faults else int(self.state[ORGANS + p]) for p in players]
        if self.faults:
            reason = "; ".join(self.faults.values())
        elif self.state[ENDED] == DIED:
            dead = [f"player {p}" for p in players if not scores[p]]
            reason = f"{' and '.join(dead)} has no organ left"
        else:
            reason = REASONS[int(self.state[ENDED])]
        if scores[0] == scores[1]:
            scores = [total_proteins(self.state, player) for player in players]
            reason += f", {self.state[ORGANS]} organs each" if not self.faults else ""
        ranks = tuple(int(score < max(scores)) for score in scores)
        return Outcome(ranks, tuple(map(float, scores)), reason)


def setup_of(state: Any) -> dict[str, Any]:
    """Returns the board's size and the turn limit."""
    return {"width": int(state[WIDTH]), "height": int(state[HEIGHT]), "max_turns": MAX_TURNS}


def snapshot_of(state: Any, actions: dict[int, list[str]]) -> dict[str, Any]:
    """Returns a state as plain data, for the page; cells in use as the lines of player 0."""
    cells = [cell for cell in range(BOARD_SIZE) if int(state[CELLS + cell]) & KIND]
    size = int(state[WIDTH]), int(state[HEIGHT])
    inside = [cell for cell in cells if all(0 <= n < m for n, m in zip(place_of(cell), size))]
    stocks = [int(number) for number in state[STOCKS : STOCKS + N_PLAYERS * N_PROTEINS]]
    return {
        "turn": int(state[TURN]),
        "cells": [cell_line(state, cell, 0) for cell in inside],
        "stocks": [stocks[:N_PROTEINS], stocks[N_PROTEINS:]],
        "organs": [int(state[ORGANS + player]) for player in range(N_PLAYERS)],
        "roots": [int(state[ROOTS + player]) for player in range(N_PLAYERS)],
        "actions": {str(player): lines for player, lines in actions.items()},
    }


def rebuild(seed: int, options: dict[str, str], inputs: dict[int, list[str]]) -> Rebuilt:
    """Recreate the game of an official seed, with the ids of roots from the input.

    Raises ProtocolError for another league than the top one.
    """
    league = options.get("league", str(TOP_LEAGUE))
    if league != str(TOP_LEAGUE):
        raise ProtocolError(f"only the top league, {TOP_LEAGUE}, is simulated, not league {league}")
    first_id = min(
        (int(line.split()[4]) for line in inputs[min(inputs)] if " ROOT " in line), default=1
    )
    return Rebuilt(Match(seed, first_id=first_id), players=tuple(range(N_PLAYERS)))


def reconstruct(player: int, inputs: list[list[str]]) -> list[Scene | None]:
    """Returns setup and snapshot before each turn, see `Contest.reconstruct`."""
    state, size = new_state(), []

    def read(read_line: Any) -> Scene:
        if not size:
            size.append(read_start(read_line))
        read_turn(read_line, read_line(), size[0], player, state)
        scene = setup_of(state), snapshot_of(state, {})
        state[TURN] += 1
        return scene

    return read_turns(inputs, read)


def map_of(seed: int, n_players: int) -> Case:
    """Returns a seed's case, with its size."""
    state = new_game(seed)
    return Case(f"board of seed {seed}", f"{state[WIDTH]} x {state[HEIGHT]}")


CONTEST = Contest(
    name="cellularena",
    title="Cellularena",
    players=(N_PLAYERS, N_PLAYERS),
    limits=LIMITS,
    new_match=Match,
    render=render,
    reconstruct=reconstruct,
    rebuild=rebuild,
    map_of=map_of,
)
