"""Games as subclasses, searches with a transposition table; numpy is imported by the package."""

import sys

from easyAI import AI_Player, Human_Player, Negamax, SSS, TranspositionTable, TwoPlayerGame
from easyAI import solve_with_iterative_deepening


class Bones(TwoPlayerGame):
    def __init__(self, players=None):
        self.players = players
        self.pile = 20
        self.current_player = 1

    def possible_moves(self):
        return ["1", "2", "3"]

    def make_move(self, move):
        self.pile -= int(move)

    def win(self):
        return self.pile <= 0

    def is_over(self):
        return self.win()

    def show(self):
        print(f"{self.pile} left")

    def scoring(self):
        return 100 if self.win() else 0

    def ttentry(self):
        return self.pile


table = TranspositionTable()
game = Bones([Human_Player(), AI_Player(Negamax(8, tt=table))])
print(len(game.play(nmoves=6)), len(table.d) > 5, game.player.name, type(table).__module__)
print(solve_with_iterative_deepening(Bones(), ai_depths=range(2, 9), win_score=100, verbose=False))
print(
    SSS(5)(Bones([AI_Player(SSS(3)), AI_Player(SSS(3))])), Bones.__mro__[1], "numpy" in sys.modules
)
game.play_move("x")
