"""Plays one match: asks the bots turn by turn, applies what they answer, and logs all of it."""

import os
from contextlib import ExitStack
from dataclasses import replace
from typing import Callable

from referee.log.file import LogWriter, read_outcome, versions
from referee.log.limits import Clock, Profile
from referee.log.records import (
    Bot,
    Conditions,
    Header,
    Idle,
    Log,
    LoggedOutcome,
)
from referee.log.schema import FieldError
from referee.play.cores import allocate_cores
from referee.play.leader import DialogueLeader, Leader, leader_of
from referee.play.match_loop import Dialogue, Seat
from referee.play.turn_io import TurnIO
from referee.process.bot_process import BotProcess, end_gracefully
from referee.process.warmup import wait_until_reading, wait_until_ready
from referee.sources.contests import ContestError, own_errors
from shared.core.contest import Contest, Match, Outcome


def play_match(
    contest: Contest,
    bots: list[Bot],
    conditions: Conditions,
    writer: LogWriter,
    on_turn: Callable[[int], None] = lambda turn: None,
    n_turns: int | None = None,
) -> Log:
    """Play a match to its end and return its log, which `writer` writes as it grows.

    on_turn is called with each turn's number before the turn. With `n_turns` the match is cut short
    after so many turns, and the log then has no outcome. The outcome's "spoiled" says that the
    machine, not the bot, put a player out: such a match is no result. Raises UsageError when a bot
    cannot be started or the contest's own code fails. No process of a bot outlives the call.
    """
    return leader_of(conditions).play(contest, bots, conditions, writer, on_turn, n_turns)


def play_dialogue(
    leader: DialogueLeader,
    contest: Contest,
    bots: list[Bot],
    conditions: Conditions,
    writer: LogWriter,
    on_turn: Callable[[int], None],
    n_turns: int | None,
) -> Log:
    """Play a match whose leader asks the bots turn by turn: see `play_match`."""
    with own_errors(contest.name), ExitStack() as stack:
        match = stack.enter_context(leader.start_match(contest, bots, conditions))
        at_once = 1 if conditions.serial else len(match.players_to_move())
        allocation = allocate_cores(len(bots), at_once)
        header = _header(contest, leader, match, bots, conditions, allocation.idle)
        # A foreign referee may have played the whole game with bots it started itself.
        to_start = [] if match.outcome() else list(enumerate(bots))
        processes: list[BotProcess] = []
        loaded: list[float | None] = []
        n_at_once = _starts_at_once(leader, conditions, len(bots))
        for player, bot in to_start:
            environment = conditions.environment(bot, player)
            command = leader.bot_command(bot)
            process = BotProcess(command, environment, is_apart=allocation.shares_cores)
            processes.append(stack.enter_context(process))
            if n_at_once and (len(processes) % n_at_once == 0 or player == len(bots) - 1):
                first_s = max(limits.first_ms for limits in conditions.limits) / 1000.0
                loaded += wait_until_reading(processes[len(loaded) :], first_s)
        turn_io = stack.enter_context(TurnIO(processes, allocation))
        writer.header(header)
        seats = _warm_up(processes, header.conditions, loaded)
        dialogue = Dialogue(match, seats, turn_io, writer, allocation, conditions.serial)
        if dialogue.engine:
            # An official engine counts a player's time from its own question to that player, not
            # from the start of the process.
            for seat in seats:
                seat.started = None
        while (outcome := match.outcome()) is None:
            if dialogue.turn == n_turns:
                return writer.log
            on_turn(dialogue.turn)
            writer.turn(dialogue.log_turn())
        is_spoiled = any(seat.spoiled for seat in seats)
        writer.outcome(logged_outcome(contest, outcome, len(bots), is_spoiled))
        if contest.final_input and leader.applies_rules:
            for player, process in enumerate(processes):
                process.tell(contest.final_input(match, player))
        end_gracefully(processes)
    return writer.log


def logged_outcome(
    contest: Contest, outcome: Outcome, n_players: int, spoiled: bool = False
) -> LoggedOutcome:
    """Returns the outcome in Python's own numbers, whatever number types a contest uses, as a log
    and a file of results hold it. Raises ContestError.
    """
    try:
        ranks = [int(rank) for rank in outcome.ranks]
        # A log holds whole numbers of 64 bits.
        is_whole = [type(score) is int and abs(score) < 2**63 for score in outcome.scores]
        scores = [
            score if whole else float(score) for score, whole in zip(outcome.scores, is_whole)
        ]
        data = {"ranks": ranks, "scores": scores, "reason": str(outcome.reason), "spoiled": spoiled}
        return read_outcome(data, n_players)
    except (TypeError, ValueError, OverflowError, FieldError) as error:
        problem = f"its ranks and scores should be numbers: {error}"
        raise ContestError(f"{contest.title}: {problem}") from error


def _starts_at_once(leader: Leader, conditions: Conditions, n_bots: int) -> int:
    """Returns the number of bots that start at once, a core each; 0 for all.

    Bots that share a core would wait for each other, in a time that counts. Bots that do not start
    all at once have clocks of their own: when a bot is asked, its clock shows the time of its own
    start.
    """
    counts = conditions.warmup_s == 0.0 and conditions.clock is Clock.WALL
    is_timed = any(limits.profile is not Profile.OFF for limits in conditions.limits)
    n_cores = len(os.sched_getaffinity(0))
    few = counts and is_timed and leader.applies_rules and n_bots > n_cores
    return n_cores if few else 0


def _warm_up(
    processes: list[BotProcess], conditions: Conditions, loaded: list[float | None]
) -> list[Seat]:
    """Wait for the bots to start, as the conditions demand. Returns each player's seat.

    loaded: the seconds that each bot has taken to start, None where the kernel does not tell; [] if
    all have started at once.
    """
    warmup_s = conditions.warmup_s
    if None not in loaded and loaded:
        return [
            Seat(player, process, conditions, None, loaded_s=loaded_s or 0.0)
            for player, (process, loaded_s) in enumerate(zip(processes, loaded))
        ]
    if warmup_s == 0.0:
        return [
            Seat(player, process, conditions, process.started)
            for player, process in enumerate(processes)
        ]
    late_note = f" (it was still starting after {warmup_s:g} s of warm-up)"
    ready = wait_until_ready(processes, warmup_s)
    return [
        Seat(player, process, conditions, None, "" if is_ready else late_note)
        for player, (process, is_ready) in enumerate(zip(processes, ready))
    ]


def _header(
    contest: Contest,
    leader: Leader,
    match: Match,
    bots: list[Bot],
    conditions: Conditions,
    idle: Idle,
) -> Header:
    if not leader.takes_seeds:
        conditions = replace(conditions, seed=None)
    return Header(
        contest=contest.name,
        title=contest.title,
        n_players=len(bots),
        conditions=conditions,
        site_ms=leader.site_ms(contest),
        idle=idle,
        bots=bots,
        versions=versions(),
        setup=match.setup(),
        state=match.snapshot(),
    )
