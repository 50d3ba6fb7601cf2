"""Ants: knowledge of a game that lasts longer than a turn."""

from bots.ants.memory import N_ENEMIES
from bots.ants.tracker import Tracker
from shared.games.ants.protocol import Start, start_lines
from shared.games.ants.state import Radii

ROWS = COLS = 20
OWN = "a 10 10 0"


def calm_of(turns):
    """Returns {(row, column): calm} of the enemies after turns, each a list of enemies' places."""
    lines = start_lines(Start(1000, ROWS, COLS, Radii()))
    for turn, enemies in enumerate(turns, 1):
        ants = [f"a {row} {column} 1" for row, column in enemies]
        lines += [f"turn {turn}", OWN, *ants, "go"]
    left = iter(lines)
    tracker = Tracker(lambda: next(left, "") + "\n")
    tracker.read_start()
    for _ in turns:
        tracker.read_turn()
    memory = tracker.memory
    cells = [divmod(int(memory.enemies[i]), COLS) for i in range(memory.numbers[N_ENEMIES])]
    return {cell: int(memory.calm[i]) for i, cell in enumerate(cells)}


def test_an_enemy_is_calm_while_it_and_those_beside_it_stay():
    here, beside, away = (10, 14), (10, 15), (12, 14)
    assert calm_of([[here]] * 6) == {here: 5}
    assert calm_of([[here]] * 3 + [[here, beside]] * 2) == {here: 1, beside: 1}
    assert calm_of([[here, beside]] * 3 + [[here, away]]) == {here: 0, away: 0}
    assert calm_of([[here]] * 3 + [[beside]] + [[here]] * 2) == {here: 1}
