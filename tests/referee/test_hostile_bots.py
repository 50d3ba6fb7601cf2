"""For any behaviour of a bot: a verdict with player, turn, limit and text; complete logs; nothing
left.
"""

import pytest

from referee.log.file import read_log
from referee.sources.contests import ContestError
from tests.referee.toy import NIM

ANSWER_TWO_TURNS = """\
for turn, line in enumerate(turns()):
    if turn < 2:
        say("1", "x")
        continue
"""

# In a session of its own, without parent and environment.
DAEMON = """\
if not os.fork():
    os.setsid()
    if not os.fork():
        sleep = "import time; time.sleep(60)"
        os.execve(sys.executable, [sys.executable, "-c", sleep, os.path.abspath(__file__)], {})
    os._exit(0)
"""

# name, behaviour of the bot, the turn in which it is eliminated, text of the verdict
HOSTILE = [
    (
        "late",
        ANSWER_TWO_TURNS + "    time.sleep(0.8); say('1', 'x')",
        2,
        ["400 ms", "0 of 2 lines, ''"],
    ),
    (
        "garbage",
        ANSWER_TWO_TURNS + "    say('Ünsinn \\x1b', 'x')",
        2,
        ["illegal action: line 1", r"'Ünsinn \x1b'"],
    ),
    (
        "partial line",
        ANSWER_TWO_TURNS + "    say('17'); sys.stdout.write('pa'); sys.stdout.flush()",
        2,
        ["400 ms", r"1 of 2 lines, '17\npa'"],
    ),
    ("spinning", ANSWER_TWO_TURNS + "    while True: pass", 2, ["400 ms"]),
    ("dead at once", "sys.exit(3)", 0, ["exited with status 3", "0 of 2 lines"]),
    (
        "dead later",
        ANSWER_TWO_TURNS + "    say('17'); 1 / 0",
        2,
        ["status 1", r"'17\n'", "ZeroDivisionError"],
    ),
    *(
        (f"killed by {number}", f"os.kill(os.getpid(), {number}); time.sleep(0.3)", 0, [name])
        for number, name in (
            (11, "was killed by SIGSEGV before"),
            (34, "was killed by SIGRTMIN before"),
        )
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
        "flood",
        ANSWER_TWO_TURNS + "    while True: os.write(1, b'x' * 4096)",
        2,
        ["over 10000 bytes", "'xxxx"],
    ),
    (
        "eats memory",
        ANSWER_TWO_TURNS + "    eaten = bytearray(2**30)",
        2,
        ["exited with status 1", "MemoryError"],
    ),
    (
        "writes a large file",
        ANSWER_TWO_TURNS + "    open('large', 'wb').write(bytes(2**25))",
        2,
        ["exited with status 1", "File too large"],
    ),
    (
        "leaves a daemon",
        DAEMON + ANSWER_TWO_TURNS + "    sys.exit(6)",
        2,
        ["exited with status 6"],
    ),
    (
        "invalid UTF-8",
        ANSWER_TWO_TURNS + "    os.write(1, b'\\xff\\xfe\\n\\n')",
        2,
        ["illegal action", r"\\xff\\xfe"],
    ),
]


# An answer, and then lines for ever.
ENDLESS = (
    "for line in turns():\n    say('1', 'x')\n    while True: os.write({pipe}, b'1\\nx\\n' * 1000)"
)
# Output stays in a buffer until it is full or the bot ends, as in a C program.
BUFFERING = "for line in turns(): print(1); print('x')"

NEXT_MATCH = ("flood", "leaves a daemon")
FROM_THE_OTHER_SEAT = ("dead later",)


@pytest.mark.parametrize(
    ("name", "code", "turn", "verdict", "seat"),
    [(*row, 0) for row in HOSTILE]
    + [(*row, 1) for row in HOSTILE if row[0] in FROM_THE_OTHER_SEAT],
    ids=[row[0] for row in HOSTILE] + [f"{name} in seat 1" for name in FROM_THE_OTHER_SEAT],
)
def test_verdict(
    name, code, turn, verdict, seat, play, write_bot, good_bot, processes_naming, tmp_path
):
    """The bot soon loses with a complete reason, no process or file of it is left, and the next
    match works.
    """
    bots = [good_bot, good_bot]
    bots[seat] = write_bot(code, "hostile")
    log = play(*bots)
    reason = log.outcome.reason
    assert reason.startswith(f"player {seat}, turn {turn}: ")
    for part in verdict:
        assert part in reason
    assert len(reason) < 800 and "\n" not in reason
    assert name not in ("late", "spinning") or "buffering" not in reason
    assert log.outcome.ranks[seat] == 1
    assert [one.turn for one in log.turns] == list(range(turn + 1))
    last = log.turns[-1].players
    assert last[seat].fault == reason
    assert last[1 - seat].fault is None
    assert last[1 - seat].output == [str(turn + 1), "word"]
    # Soon, and on a busy machine not much later; hostile bots sleep for a minute.
    assert last[seat].wall_ms < 30_000
    assert processes_naming(tmp_path) == []
    if name in NEXT_MATCH:
        assert play(good_bot, good_bot).outcome.scores == [15.0, 15.0]


def test_both_bots_may_fail_in_the_same_turn(play, write_bot):
    """Both faults are in the bots' own records."""
    log = play(write_bot("sys.exit(1)", "one"), write_bot("sys.exit(2)", "two"))
    assert [log.turns[0].players[seat].fault[:17] for seat in (0, 1)] == [
        "player 0, turn 0:",
        "player 1, turn 0:",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "for line in turns():\n    os.write(1, b'1\\r\\nx\\r\\n')",
        "for line in turns():\n    os.write(1, b'1'); time.sleep(0.01); say(''); say('x')",
        "say(*['1', 'x'] * 5)\nfor line in turns(): pass",
        "say(*['1', 'x'] * 5)",
        "for line in turns():\n    os.write(2, b'x' * 300_000 + b'\\n'); say('1', 'x')",
        "os.close(2)\nfor line in turns():\n    say('1', 'x')",
    ],
    ids=[
        "CRLF",
        "pieces",
        "ahead of its turns",
        "ahead, and gone",
        "much stderr",
        "closed stderr",
    ],
)
def test_odd_but_legal(code, play, write_bot, good_bot):
    """Unusual but legal behaviour is played to the end, each line in its turn."""
    log = play(write_bot(code), good_bot)
    assert log.outcome.scores == [5.0, 15.0]
    assert log.outcome.reason == "5 turns are over"


def test_surplus_lines_stay_for_the_next_turn(play, write_bot, good_bot):
    """As on the site, a surplus line is the first line of the next answer; a warning says so."""
    log = play(write_bot("for line in turns():\n    say('1', 'x', 'surplus')"), good_bot)
    first = log.turns[0].players[0]
    assert first.output == ["1", "x"]
    assert first.warnings == ["wrote more than its answer: 'surplus\\n' stays for the next turn"]
    assert "player 0, turn 1: illegal action: line 1 holds 'surplus'" in log.outcome.reason


def test_an_answer_a_turn_early(play, write_bot, good_bot):
    """The line counts as the next turn's answer; a warning names it."""
    early = "for turn, line in enumerate(turns()):\n    if turn != 1: say('1', 'x')\n"
    slow = "for line in turns():\n    time.sleep(0.1); say('1', 'x')"
    early += "    if turn == 0: time.sleep(0.05); say('7', 'y')"
    log = play(write_bot(early, "early"), write_bot(slow, "slow"))
    assert log.outcome.scores == [11.0, 5.0]
    second = log.turns[1].players[0]
    assert second.output == ["7", "y"]
    assert second.warnings == ["wrote '7\\ny\\n' before it was asked: it counts as this answer"]


def test_a_warning_before_a_cap_is_hit(play, write_bot, good_bot):
    """A warning from four fifths of a turn's cap on, for stdout and for stderr."""
    code = "for line in turns():\n    os.write(2, b'x' * 4000); say('1', 'x' * 9000)"
    record = play(write_bot(code), good_bot).turns[0].players[0]
    assert record.warnings == [
        "wrote 9003 of the 10000 bytes a turn may have",
        "wrote 4000 of the 4096 characters of stderr a turn may have",
    ]


@pytest.mark.parametrize(("contest", "seat"), [("toy", 0), ("nim", 1)])
def test_endless_output_is_its_writers_fault(contest, seat, toy, play, write_bot, good_bot):
    """Reading is bounded: the writer loses, and the other bot is never late because of it."""
    # Each write arrives whole: neither bot is eliminated for a line left from its turn before.
    game, answer, other = toy, "1\nx\n", good_bot
    if contest == "nim":
        game, answer, other = NIM, "1\n", write_bot("for line in turns(): say('1')", "good")
    bots = [other, other]
    bots[seat] = write_bot(f"while True: os.write(1, {answer.encode()!r} * 10_000)")
    log = play(*bots, contest=game)
    assert "wrote over 10000 bytes more than its answer: " in log.outcome.reason
    assert log.outcome.ranks[seat] == 1
    assert not any(part.late for _, part in log.of_player(1 - seat))


def test_endless_stderr_is_not_read_for_ever(play, write_bot, good_bot):
    """The first 4 MB of a turn are read; then the bot blocks, and is late by its own fault."""
    log = play(write_bot(ENDLESS.format(pipe=2)), good_bot)
    assert "turn 1: no complete answer within the limit of 400 ms" in log.outcome.reason
    assert "it wrote over 4000000 bytes to stderr: no more is read in a turn" in log.outcome.reason
    assert not any(part.late for _, part in log.of_player(1))


def test_a_bot_that_buffers_its_output_is_told_so(play, write_bot, good_bot):
    """The answer stays in the bot's own memory and arrives when its input ends; the verdict says
    so.
    """
    reason = play(write_bot(BUFFERING), good_bot).outcome.reason
    assert (
        "turn 0: no complete answer within the limit of 1500 ms: 0 of 2 lines, ''; '1\\nx\\n"
        in reason
    )
    assert "came when its input ended: it may be buffering its output, flush it after" in reason


def test_a_bot_that_reads_too_much_is_told_so(play, write_bot, good_bot):
    """The bot writes nothing; the verdict says that it waits for more input."""
    code = "for line in turns():\n    input()\n    say('1', 'x')"
    reason = play(write_bot(code), good_bot).outcome.reason
    assert reason.endswith(
        "; it waits for input: it reads more than it is sent, or may be buffering its output"
    )


def test_the_referee_failing_leaves_no_process(
    toy, play, good_bot, monkeypatch, processes_naming, tmp_path
):
    """An error in the contest ends the bots, and the log up to there can be read."""

    def break_down(match, actions):
        raise RuntimeError("defect")

    monkeypatch.setattr(toy.new_match, "play", break_down)
    with pytest.raises(ContestError, match="in break_down: RuntimeError: defect"):
        play(good_bot, good_bot)
    assert processes_naming(tmp_path) == []
    assert read_log(tmp_path / "match.jsonl").outcome is None
