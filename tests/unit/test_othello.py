"""Othello against its rules written out, and against published counts of positions."""

from shared.core.checks.perft import count_sequences, make_perft
from shared.core.jit import kernel
from shared.games.othello import game as othello

# Aart Bik's "Reversi perft" counts, with passes as moves.
PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)


def test_there_are_as_many_games_as_published():
    perft = kernel(make_perft(othello.GAME))
    for depth, sequences in enumerate(PERFT, 1):
        found = count_sequences(
            othello.GAME, perft, othello.new_setup(), othello.new_state(), depth
        )
        assert found[0] == sequences
