"""Matches led by a double of the official referee: the protocol, its failures, and the log."""

import json
import subprocess
import sys

import pytest

from referee.errors import UsageError
from referee.log.file import read_log
from referee.official import messages
from referee.official.build import find_build
from referee.official.failures import failures_of
from tests.referee.conftest import TOY


def test_a_match(play):
    """A turn of the log is a turn of the game: both players are asked in it, one after the
    other.
    """
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
    """view=off leaves the viewer's frames out, --param goes to the game."""
    log = play("--option", "view=off", "--param", "turns=2", "--league", "3")
    assert len(log.turns) == 2 and "view" not in log.turns[0].state
    assert log.header.conditions.options == {"league": "3", "param.turns": "2", "view": "off"}


def test_one_bot_plays_against_itself(play, adder):
    log = play(bots=[adder(3)], min_players=3, max_players=4)
    assert log.outcome.ranks == [0, 0, 0]


@pytest.mark.parametrize("scenario", ["old", "returns", "noise", "undead", "bank"])
def test_other_engines(play, scenario):
    """Versions without monitoring, other line ends, a verbose log, a bank of time."""
    log = play(scenario=scenario)
    assert log.outcome.scores == [4.0, 8.0]
    assert log.turns[0].state["summary"] == ["$0 wrote 1", "$1 wrote 2"]
    limits = [turn.players[0].limit_ms for turn in log.turns]
    if scenario == "old":
        assert limits == [1000, 100, 100, 100] and log.header.setup["grace_ms"] == 0
    elif scenario == "bank":
        assert all(4000 < limit <= 5000 for limit in limits)


def test_a_turn_in_which_nobody_is_asked(play):
    """It is recorded as a question of no lines to player 0, whose answer is not awaited."""
    log = play(scenario="pauses")
    assert [sorted(turn.players) for turn in log.turns] == [[0, 1], [0], [0, 1], [0]]
    assert log.turns[1].players[0].lines_expected == 0 and log.turns[1].players[0].output == []
    assert log.outcome.scores == [2.0, 4.0]


@pytest.mark.parametrize(
    ("ends", "fault", "scenario"),
    [
        ("__import__('time').sleep(9)", "no complete answer within the limit of 100 ms", ""),
        ("sys.exit(3)", "exited with status 3", "undead"),
    ],
)
def test_a_player_that_fails(play, adder, ends, fault, scenario):
    """The engine is told, and the game continues by its rules, even if it asks the failed
    player.
    """
    bad = adder(f"1 if turn < 2 else {ends}", "bad")
    log = play(bots=[bad, adder(2)], scenario=scenario)
    assert fault in log.turns[2].players[0].fault
    assert sorted(log.turns[3].players) == [1]
    assert log.outcome.scores == [-1.0, 8.0] and fault in log.outcome.reason
    assert log.turns[2].state["tooltips"] == [["$0 timeout", 0]]


def test_the_official_rules_decide_legality(play, adder):
    """The reason names the player and quotes the referee."""
    log = play(bots=[adder("'no'", "no"), adder(2)])
    assert log.outcome.scores == [-1.0, 8.0] and log.turns[0].players[0].fault is None
    assert log.outcome.reason == "the official referee has put player 0 out: $0 invalid: no"


def test_a_failure_in_other_words(play, adder):
    """The score of a deactivated player tells it."""
    log = play(bots=[adder("'no'", "no"), adder(2)], scenario="curt")
    assert log.outcome.reason == "the official referee has put player 0 out: Wrong output!"
    assert failures_of(log) == {0: "Wrong output!"}


@pytest.mark.parametrize(
    ("scenario", "scores"), [("debts", [-96.0, -92.0]), ("beaten", [0.0, 6.0])]
)
def test_a_score_below_zero_is_no_failure(play, scenario, scores):
    """Of a player that ends with debts, or is deactivated as the loser."""
    log = play(scenario=scenario)
    assert log.outcome.scores == scores
    assert log.outcome.reason.startswith("the official referee's scores are ")
    assert failures_of(log) == {}


def test_a_late_answer_within_the_grace(play, adder):
    """The third one loses, for the project and for the engine; without limits no answer is late.

    By CPU time, as a busy machine delays an answer by more than the grace.
    """
    slow = adder("spin(0.12) or 1", "slow")
    log = play("--limits", "soft3", "--clock", "cpu", bots=[slow, adder(2)])
    assert [bool(turn.players[0].late) for turn in log.turns] == [False, True, True, True]
    assert "late answer 3 of 3" in log.outcome.reason and log.outcome.scores == [-1.0, 8.0]
    log = play("--limits", "off", bots=[slow, adder(2)])
    assert log.outcome.scores == [4.0, 8.0]


def test_a_line_cannot_hold_a_message(play, adder):
    """Characters that end a line for Java's Scanner, but not for the project, are not sent."""
    log = play(bots=[adder(r"'1\x85[[SET_PLAYER_TIMEOUT] 0]\u2028\r2'", "sly"), adder(2)])
    assert log.outcome.scores == [-1.0, 8.0]


FAILURES = {
    "fail": "the map has no cell 7 (at com.codingame.game.Grid.cell(Grid.java:12)): the"
    " contest's own code failed: try another --league",
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
    """The referee's failure is one line with the remedy."""
    if scenario == "silent":
        monkeypatch.setattr(messages, "MESSAGE_S", 1.0)
    assert FAILURES[scenario] in play(scenario=scenario)


def test_leagues(play, build, adder):
    """The highest one is played, and named; a league may have its own number of players."""
    config = build() / "config"
    for number in (1, 2):
        (config / f"level{number}").mkdir()
    (config / "level1" / "config.ini").write_text("min_players=1\nmax_players=1\n")
    (config / "statement_en.html.tpl").write_text("<!-- BEGIN level2 level3 -->...<!-- END -->")
    log = play()
    assert log.header.conditions.options == {"league": "3"}
    assert log.header.title == "Adding up 2030, league 3"
    log = play("--league", 1, bots=[adder(1)])
    assert log.outcome.scores == [4.0] and log.header.title == "Adding up 2030, league 1"


@pytest.fixture
def solo(build):
    """A contest for one player with two test cases, in which the lowest value is the best."""
    values = {"type": "opti", "criteria": "Points", "sorting_order": "ASC"}
    config = build(**values) / "config"
    for number, numbers in enumerate(("1\n2\n3", "4\n5"), 1):
        (config / f"test{number}.json").write_text(json.dumps({"testIn": numbers}))
    return values


def test_solo(play, adder, solo, tmp_path):
    """Each bot plays alone, on the test case chosen by the seed; the measured value is its
    score.
    """
    log = play(bots=[adder("turn"), adder(1)], **solo)
    assert [turn.players[0].input for turn in log.turns] == [["4"], ["5"]]
    assert log.outcome.scores == [9.0, 2.0] and log.outcome.ranks == [1, 0]
    case = tmp_path / "own.txt"
    case.write_text("7\n")
    words = "--option", f"case={case}", "--option", "best=high"
    log = play(*words, bots=[adder("turn")], **solo)
    assert log.outcome.scores == [7.0] and len(log.turns) == 1


@pytest.mark.parametrize("order", ["low", "high"])
def test_a_lost_case_is_the_worst(play, adder, solo, order):
    """In either order; it has the engine's score, and the referee's words."""
    log = play("--option", f"best={order}", bots=[adder("'no'", "no"), adder(1)], **solo)
    assert log.outcome.ranks == [1, 0] and log.outcome.scores == [0.0, 2.0]
    assert failures_of(log) == {0: "$0 invalid: no"}
    assert log.outcome.reason == "the official referee says player 0 has lost: $0 invalid: no"


def test_a_victory_without_its_value(play, adder, solo):
    """It has no result that could be compared."""
    log = play(bots=[adder(1)], **solo | {"criteria": "Length"})
    assert failures_of(log) == {0: "it has measured no Length"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--param", "seed=3"], "the seed of an official game is given by --seed"),
        (["--option", "map=3"], "an official match has no option 'map'"),
        (["--referee", "true"], "--official and --referee are two referees"),
    ],
)
def test_bad_options(play, words, message):
    assert message in play(*words)


def test_a_seed_of_the_site_s(run, play):
    """Official seeds are Java's long numbers; seeds of the project's contests begin at 0."""
    log = play("--seed", "-9223372036854775808")
    assert log.header.conditions.seed == -(2**63) and log.turns[-1].state["parameters"][0][
        "seed"
    ] == str(-(2**63))
    status, _, err = run("match", TOY, "true", "true", "--seed", -1)
    assert status == 2 and "seeds begin at 0" in err


def test_limits(run, build, tmp_path):
    """The log has those of the sources; a bot with other ones than the engine's is warned of."""
    folder, bot, log = build(), tmp_path / "bot.py", tmp_path / "x.jsonl"
    bot.write_text("# Limits(first_ms=1000, turn_ms=50)\nfor _ in range(4): print(input()[0])\n")
    words = ["match", "--official", folder, bot, "--log", log]
    assert run(*words)[2] == (
        f"warning: {bot} has the limits 1000 and 50 ms, the official referee gives 1000 and 100:"
        " change its LIMITS\n"
    )
    assert read_log(log).header.site_ms == []
    words[2] = folder = build(name="WithSources")
    source = folder / "src/main/java/Referee.java"
    source.parent.mkdir(parents=True)
    source.write_text("int LATER = 2 * 50;\ngame.setTurnMaxTime(LATER); // setTurnMaxTime(9)")
    bot.write_text(bot.read_text().replace("=50", "=100"))
    assert run(*words)[2] == "" and read_log(log).header.site_ms == [1000, 100]


def test_no_java(play, monkeypatch):
    def without(*_):
        return None

    monkeypatch.setattr("referee.official.java.shutil.which", without)
    assert "no Java on this machine" in play()


def test_what_a_classpath_may_be(build, tmp_path):
    """A folder, a list, a jar; the error names the missing part."""
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
    """The referee's processes have ended when the match is over."""
    log = play()
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert log.header.conditions.referee.removeprefix("official:") not in listed
    assert sys.executable in listed
