"""Decides whether code named by a log may run.

A log names a contest and bots, which may be any file and any command line. The contests and
bots of this installation may run; all others need the user's permission, `--trust`.
"""

from pathlib import Path

from referee.errors import UsageError
from referee.log.records import Bot, Log
from referee.play.leader import leader_of
from referee.sources.bots import SOURCE, find_file, split_parameters
from referee.sources.contests import has_rules, with_board
from referee.sources.workspace import roots
from shared.core.contest import Contest


class Untrusted(UsageError):
    """Error: a log names code outside this installation. The message gives the options."""


def contest_of_log(log: Log, trust: bool) -> Contest:
    """Returns the contest of a log. A contest without rules and board is replaced by one with the
    board of the bots' folder, if there is such a board. Raises Untrusted, and UsageError if there
    is no such contest.
    """
    header = log.header
    if header.contest.endswith(".py") and not trust:
        raise Untrusted(
            f"{log.source}: the contest is the code of a file, {header.contest[:200]}: "
            "add --trust to run it"
        )
    contest = leader_of(header.conditions).contest(header.contest)
    if contest.reconstruct or has_rules(contest):
        return contest
    # An official referee's match may have its folder's name: the bots' folder has the board's.
    folders = [Path(split_parameters(bot.bot)[0]).parent.name for bot in header.bots]
    boards = (with_board(contest, folder) for folder in dict.fromkeys(folders))
    return next((board for board in boards if board.reconstruct), contest)


def check_referee_of_log(log: Log, trust: bool) -> None:
    """Raise Untrusted if checking the match would run its leader's code."""
    code = leader_of(log.header.conditions).code_to_trust()
    if code and not trust:
        raise Untrusted(
            f"{log.source}: {code}: add --trust to run that, or repeat the turns of a --player"
        )


def bot_of_log(log: Log, bot: Bot, trust: bool) -> str:
    """Returns the bot to run for a bot of a log. Raises Untrusted."""
    file = find_file(split_parameters(bot.bot)[0].removeprefix(SOURCE))
    is_own = file and any(file.is_relative_to(root / "bots") for root in roots())
    if not trust and not is_own:
        raise Untrusted(
            f"{log.source}: the bot is none of this installation's, {bot.bot[:200]}: "
            "give one with --bot, or add --trust to run it"
        )
    return bot.bot
