"""Ultimate Tic-Tac-Toe for searches, with rollouts that take decisive moves."""

from shared.core.bits import count_bits
from shared.core.jit import inline
from shared.games.ultimate_tic_tac_toe.game import GAME as RULES
from shared.games.ultimate_tic_tac_toe.sim import (
    DIGIT,
    boards_won,
    nth,
    open_boards,
    open_cells,
    playable,
    sample,
    sample_from,
)
from shared.games.ultimate_tic_tac_toe.state import (
    ALL,
    ANY,
    N_CELLS,
    NEXT,
    TURN,
    WINS,
)


@inline
def boards_lead(setup, state):
    """Returns the mover's lead in small boards won."""
    mover = state[TURN] & 1
    return count_bits(boards_won(state, mover)) - count_bits(boards_won(state, 1 - mover))


@inline
def winning_cells(setup, state, board, player):
    """Returns a mask of the empty cells that win a small board for a player."""
    own = state[board] >> (N_CELLS if player else 0) & ALL
    return setup[WINS + own] & open_cells(state, board)


@inline
def sample_decisively(setup, state, rng):
    """Returns an action that wins the game, else any legal action.

    Source: Teytaud and Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search
    algorithms" (CIG 2010).
    """
    mover = state[TURN] & 1
    boards = setup[WINS + boards_won(state, mover)] & playable(state)
    while boards:
        board = nth(setup, boards, 0)
        boards &= boards - 1
        cells = winning_cells(setup, state, board, mover)
        if cells:
            return board << DIGIT | nth(setup, cells, 0)
    return sample(setup, state, rng)


@inline
def sample_greedily(setup, state, rng):
    """Returns an action that wins the game or a small board, else any legal action."""
    mover = state[TURN] & 1
    board = state[NEXT]
    if board == ANY:
        boards = setup[WINS + boards_won(state, mover)] & open_boards(state)
        while boards:
            board = nth(setup, boards, 0)
            boards &= boards - 1
            cells = winning_cells(setup, state, board, mover)
            if cells:
                return board << DIGIT | nth(setup, cells, 0)
        board = sample_from(setup, open_boards(state), rng)
    cells = winning_cells(setup, state, board, mover)
    if cells == 0:
        cells = open_cells(state, board)
    return board << DIGIT | sample_from(setup, cells, rng)


GAME = RULES._replace(evaluate=boards_lead)
