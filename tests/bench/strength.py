"""Which of two bots is stronger: a series of matches with paired seeds and swapped seats, under the official limits.

    python -m tests.bench.strength coders_strike_back BOT BOT [--games 100] [--jobs 1] [--seed 1]

Each seed is played twice, once from either seat. Prints a line a match, then the first bot's share of the points (a draw is half
a point) with its 95% interval. As the clock decides how deep a bot searches, keep the machine otherwise idle and let `--jobs`
leave a core for every bot that searches.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import typer

from referee.bots import find_bot
from referee.contests import find_contest
from referee.limits import Profile, TurnLimits
from referee.log import LogWriter
from referee.match import Conditions, play_match


def wilson_interval(points, games, z=1.96):
    """The 95% interval of a share of points (Wilson, Journal of the American Statistical Association 22, 1927)."""
    share = points / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    reach = z / (1 + z * z / games)
    reach *= math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - reach, middle + reach


def play(contest, bots, seed, seat):
    """(points of the first bot, what to print) of one match in which it sits in `seat`."""
    seated = bots if seat == 0 else bots[::-1]
    limits = TurnLimits.of(Profile.OFFICIAL, contest.limits)
    with LogWriter(None) as writer:
        log = play_match(contest, seated, Conditions(seed=seed, limits=limits, warmup_s=0), writer)
    ranks = log.outcome["ranks"]
    points = 0.5 if ranks[0] == ranks[1] else float(ranks[seat] == 0)
    return points, f"seed {seed} seat {seat}: {points:g}  {log.outcome['reason']}"


def main(
    contest: str,
    first: str,
    second: str,
    games: Annotated[int, typer.Option(min=2, help="Matches, two of every seed.")] = 100,
    jobs: Annotated[int, typer.Option(min=1, help="Matches at once.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="The first seed.")] = 1,
):
    """Play a series between two bots and print the first one's share of the points."""
    rules, bots = find_contest(contest), [find_bot(first), find_bot(second)]
    total = 0.0
    with ThreadPoolExecutor(jobs) as pool:
        futures = [
            pool.submit(play, rules, bots, seed + number // 2, number % 2)
            for number in range(games)
        ]
        for future in futures:
            points, text = future.result()
            total += points
            print(text, flush=True)
    low, high = wilson_interval(total, games)
    print(
        f"{bots[0].name} against {bots[1].name}: {total:g} of {games} points,"
        f" {total / games:.3f} (95% interval {low:.3f} to {high:.3f})"
    )


if __name__ == "__main__":
    typer.run(main)
