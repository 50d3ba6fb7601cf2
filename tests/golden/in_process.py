"""Plays matches within one process: `python -m tests.golden.in_process` reads lines of JSON from
stdin, each [contest, bots, nodes, seed], and writes a line for each: outcome, turns, and the
players' answers.
"""

import json
import os
import sys
from dataclasses import replace

from referee.arena.in_process import LoadedBot, load_bot, play_in_process
from referee.log.limits import TurnLimits
from referee.log.records import Conditions
from referee.sources.bots import find_bot
from referee.sources.contests import find_contest


def recording(guest: LoadedBot, answers: list) -> LoadedBot:
    """Returns a guest whose answers are recorded."""

    def new_player(read_line):
        read_turn, choose, *clock = guest.new_player(read_line)

        def noted():
            answers.append([*choose()])
            return answers[-1]

        return (read_turn, noted, *clock)

    return replace(guest, new_player=new_player)


def main():
    os.environ["CG_JIT"] = "0"
    for line in sys.stdin:
        name, bots, nodes, seed = json.loads(line)
        contest = find_contest(name)
        limits = TurnLimits.read("off", contest.limits)
        conditions = Conditions.for_all(len(bots), seed=seed, limits=limits, nodes=nodes)
        loaded = [load_bot(find_bot(bot)) for bot in bots]
        for _ in range(2):  # the first game must leave no traces
            answers: list[list] = [[] for _ in bots]
            guests = [recording(guest, one) for guest, one in zip(loaded, answers)]
            result = play_in_process(contest, guests, conditions)
        seats = [[seat.rank, seat.score, seat.fault] for seat in result.seats]
        print(json.dumps([result.turns, seats, answers]), flush=True)


if __name__ == "__main__":
    main()
