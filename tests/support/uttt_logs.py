"""Logs of games of Ultimate Tic-Tac-Toe from lists of their actions."""

from referee.log.limits import Profile, TurnLimits
from referee.log.records import Bot, Conditions, Header, Log, LoggedOutcome, LoggedTurn, PlayerTurn
from shared.games.ultimate_tic_tac_toe.contest import CONTEST, Match

NETWORK = Bot("network", "bots/ultimate_tic_tac_toe/network.py", [], "")
RIVAL = Bot("rival", "", [], "")


def log_of(game: dict, nodes: int) -> Log:
    """Returns the log of a game: {"ours": player, "actions": texts}."""
    match, ours = Match(0), game["ours"]
    bots = [NETWORK if player == ours else RIVAL for player in range(2)]
    limits = TurnLimits.of(Profile.SITE, CONTEST.limits)
    header = Header(
        contest=CONTEST.name,
        title=CONTEST.title,
        n_players=2,
        conditions=Conditions.for_all(2, seed=0, limits=limits),
        bots=bots,
        versions={},
        setup=match.setup(),
        state=match.snapshot(),
    )
    turns = []
    for number, action in enumerate(game["actions"]):
        [player] = match.players_to_move()
        part = PlayerTurn(
            input=match.turn_input(player),
            lines_expected=1,
            output=[action],
            stderr="",
            nodes=nodes if player == ours else None,
            wall_ms=0.0,
            cpu_ms=0.0,
            fault=None,
        )
        match.play({player: match.parse(player, [action])})
        turns.append(LoggedTurn(turn=number, players={player: part}, state=match.snapshot()))
    found = match.outcome()
    outcome = found and LoggedOutcome(
        ranks=list(found.ranks), scores=list(found.scores), reason=found.reason
    )
    return Log(header, turns, outcome)
