"""A rating that follows the games one by one: Plackett and Luce's model by openskill.

Unlike Elo (`elo.py`), which looks at all games at once, it moves with every game, and tells how much
doubt is left; that is no interval.
"""

from openskill.models import PlackettLuce


class Skills:
    """A rating of each bot that every game moves: strength and doubt, 25 and 8.3 at first."""

    def __init__(self, n_bots: int):
        self.model = PlackettLuce()
        self.ratings = [self.model.rating() for _ in range(n_bots)]

    def add(self, seating: tuple[int, ...], ranks: list[int]) -> None:
        """Learn from a game: who sat in it and who came in where, 0 the best."""
        teams = [[self.ratings[bot]] for bot in seating]
        for bot, [rating] in zip(seating, self.model.rate(teams, ranks=list(map(float, ranks)))):
            self.ratings[bot] = rating

    def of(self, bot: int) -> tuple[float, float]:
        """(strength, doubt) of a bot."""
        return self.ratings[bot].mu, self.ratings[bot].sigma
