"""The cost of a game apart from thinking: in one process, and over pipes."""

from referee.arena.in_process import InProcessPlayer
from referee.arena.plan import Game
from referee.arena.play import Setting, play
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Conditions
from referee.sources.bots import find_bot
from referee.sources.contests import find_contest
from tests.conftest import PROJECT
from tests.lab.bench.referee import cpu_seconds
from tests.lab.measure import spread

TUNING = PROJECT / "tests" / "tuning"
ROUNDS, INSIDE, PIPED = 7, 1000, 10


def cost_of_a_game():
    """A game of one turn between bots with a precomputed answer."""
    contest = find_contest(str(TUNING / "peaks.py"))
    bots = tuple(find_bot(f"{TUNING}/climber.py x={x}") for x in (0.5, 0.1))
    limits = TurnLimits.of(Profile.OFF, contest.limits)
    setting = Setting(
        contest.name, bots, Conditions.for_all(len(bots), seed=1, limits=limits, nodes=1)
    )
    inside = InProcessPlayer(setting)

    def piped(games):
        for game in games:
            play(setting, game)

    times = []
    for way, n in ((inside, INSIDE), (piped, PIPED)):
        way([Game(0, (0, 1), 0)])
    for _ in range(ROUNDS):
        row = []
        for way, n in ((inside, INSIDE), (piped, PIPED)):
            before = cpu_seconds()
            way([Game(seed, (0, 1), seed) for seed in range(n)])
            row.append(1000 * (cpu_seconds() - before) / n)
        times.append((*row, row[1] / row[0]))
    columns = ["CPU ms within a process", "CPU ms over pipes", "ratio"]
    row = [spread(column, digits=digits) for column, digits in zip(zip(*times), (3, 1, 0))]
    return "a game of one turn beside the thinking", columns, [row]
