"""How many games go to a worker at once: to send one alone takes longer than to play a short one."""

BATCH_S = 0.5
MOST_GAMES = 500


def next_size(n_games: int, seconds: float) -> int:
    """The size of a batch that takes BATCH_S, by one of n_games that took so many seconds; at most
    twice as large as that one.
    """
    wanted = int(n_games * BATCH_S / max(seconds, 1e-6))
    return max(1, min(wanted, 2 * n_games, MOST_GAMES))
