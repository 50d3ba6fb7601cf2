"""Referees of other tools, in matches of this project."""

import sys

import pytest

from referee.log.file import read_log
from referee.log.records import LoggedOutcome
from referee.play.foreign_referee import ForeignRefereeError
from referee.sources.contests import foreign_contest

# One made with the engine: it starts the bots, for one turn, and prints scores.
NEWER = """\
import shlex, subprocess, sys
assert sys.argv[1::2] == ["-p1", "-p2", "-d", "-l"] and sys.argv[6] == "seed=7"
for command in sys.argv[2:6:2]:
    lines = b"you 0\\nseed 7\\n0 0\\n"
    done = subprocess.run(shlex.split(command), input=lines, stdout=subprocess.PIPE)
    print(-1 if done.stdout.startswith(b"no") else 1)
"""
OLDER = """\
seed = input().removeprefix("###Seed ")
assert input() == "###Start 2"
for turn in range(5):
    for player in (0, 1):
        greeting = f"you {player}\\nseed {seed}\\n" * (turn == 0)
        print(f"###Input {player}\\n{greeting}0 0\\n###Output {player} 2", flush=True)
        input(), input()
print("###End 01")
"""


@pytest.fixture
def foreign(tmp_path):
    """foreign(code) returns the command line of a foreign referee."""

    def command(code):
        script = tmp_path / "foreign.py"
        script.write_text(code)
        return f"{sys.executable} -I -S {script}"

    return command


@pytest.fixture
def bad_bot(write_bot):
    return write_bot("for line in turns():\n    say('no', 'x')", "bad")


def test_a_match_by_the_newer_kind(play, good_bot, bad_bot, foreign):
    """The foreign referee starts its own processes; the log takes the outcome from its scores."""
    log = play(good_bot, bad_bot, contest=foreign_contest("any"), referee=foreign(NEWER))
    assert log.turns == []
    assert log.outcome == LoggedOutcome(ranks=[0, 1], scores=[1.0, -1.0], reason="player 1 failed")


def test_a_match_by_the_older_kind(play, good_bot, write_bot, foreign):
    """The match has the project's bots and limits, and the log contains every question."""
    other = write_bot("for line in turns():\n    say('3', 'x')", "other")
    log = play(other, good_bot, contest=foreign_contest("any"), referee=foreign(OLDER), seed=4)
    assert [list(turn.players) for turn in log.turns] == [[0], [1]] * 5
    assert log.turns[1].players[1].input == ["you 1", "seed 4", "0 0"]
    assert log.turns[1].players[1].nodes == 100
    assert log.outcome.ranks == [0, 0]
    assert log.outcome.reason == "the foreign referee says ###End 01"


TALKS = [
    ("sys.exit(3)", "the foreign referee exited with status 3"),
    ("print('###Dance')", "no command of a foreign referee: '###Dance'"),
    ("print('###Input 5')", "names a player too many: '###Input 5'"),
    ("print('###End 0 00')", "gives no place to each: '###End 0 00'"),
]


@pytest.mark.parametrize(("code", "message"), TALKS, ids=[row[0] for row in TALKS])
def test_a_foreign_referee_gone_wrong(code, message, play, good_bot, foreign):
    """The error quotes the referee's output."""
    code = f"import sys; sys.stdout.reconfigure(line_buffering=True); {code}; sys.exit(0)"
    command = f"unseeded:{foreign(code)}"
    with pytest.raises(ForeignRefereeError, match=message.replace("(", r"\(")):
        play(good_bot, good_bot, contest=foreign_contest("any"), referee=command)


# Like most public referees, it takes the first line for ###Start, whatever it is.
PUBLIC = """\
import sys
def say(*lines, file=sys.stdout):
    print(*lines, sep="\\n", file=file, flush=True)
input()
for player in (0, 1):
    say(f"###Input {player}", "you", "seed")
for turn in range(3):
    for player in (0, 1):
        say(f"###Input {player}", "0 0", f"###Output {player} 2")
        first, second = input(), input()
        if second == "wrong":
            say(f"###Error {player} InvalidInput {first} \\x1b[2J", file=sys.ERRORS)
say("###End 0 1 ")
"""


@pytest.fixture
def public(foreign):
    """public(errors) returns the command line of a referee without support for seeds; it writes
    ###Error lines to sys.stdout or sys.stderr.
    """

    def command(errors="stderr"):
        return foreign(PUBLIC.replace("sys.ERRORS", f"sys.{errors}"))

    return command


def test_a_referee_that_knows_no_seeds(run, public, good_bot, tmp_path):
    """Without --seed no seed is sent; with one, the referee would take it for the answer to
    ###Start, which the error reports.
    """
    command = ["match", "any", good_bot, good_bot, "--referee", public(), "--limits", "off"]
    status, out, err = run(*command, "--log", tmp_path / "log")
    assert (status, err) == (0, "") and "any, no seed, 6 turns" in out
    log = read_log(tmp_path / "log")
    assert (
        log.header.conditions.seed is None
        and log.header.conditions.referee == f"unseeded:{public()}"
    )
    assert [turn.players[number % 2].output[0] for number, turn in enumerate(log.turns)] == list(
        "112233"
    )
    status, _, err = run(*command, "--seed", "3")
    assert status == 2 and err.count("\n") == 1
    assert "the foreign referee takes ###Seed for ###Start: give no --seed, in an arena" in err
    assert run("replay", tmp_path / "log", "--player", "1")[0] == 0


@pytest.mark.parametrize("errors", ["stdout", "stderr"])
def test_errors_that_a_foreign_referee_tells(play, public, good_bot, write_bot, errors):
    """Errors appear in the reason, from either stream; the game continues while the referee
    does.
    """
    wrong = write_bot("for line in turns():\n    say('x', 'wrong')", "wrong")
    referee = f"unseeded:{public(errors)}"
    log = play(good_bot, wrong, contest=foreign_contest("any"), referee=referee)
    assert len(log.turns) == 6 and log.outcome.ranks == [0, 1]
    reason = "the foreign referee says ###End 0 1" + "; player 1: InvalidInput x \x1b[2J" * 3
    assert log.outcome.reason == reason


def test_a_silent_referee(play, good_bot, monkeypatch, capfd):
    """After some seconds a message is printed; the referee is stopped later, for the newer kind
    after a game's time.
    """
    monkeypatch.setattr("referee.play.foreign_referee.WORD_MS", 50)
    for limit, command in (
        ("LINE_MS", "unseeded:sh -c 'echo \"###Input 0\"; sleep 20'"),
        ("GAME_MS", "sh -c 'exec sleep 20' sh"),
    ):
        monkeypatch.setattr(f"referee.play.foreign_referee.{limit}", 300)
        with pytest.raises(ForeignRefereeError, match="no complete answer within the limit of 300"):
            play(good_bot, good_bot, contest=foreign_contest("any"), referee=command)
        said = capfd.readouterr().err
        assert said.startswith("warning: the foreign referee has written nothing for 0.05 s, it is")
        is_seeded = limit == "GAME_MS"
        assert ("it may know no ###Seed: give no --seed" in said) == is_seeded
        assert said.count("\n") == 1
