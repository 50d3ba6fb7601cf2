"""Two players against each other inside of one process, for experiments with bots: pairs of games from
the same opening, either side each, until a sequential test knows who is stronger.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from referee.arena.sprt import Sprt


class Score(NamedTuple):
    """won, drawn, lost: games of the first player; pairs: how often it had 0 to 4 half points in two."""

    won: int
    drawn: int
    lost: int
    pairs: Counter[int]


def series(
    play: Callable[[int, bool], int], test: Sprt, most: int, first_seed: int
) -> Iterator[Score]:
    """Play pairs of games, at most so many, until the test knows; the score after each.

    play(seed, swapped) -> 1, 0 or -1 for the first player, who is the second to move if swapped.
    """
    counts: Counter[int] = Counter()
    pairs: Counter[int] = Counter()
    for seed in range(first_seed, first_seed + most):
        results = [play(seed, False), play(seed, True)]
        counts.update(results)
        pairs[sum(results) + 2] += 1
        yield Score(counts[1], counts[0], counts[-1], pairs)
        if test.verdict(pairs):
            return


def show(scores: Iterator[Score], test: Sprt) -> None:
    """Print the score as it grows, in one line, and at last what the test says."""
    verdict = None
    for score in scores:
        n = score.won + score.drawn + score.lost
        points = (score.won + score.drawn / 2) / n
        pairs = [score.pairs[half] for half in range(5)]
        line = f"+{score.won} ={score.drawn} -{score.lost}, {points:.1%} of {n}"
        line += f", llr {test.llr(score.pairs):+.2f}, pairs of 0 to 4 half points {pairs}"
        print(f"\r{line}", end="", flush=True)
        verdict = test.verdict(score.pairs)
    print(f": {verdict or 'open'}")


def options_of(options: Any, changes: list[str]) -> Any:
    """A NamedTuple of numbers with "name=value" changed. Raises ValueError."""
    for change in changes:
        name, _, value = change.partition("=")
        try:
            kind = type(getattr(options, name))
            options = options._replace(**{name: kind(float(value))})
        except (AttributeError, TypeError, ValueError) as error:
            names = ", ".join(options._fields)
            raise ValueError(f"{change}: write NAME=NUMBER, of {names}") from error
    return options
