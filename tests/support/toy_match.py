"""A contest for the referee's tests: each player left answers a line a turn, with a number."""

from shared.core.clock import Limits
from shared.core.contest import Contest
from shared.core.drawing.shapes import Frame
from shared.core.protocol import IllegalAction


class ToyMatch:
    """A match lacks `play` and `outcome`; out: the reasons of players that are eliminated."""

    def __init__(self, n_players):
        self.n_players, self.out = n_players, {}

    def setup(self):
        return {}

    def players_to_move(self):
        return [player for player in range(self.n_players) if player not in self.out]

    def initial_input(self, player):
        return []

    def lines_expected(self, player):
        return 1

    def parse(self, player, lines):
        try:
            return int(lines[0])
        except ValueError:
            raise IllegalAction(f"{lines[0]!r}: a number is expected") from None

    def random_lines(self, player, rng):
        return [str(rng.randrange(9))]

    def eliminate(self, player, reason):
        self.out[player] = reason


def toy_contest(new_match, n_players, **others):
    """Returns a contest with an empty picture, named as its match."""
    name = new_match.__name__
    return Contest(
        name=name.lower(),
        title=name,
        players=(n_players, n_players),
        limits=Limits(first_ms=1000, turn_ms=100),
        new_match=new_match,
        **{"render": lambda turn: Frame((0, 0, 1, 1), ())} | others,
    )
