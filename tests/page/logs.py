"""A short made-up race: every kind of event happens once, at a known turn."""

from pathlib import Path

from referee.log.limits import Profile, TurnLimits
from referee.log.records import (
    Bot,
    Conditions,
    Header,
    Late,
    Log,
    LoggedOutcome,
    LoggedTurn,
    PlayerTurn,
)

N_TURNS = 8
LAST = N_TURNS - 1
BOOST_TURN = 2
SHIELD_TURN = 3
COLLISION_TURN = 4
CHECKPOINT_TURN = 5
LATE_TURN = 6
MARKUP = '</script><script>document.title = "x"</script><!-- <img src=x onerror="throw 1">'


def race(n_turns=N_TURNS, outcome=True, profile="official"):
    """The log of a race in which pod 0 of player 0 boosts, shields, collides and
    passes checkpoint 1.
    """
    limits = TurnLimits(
        Profile(profile),
        first_ms=1000,
        turn_ms=75,
        grace_ms=50 if profile == "soft3" else 0,
        late_turns=3 if profile == "soft3" else 1,
        bank_ms=60_000 if profile == "bank" else None,
    )
    header = Header(
        contest="coders_strike_back",
        title="Coders Strike Back",
        n_players=2,
        conditions=Conditions.for_all(2, seed=7, limits=limits),
        bots=[bot_named("left"), bot_named("right & <b>right</b>")],
        versions={},
        setup={
            "laps": 3,
            "checkpoints": [[2000, 4500], [8000, 2000], [14000, 7000]],
            "max_turns": 500,
        },
        state=state(0),
    )
    turns = [LoggedTurn(turn=t, players=answers(t), state=state(t + 1)) for t in range(n_turns)]
    ranks = LoggedOutcome(ranks=[0, 1], scores=[1.0, 0.0], reason="player 0 was faster")
    return Log(header, turns, ranks if outcome else None)


def bot_named(name):
    """Returns a bot with this name."""
    return Bot(name, f"{name}.py", [name], "0")


def state(time):
    """The snapshot after `time` turns."""
    pods = []
    for pod in range(4):
        angle = -0.017453292519943295 if time == 0 else 0.123456789 * time
        shield = max(0, SHIELD_TURN + 4 - time) if pod == 0 and time > SHIELD_TURN else 0
        boosted = int(pod == 0 and time > BOOST_TURN)
        n_passed = int(pod == 0 and time > CHECKPOINT_TURN)
        x, y = 2000 + 900 * time, 1500 + 1700 * pod
        pods.append([x, y, 850, 0, angle, 1 + n_passed, shield, boosted, 0])
    collisions = [[0.5, 0, 2, 5000, 3000]] if time == COLLISION_TURN + 1 else []
    return {"pods": pods, "timeouts": [100 - time, 100 - time], "collisions": collisions}


def crowd(n_players):
    """The log of a game of the contest `crowd.py`, in which the players walk apart."""
    log = race()
    header = log.header
    header.contest, header.title = str(Path(__file__).with_name("crowd.py")), "A crowd"
    header.n_players = n_players
    limits = header.conditions.limits[0]
    header.conditions = Conditions.for_all(n_players, seed=7, limits=limits)
    header.bots = [bot_named(f"bot number {player}") for player in range(n_players)]
    header.setup, header.state = {}, {"places": [0] * n_players}
    for turn in log.turns:
        turn.players = dict.fromkeys(range(n_players), turn.players[0])
        turn.state = {"places": [(player + 1) * (turn.turn + 1) for player in range(8)]}
    log.outcome = LoggedOutcome(
        ranks=list(range(n_players)), scores=[0.0] * n_players, reason="player 0 was slowest"
    )
    return log


def answers(turn):
    """Input and answers of both players in a turn; player 1 is late in LATE_TURN."""
    return {
        player: PlayerTurn(
            initial_input=["3", "3", "2000 4500"] if turn == 0 else None,
            input=[f"{turn} {player} 0 0 0 1"],
            lines_expected=2,
            output=[f"{turn} 10 200 {MARKUP}", "8000 2000 BOOST"],
            stderr=f"{MARKUP} {player}\nturn {turn}\n",
            nodes=1234 if player == 0 else None,
            wall_ms=80.25 if player == 1 and turn == LATE_TURN else 40.0625,
            cpu_ms=30.0,
            queue_ms=0.0,
            late=Late.BOT if player == 1 and turn == LATE_TURN else None,
            fault=None,
        )
        for player in (0, 1)
    }
