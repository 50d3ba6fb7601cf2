"""Othello against its rules written out, and against published counts of positions."""

import pytest

from shared.core.checks.perft import count_sequences, make_perft
from shared.core.jit import int_buffer, kernel
from shared.core.rng import seed_rng
from tests.support.alternating_games import Rules
from tests.support.games import othello

# Aart Bik's "Reversi perft" counts, with passes as moves.
PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


@pytest.fixture(scope="module")
def rules():
    return Rules(othello.GAME, othello.new_setup())


def flips_of(discs, player, x, y):
    """The cells that a disc flips; discs: {(x, y): player}."""
    flips = []
    for dx, dy in DIRECTIONS:
        line, cell = [], (x + dx, y + dy)
        while discs.get(cell) == 1 - player:
            line.append(cell)
            cell = (cell[0] + dx, cell[1] + dy)
        if discs.get(cell) == player:
            flips += line
    return flips


def legal_of(discs, player):
    cells = [(x, y) for y in range(8) for x in range(8) if (x, y) not in discs]
    return [8 * y + x for x, y in cells if flips_of(discs, player, x, y)]


def boards_of(discs, player):
    """The two bitboards, as signed numbers of 64 bits."""
    for one in (player, 1 - player):
        mask = sum(1 << 8 * y + x for (x, y), owner in discs.items() if owner == one)
        yield mask - (1 << 64) if mask >> 63 else mask


def test_it_agrees_with_its_rules_written_out(rules):
    rng, n_passes, corners = int_buffer(1), 0, 0
    for seed in range(25):
        seed_rng(rng, seed)
        discs = {(4, 3): 0, (3, 4): 0, (3, 3): 1, (4, 4): 1}
        for ply, (state, action) in enumerate(rules.random_game(othello.new_state(), rng)):
            player = ply % 2
            assert list(state) == [*boards_of(discs, player), ply]
            cells, others = legal_of(discs, player), legal_of(discs, 1 - player)
            assert rules.is_over(state) == (not cells and not others)
            owned = [*discs.values()].count(player)
            lead = 2 * owned - len(discs)
            assert rules.result(state) == (lead > 0) - (lead < 0)
            if action is None:
                corners += (7, 7) in discs
                break
            assert rules.legal(state) == (cells or [othello.PASS])
            if action == othello.PASS:
                n_passes += 1
                continue
            x, y = action % 8, action // 8
            for cell in [(x, y), *flips_of(discs, player, x, y)]:
                discs[cell] = player
    assert n_passes > 5 and corners > 5


def test_there_are_as_many_games_as_published():
    perft = kernel(make_perft(othello.GAME))
    for depth, sequences in enumerate(PERFT, 1):
        found = count_sequences(
            othello.GAME, perft, othello.new_setup(), othello.new_state(), depth
        )
        assert found[0] == sequences
