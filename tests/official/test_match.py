"""Matches led by an official referee's double: the talk, what fails in it, and the log."""

import json
import subprocess
import sys

import pytest

from referee.errors import UsageError
from referee.log.file import read_log
from referee.official import messages
from referee.official.build import find_build
from tests.referee.conftest import TOY


@pytest.fixture
def play(run, build, adder, tmp_path):
    """play(*words, bots=[...]) plays a match; the log, or the error's text."""

    def play(*words, bots=None, scenario="", **config):
        log = tmp_path / "match.jsonl"
        given = bots if bots is not None else [adder(1), adder(2)]
        folder = build(scenario, **config)
        status, out, err = run(
            "match", "--official", folder, *given, "--log", log, "--seed", 5, *words
        )
        if status:
            assert (status, out) == (2, "") and err.count("\n") == 1, err
            return err
        return read_log(log)

    return play


def test_a_match(play):
    """A turn of the log is one of the game: both players are asked in it, one after the other."""
    log = play()
    assert log.header.contest == "adding_up_2030" and log.header.conditions.seed == 5
    assert [sorted(turn.players) for turn in log.turns] == [[0, 1]] * 4
    first = log.turns[0].players[0]
    assert first.input[0].startswith("0 ") and first.output == ["1"] and first.stderr == "debug 0\n"
    assert (first.limit_ms, log.turns[1].players[0].limit_ms) == (1000, 100)
    assert log.outcome.scores == [4.0, 8.0] and log.outcome.ranks == [1, 0]
    assert log.turns[0].state["summary"] == ["$0 wrote 1", "$1 wrote 2"]
    assert log.turns[-1].state["parameters"] == [{"seed": "5"}]
    assert "view" in log.header.state and "view" in log.turns[0].state
    assert log.header.setup["grace_ms"] == 50


def test_no_view_and_parameters(play):
    """--no-view leaves the viewer's frames out, --param goes to the game."""
    log = play("--no-view", "--param", "turns=2", "--league", "3")
    assert len(log.turns) == 2 and "view" not in log.turns[0].state
    assert log.header.conditions.options == {"league": "3", "param.turns": "2", "view": "off"}


@pytest.mark.parametrize("n_players", [3, 8])
def test_more_players(play, adder, n_players):
    # Eight at once wait for each other on a busy machine.
    log = play("--limits", "off", bots=[adder(n) for n in range(n_players)])
    assert log.outcome.scores == [4.0 * n for n in range(n_players)]


def test_one_bot_plays_against_itself(play, adder):
    log = play(bots=[adder(3)], min_players=3, max_players=4)
    assert log.outcome.ranks == [0, 0, 0]


def test_the_number_of_players_is_the_contests(play, adder):
    error = play(bots=[adder(1), adder(2)], min_players=3, max_players=4)
    assert "is a game of 3 to 4 players, 2 bots are given" in error


@pytest.mark.parametrize("scenario", ["old", "returns", "noise", "undead", "bank"])
def test_other_engines(play, scenario):
    """Versions without monitoring, other ends of lines, a chatty log, a bank of time."""
    log = play(scenario=scenario)
    assert log.outcome.scores == [4.0, 8.0]
    assert log.turns[0].state["summary"] == ["$0 wrote 1", "$1 wrote 2"]
    limits = [turn.players[0].limit_ms for turn in log.turns]
    if scenario == "old":
        assert limits == [1000, 100, 100, 100] and log.header.setup["grace_ms"] == 0
    elif scenario == "bank":
        assert all(4000 < limit <= 5000 for limit in limits)


def test_a_turn_in_which_nobody_is_asked(play):
    """It is a question of no lines to player 0, which is not waited for."""
    log = play(scenario="pauses")
    assert [sorted(turn.players) for turn in log.turns] == [[0, 1], [0], [0, 1], [0]]
    assert log.turns[1].players[0].lines_expected == 0 and log.turns[1].players[0].output == []
    assert log.outcome.scores == [2.0, 4.0]


@pytest.mark.parametrize("scenario", ["", "undead"])
@pytest.mark.parametrize(
    ("ends", "fault"),
    [
        ("__import__('time').sleep(9)", "no complete answer within the limit of 100 ms"),
        ("sys.exit(3)", "exited with status 3"),
    ],
)
def test_a_player_that_fails(play, adder, ends, fault, scenario):
    """The engine is told, the game goes on by its rules, also where it asks for the dead."""
    bad = adder(f"1 if turn < 2 else {ends}", "bad")
    log = play(bots=[bad, adder(2)], scenario=scenario)
    assert fault in log.turns[2].players[0].fault
    assert sorted(log.turns[3].players) == [1]
    assert log.outcome.scores == [-1.0, 8.0] and fault in log.outcome.reason
    assert log.turns[2].state["tooltips"] == [["$0 timeout", 0]]


def test_what_is_illegal_the_official_rules_say(play, adder):
    """The reason names the player and the referee's words."""
    log = play(bots=[adder("'no'", "no"), adder(2)])
    assert log.outcome.scores == [-1.0, 8.0] and log.turns[0].players[0].fault is None
    assert log.outcome.reason == "the official referee gives player 0 -1: $0 invalid: no"


def test_a_late_answer_within_the_grace(play, adder):
    """The third one is too many, for us and for the engine; without limits none is."""
    slow = adder("__import__('time').sleep(0.12) or 1", "slow")
    log = play("--limits", "soft3", bots=[slow, adder(2)])
    assert [bool(turn.players[0].late) for turn in log.turns] == [False, True, True, True]
    assert "late answer 3 of 3" in log.outcome.reason and log.outcome.scores == [-1.0, 8.0]
    log = play("--limits", "off", bots=[slow, adder(2)])
    assert log.outcome.scores == [4.0, 8.0]


def test_a_line_cannot_hold_a_message(play, adder):
    """What ends a line for Java's Scanner, but not for us, does not reach it."""
    log = play(bots=[adder(r"'1\x85[[SET_PLAYER_TIMEOUT] 0]\u2028\r2'", "sly"), adder(2)])
    assert log.outcome.scores == [-1.0, 8.0]


FAILURES = {
    "fail": "the map has no cell 7 (at com.codingame.game.Grid.cell(Grid.java:12)): try another"
    " --league",
    "die": "exited with status 1: java.lang.NoClassDefFoundError: com/google/gson/Gson: the build"
    " lacks a",
    "lacks": "com.codingame.gameengine.core.RefereeMain: the classpath lacks the contest's classes",
    "killed": "the official referee was killed by SIGKILL: play the game again",
    "garbage": "no message of an official referee: 'Hello from a println'",
    "stranger": "sent NEXT_PLAYER_INFO with '9 1 1050'",
    "silent": "has written nothing for 1 s",
}


@pytest.mark.parametrize("scenario", FAILURES)
def test_the_referee_fails(play, scenario, monkeypatch):
    """One line, with the way out."""
    if scenario == "silent":
        monkeypatch.setattr(messages, "MESSAGE_S", 1.0)
    assert FAILURES[scenario] in play(scenario=scenario)


def test_a_wrong_league(play):
    assert "no such league" in play("--league", "4")


def test_solo(play, adder, build, tmp_path):
    """Each bot plays alone, on the test case that the seed chooses; the measured value counts."""
    config = build(type="opti", sorting_order="ASC") / "config"
    for number, numbers in enumerate(("1\n2\n3", "4\n5"), 1):
        (config / f"test{number}.json").write_text(json.dumps({"testIn": numbers}))
    log = play(bots=[adder("turn"), adder(1)], type="opti", sorting_order="ASC")
    assert [turn.players[0].input for turn in log.turns] == [["4"], ["5"]]
    assert log.outcome.scores == [9.0, 2.0] and log.outcome.ranks == [1, 0]
    case = tmp_path / "own.txt"
    case.write_text("7\n")
    log = play("--option", f"case={case}", bots=[adder("turn")], type="solo")
    assert log.outcome.scores == [7.0] and len(log.turns) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--param", "seed=3"], "the seed of an official game is given by --seed"),
        (["--option", "map=3"], "an official match has no option 'map'"),
        (["--option", "mode=three"], "--option mode=three: solo or multi is expected"),
        (["--referee", "true"], "--official and --referee are two referees"),
    ],
)
def test_bad_options(play, words, message):
    assert message in play(*words)


def test_no_bot_at_all(run, play):
    """Neither a contest is there to name what is missing."""
    assert "no bot is given: name one at least, behind the options" in play(bots=[])
    for command in ("match", "arena"):
        assert "no contest is given: name one first, and then bots (ants, " in run(command)[2]


def test_a_seed_of_the_site_s(run, play):
    """They are Java's long numbers; those of our own contests begin at 0."""
    log = play("--seed", "-9223372036854775808")
    assert log.header.conditions.seed == -(2**63) and log.turns[-1].state["parameters"][0][
        "seed"
    ] == str(-(2**63))
    status, _, err = run("match", TOY, "true", "true", "--seed", -1)
    assert status == 2 and "seeds begin at 0" in err


def test_options_without_a_referee(run):
    status, _, err = run("match", TOY, "true", "true", "--league", 2)
    assert status == 2 and "need --official CLASSPATH" in err
    status, _, err = run("match", TOY, "true", "true", "--param", "turns")
    assert status == 2 and "Invalid value for '--param': 'turns': KEY=VALUE is expected" in err


def test_no_java(play, monkeypatch):
    def without(*_):
        return None

    monkeypatch.setattr("referee.official.java.shutil.which", without)
    assert "no Java on this machine" in play()


def test_what_a_classpath_may_be(build, tmp_path):
    """A folder, a list, a jar; what lacks something says what."""
    folder = build()
    classes = folder / "target" / "classes"
    assert find_build(str(folder)).entries == (classes,)
    assert find_build(str(classes)).name == "adding_up_2030"
    empty = tmp_path / "empty"
    empty.mkdir()
    assert find_build(f"{classes}:{empty}").entries[0] == classes
    jar = tmp_path / "x.jar"
    jar.write_text("no zip")
    for path, message in [
        (empty, "it has no classes of a contest"),
        (tmp_path / "none", "no such file or folder"),
        (jar, "no jar"),
    ]:
        with pytest.raises(UsageError, match=message):
            find_build(str(path))
    (empty / "pom.xml").touch()
    with pytest.raises(UsageError, match="it is not built yet"):
        find_build(str(empty))


def test_nothing_is_left(play, build, adder):
    """The referee's processes are gone when the match is over."""
    log = play()
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert log.header.conditions.referee.removeprefix("official:") not in listed
    assert sys.executable in listed
