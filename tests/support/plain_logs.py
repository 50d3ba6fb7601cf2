"""Games of the project's bots in plain Python, of few turns and nodes, as logs: they start at once.

    CG_JIT=0 python -m tests.support.plain_logs [--checked] FILE CONTEST NODES TURNS SEED BOT...

With `--checked` their buffers refuse every index beyond them.
`plain_log` runs it in a process of its own, as pytest's has numba.
"""

import contextlib
import importlib
import io
import os
import subprocess
import sys
from pathlib import Path

from referee.log.file import read_log, write_log
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Bot, Conditions, Header, Log, LoggedOutcome, LoggedTurn, PlayerTurn
from referee.process.output_buffer import parse_stderr
from tests.parity.digests import check_buffers

PROJECT = Path(__file__).resolve().parents[2]


def plain_log(file, contest, bots, nodes, turns, seed=1):
    """Play a game into a file; returns its log. bots: names, one a player."""
    words = [str(file), contest, str(nodes), str(turns), str(seed), *bots]
    environment = {**os.environ, "CG_JIT": "0", "CG_NODES": str(nodes)}
    command = [sys.executable, "-m", "tests.support.plain_logs", *words]
    subprocess.run(command, cwd=PROJECT, env=environment, check=True)
    return read_log(file)


class Seat:
    """A bot in this process, fed turn by turn."""

    def __init__(self, contest, name):
        self.bot = importlib.import_module(f"bots.{contest}.{name}")
        self.lines, self.player = [], None

    def answer(self, lines):
        """Returns (answer, content of stderr)."""
        self.lines += [line + "\n" for line in lines]
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            if self.player is None:
                self.player = self.bot.new_player(lambda: self.lines.pop(0) if self.lines else "")
            read_turn, choose, *clocks = self.player
            assert read_turn()
            for clock in filter(None, clocks):
                clock.start()
            output = [str(line) for line in choose()]
            for clock in filter(None, clocks):
                clock.report()
        return output, parse_stderr(said.getvalue())


def play(contest_name, nodes, n_turns, seed, names):
    """Returns the log of a game."""
    contest = importlib.import_module(f"shared.games.{contest_name}.contest").CONTEST
    match = contest.new_match(seed=seed, n_players=len(names))
    seats = [Seat(contest_name, name) for name in names]
    limits = TurnLimits.of(Profile.OFF, contest.limits)
    header = Header(
        contest=contest_name,
        title=contest.title,
        n_players=len(names),
        conditions=Conditions.for_all(len(names), seed=seed, limits=limits, nodes=nodes),
        bots=[Bot(name, f"bots/{contest_name}/{name}.py", [], "") for name in names],
        versions={},
        setup=match.setup(),
        state=match.snapshot(),
    )
    turns, greeted = [], set()
    while match.outcome() is None and len(turns) < n_turns:
        parts, actions = {}, {}
        for player in match.players_to_move():
            initial = None if player in greeted else match.initial_input(player)
            greeted.add(player)
            sent = match.turn_input(player)
            output, content = seats[player].answer((initial or []) + sent)
            parts[player] = PlayerTurn(
                input=sent,
                initial_input=initial,
                lines_expected=match.lines_expected(player),
                output=output,
                stderr=content.text,
                nodes=content.nodes,
                values=content.values,
                wall_ms=1.0,
                cpu_ms=1.0,
                fault=None,
            )
        for player, part in parts.items():
            actions[player] = match.parse(player, part.output)
        match.play(actions)
        turns.append(LoggedTurn(turn=len(turns), players=parts, state=match.snapshot()))
    found = match.outcome()
    outcome = found and LoggedOutcome(
        ranks=list(found.ranks), scores=list(found.scores), reason=found.reason
    )
    return Log(header, turns, outcome)


if __name__ == "__main__":
    if sys.argv[1] == "--checked":
        sys.argv.pop(1)
        check_buffers()
    path, contest, nodes, turns, seed, *bots = sys.argv[1:]
    write_log(play(contest, int(nodes), int(turns), int(seed), bots), Path(path))
