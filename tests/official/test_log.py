"""The log of an official match: replayed by bots and by the referee, and its page."""

import json
import re

import pytest

from referee.log.file import read_log


@pytest.fixture
def played(play, adder, tmp_path):
    """played(scenario, bots) plays a match; returns its log's path."""

    def write(scenario="", bots=None):
        play(bots=bots or [adder(1), adder("turn")], scenario=scenario)
        return tmp_path / "match.jsonl"

    return write


def test_a_log_repeats(run, played):
    """The seed determines the game, so the referee repeats a log; a bot repeats its turns."""
    log = played()
    assert run("replay", log) == (0, f"{log}: 4 turns agree with the rules\n", "")
    status, out, _ = run("replay", log, "--player", 1)
    assert (status, out) == (0, "player 1 (adds_turn): all 4 answers agree with the log\n")
    status, out, _ = run("replay", log, "--player", 1, "--turn", 2)
    assert status == 0 and "turn 2" in out


def test_a_log_is_not_run_unless_it_is_trusted(run, played):
    """The log names a build, which may be any program."""
    log = played()
    status, _, err = run("replay", log, trust=False)
    assert status == 2 and "add --trust to run that" in err
    assert run("view", log, trust=False)[0] == 0


def test_a_referee_that_draws_more_than_its_seed(run, played):
    """The turn of the first difference is named."""
    status, out, _ = run("replay", played("unseeded"))
    assert status == 1
    assert re.match(r"first difference: turn 0, player 0, input\[0\]: ", out)


def test_a_failed_bot_and_a_bank_repeat(run, played, adder):
    """The engine counts time, so the log replays the recorded times."""
    for scenario in ("bank", "undead"):
        log = played(scenario, [adder("1 if turn < 2 else sys.exit(3)", "dies"), adder("turn")])
        assert run("replay", log)[0] == 0
    damaged = log.read_text().replace('"output":["1"]', '"output":["2"]')
    log.write_text(damaged)
    status, out, _ = run("replay", log)
    assert status == 1 and "summary[0]" in out


def page_of(log, run):
    """The data of a log's page."""
    page = log.with_suffix(".html")
    assert run("view", log)[0] == 0
    [data] = re.findall(r'id="log">(.*?)</script>', page.read_text(), re.DOTALL)
    return json.loads(data)


def rows_of(data, kind):
    """The rows of a kind, by column name."""
    found = []
    for schema, *values in data["rows"]:
        name, *names = data["schemas"][schema]
        if name == kind:
            found.append(dict(zip(names, values)))
    return found


def test_the_page_shows_the_referees_texts(run, played, adder):
    """Its summary is beside each player, with marks replaced by names; tooltips are under the
    board.
    """
    log = played("", [adder("1 if turn < 1 else 'no'", "bad"), adder("turn")])
    data = page_of(log, run)
    assert not data["board"]
    texts = [row["text"] for row in rows_of(data, "fact")]
    assert "bad wrote 1" in texts and "bad invalid: no" in texts
    [event] = rows_of(data, "event")
    assert (
        event["kind"] == "tooltip" and event["text"] == "bad invalid: no" and event["player"] == 0
    )


def test_a_contest_may_be_named(run, build, adder, tmp_path):
    """The log then has the title and limits of the module of that name."""
    log = tmp_path / "match.jsonl"
    words = ["--official", build(), "ultimate_tic_tac_toe", adder(1), adder(2), "--log", log]
    assert run("match", *words)[::2] == (0, "")
    assert read_log(log).header.title == "Ultimate Tic-Tac-Toe"
    assert page_of(log, run)["title"] == "Ultimate Tic-Tac-Toe"
