"""Repeats a player's turns of a logged match with a bot, and compares its answers.

The bot gets the logged input and, as CG_NODES, the logged node count of each turn: a bot whose
search counts nodes by `shared/core/clock.py` then gives the same answers to the last bit, under any
load of the machine.
"""

from dataclasses import dataclass

from referee.log.limits import HANG_MS
from referee.log.records import Bot, Log, PlayerTurn
from referee.play.lateness import AnswerLimits
from referee.play.leader import leader_of
from referee.play.turn_io import Request, TurnIO
from referee.process.bot_process import BotProcess
from referee.process.warmup import wait_until_ready


@dataclass(frozen=True)
class Replayed:
    """A repeated turn: its number, the player's logged answer and the new answer.

    agrees: True if the new output is the logged output, None if the logged answer was incomplete.
    """

    turn: int
    part: PlayerTurn
    answer: PlayerTurn
    agrees: bool | None

    @property
    def differs(self) -> bool:
        """True if the new answer differs from the logged answer, or is missing."""
        return self.agrees is False or self.answer.fault is not None


def first_uncounted_turn(log: Log, player: int) -> int | None:
    """Returns the first turn without a node count, if the player's other turns have counts; else
    None.

    The budgets of a replay then differ from the match: the bot wrote a count after its answer, too
    late for the turn, or did not search.
    """
    answered = [
        (turn, player_turn) for turn, player_turn in log.of_player(player) if not player_turn.fault
    ]
    uncounted = [turn for turn, player_turn in answered if player_turn.nodes is None]
    return uncounted[0] if 0 < len(uncounted) < len(answered) else None


def node_budgets(log: Log, player: int) -> str:
    """Returns the value of CG_NODES that repeats a player's turns; "" where no nodes were
    counted.
    """
    counts = [player_turn.nodes for _, player_turn in log.of_player(player)]
    return ",".join(str(count) for count in counts if count is not None)


def replay(
    log: Log,
    player: int,
    bot: Bot,
    warmup_s: float,
    last_turn: int | None = None,
    nodes: str | None = None,
    past_differences: bool = False,
) -> list[Replayed]:
    """Repeat a player's turns up to `last_turn`, or to the first difference unless
    `past_differences`. Returns the repeated turns.

    warmup_s: the longest wait, in seconds, for a bot that is still starting. nodes: the bot's
    CG_NODES, None for the logged counts. An answer may take HANG_MS; a turn without an answer is
    the last one.
    """
    budgets = node_budgets(log, player) if nodes is None else nodes
    environment = bot.environment | ({"CG_NODES": budgets} if budgets else {})
    replayed = []
    command = leader_of(log.header.conditions).bot_command(bot)
    with BotProcess(command, environment) as process, TurnIO([process]) as turn_io:
        wait_until_ready([process], warmup_s)
        process.measure()
        for turn, player_turn in log.of_player(player):
            if last_turn is not None and turn > last_turn:
                break
            request = Request(
                player=0,
                input=player_turn.sent,
                lines_expected=player_turn.lines_expected,
                limits=AnswerLimits(limit_ms=HANG_MS),
            )
            [answer] = turn_io.ask([request])
            agrees = answer.output == player_turn.output if player_turn.is_complete else None
            replayed.append(Replayed(turn, player_turn, answer, agrees))
            if answer.fault or (agrees is False and not past_differences):
                break
    return replayed
