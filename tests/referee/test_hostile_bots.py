"""Whatever a bot does: a verdict with player, turn, limit and text; whole logs; nothing left."""

import pytest

ANSWER_TWO_TURNS = """\
for turn, line in enumerate(turns()):
    if turn < 2:
        say("1", "x")
        continue
"""

# name, what the bot does, the turn it is out in, what the verdict says
HOSTILE = [
    (
        "late",
        ANSWER_TWO_TURNS + "    time.sleep(0.8); say('1', 'x')",
        2,
        ["400 ms", "0 of 2 lines, ''"],
    ),
    ("late at first", "input(); time.sleep(3)", 0, ["1500 ms", "0 of 2 lines"]),
    (
        "garbage",
        ANSWER_TWO_TURNS + "    say('Ünsinn \\x1b', 'x')",
        2,
        ["illegal action: line 1", r"'Ünsinn \x1b'"],
    ),
    ("missing line", ANSWER_TWO_TURNS + "    say('17')", 2, ["400 ms", r"1 of 2 lines, '17\n'"]),
    (
        "partial line",
        ANSWER_TWO_TURNS + "    say('17'); sys.stdout.write('pa'); sys.stdout.flush()",
        2,
        [r"'17\npa'"],
    ),
    ("silent", "time.sleep(60)", 0, ["1500 ms", "''"]),
    ("spinning", ANSWER_TWO_TURNS + "    while True: pass", 2, ["400 ms"]),
    ("dead at once", "sys.exit(3)", 0, ["exited with status 3", "0 of 2 lines"]),
    (
        "dead later",
        ANSWER_TWO_TURNS + "    say('17'); 1 / 0",
        2,
        ["status 1", r"'17\n'", "ZeroDivisionError"],
    ),
    (
        "killed",
        ANSWER_TWO_TURNS + "    os.kill(os.getpid(), signal.SIGSEGV)",
        2,
        ["killed by SIGSEGV"],
    ),
    ("closed output", ANSWER_TWO_TURNS + "    os.close(1)", 2, ["400 ms", "closed its output"]),
    (
        "ignores signals",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + ANSWER_TWO_TURNS + "    time.sleep(60)",
        2,
        ["400 ms"],
    ),
    (
        "child holds pipes",
        ANSWER_TWO_TURNS + "    if os.fork(): os._exit(4)\n    time.sleep(60)",
        2,
        ["exited with status 4"],
    ),
    (
        "child in own session",
        "if not os.fork():\n    os.setsid(); time.sleep(60)\n"
        + ANSWER_TWO_TURNS
        + "    sys.exit(5)",
        2,
        ["exited with status 5"],
    ),
    (
        "flood",
        ANSWER_TWO_TURNS + "    while True: os.write(1, b'x' * 4096)",
        2,
        ["10000 bytes", "'xxxx"],
    ),
    (
        "flood of stderr",
        ANSWER_TWO_TURNS + "    while True: os.write(2, b'x' * 4096)",
        2,
        ["400 ms"],
    ),
    ("does not read", "say(*['1'] * 4)\ntime.sleep(60)", 2, ["400 ms", "0 of 2 lines"]),
    (
        "invalid UTF-8",
        ANSWER_TWO_TURNS + "    os.write(1, b'\\xff\\xfe\\n\\n')",
        2,
        ["illegal action", r"\\xff\\xfe"],
    ),
]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name, code, turn, verdict", HOSTILE, ids=[row[0] for row in HOSTILE])
def test_verdict(
    name, code, turn, verdict, seat, play, write_bot, good_bot, processes_naming, tmp_path
):
    """The bot loses with a reason that says it all, from either seat, and nothing of it is left."""
    if seat == 1 and name in ("late at first", "silent"):
        pytest.skip("as from seat 0, and it takes the whole first limit")
    bots = [good_bot, good_bot]
    bots[seat] = write_bot(code, "hostile")
    log = play(*bots)
    reason = log.outcome["reason"]
    assert reason.startswith(f"player {seat}, turn {turn}: ")
    for part in verdict:
        assert part in reason
    assert len(reason) < 800 and "\n" not in reason
    assert log.outcome["ranks"][seat] == 1
    assert [record["turn"] for record in log.turns] == list(range(turn + 1))
    last = log.turns[-1]["players"]
    assert last[str(seat)]["fault"] == reason
    assert last[str(1 - seat)]["fault"] is None
    assert last[str(1 - seat)]["output"] == [str(turn + 1), "word"]
    assert processes_naming(tmp_path) == []


def test_both_bots_may_fail_in_the_same_turn(play, write_bot):
    """Both are named in their own records."""
    log = play(write_bot("sys.exit(1)", "one"), write_bot("sys.exit(2)", "two"))
    assert [log.turns[0]["players"][seat]["fault"][:17] for seat in "01"] == [
        "player 0, turn 0:",
        "player 1, turn 0:",
    ]


def test_a_game_of_three_goes_on_without_the_dead(play, write_bot, good_bot):
    """An eliminated player is not asked again."""
    log = play(good_bot, write_bot("sys.exit(1)"), good_bot)
    assert [list(turn["players"]) for turn in log.turns] == [["0", "1", "2"]] + [["0", "2"]] * 4
    assert log.outcome["ranks"] == [0, 2, 0]


@pytest.mark.parametrize(
    "code",
    [
        "for line in turns():\n    os.write(1, b'1\\r\\nx\\r\\n')",
        "for line in turns():\n    os.write(1, b'1'); time.sleep(0.01); say(''); say('x')",
        "say(*['1', 'x'] * 5)\nfor line in turns(): pass",
        "for line in turns():\n    os.write(2, b'x' * 300_000 + b'\\n'); say('1', 'x')",
        "os.close(2)\nfor line in turns():\n    say('1', 'x')",
    ],
    ids=["CRLF", "pieces", "ahead of its turns", "much stderr", "closed stderr"],
)
def test_odd_but_legal(code, play, write_bot, good_bot):
    """What is unusual but legal plays to the end, each line in its turn."""
    log = play(write_bot(code), good_bot)
    assert log.outcome["scores"] == [5.0, 15.0]
    assert log.outcome["reason"] == "5 turns are over"


def test_surplus_lines_stay_for_the_next_turn(play, write_bot, good_bot):
    """As on the site: a line too many is the first line of the next answer."""
    log = play(write_bot("for line in turns():\n    say('1', 'x', 'surplus')"), good_bot)
    assert log.turns[0]["players"]["0"]["output"] == ["1", "x"]
    assert "player 0, turn 1: illegal action: line 1 holds 'surplus'" in log.outcome["reason"]


def test_the_referee_failing_leaves_no_process(
    toy, play, good_bot, monkeypatch, processes_naming, tmp_path
):
    """An error in the contest ends the bots, and the log up to there can be read."""
    from referee.log import read_log

    def break_down(match, actions):
        raise RuntimeError("defect")

    monkeypatch.setattr(toy.new_match, "play", break_down)
    with pytest.raises(RuntimeError, match="defect"):
        play(good_bot, good_bot)
    assert processes_naming(tmp_path) == []
    assert read_log(tmp_path / "match.jsonl").outcome is None
