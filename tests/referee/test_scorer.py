"""Contests without a dialogue: input files, programs that end, and a scorer."""

import json

import pytest

from referee.log.limits import Clock
from referee.play import scorer
from referee.play.scorer import ScorerError, input_files, score_of, scored_contest
from tests.arena.conftest import command, run

__all__ = ["command", "run"]  # fixtures

# Writes the first number of the input, scored ten times the output; some cases are its bad days.
SCORE = """\
read -r n < "$1"; read -r answer < "$2"
case $n in
  3) echo "Score = 1"; echo "Score = 2" ;;
  4) kill -9 $$ ;;
  5) echo "wrong answer" >&2; exit 1 ;;
  6) echo "Score = 1e31" ;;
  7) echo "nothing to say" ;;
  *) echo "Score = $((answer * 10))" >&2 ;;
esac
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with twelve inputs, a scorer, and bots that answer n, 2, nothing, or late."""
    (tmp_path / "in").mkdir()
    for n in range(12):
        (tmp_path / "in" / f"{n}.txt").write_text(f"{n}\nmore\n")
    for name, text in {
        "score": SCORE,
        "first": "read -r n; echo $n",
        "two": "cat > /dev/null; echo 2",
        "dead": "exit 7",
        "slow": "sleep 60 & sleep 60",
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.sh").write_text(text)
    return tmp_path


@pytest.fixture
def scored(run, folder):
    """scored(name, bots, arguments...) runs a command by the scorer: its CompletedProcess."""

    def call(name, bots, *arguments):
        given = [f"sh {folder}/{one}/{one}.sh" for one in bots]
        options = ["--scorer", f"sh {folder}/score/score.sh", "--inputs", folder / "in"]
        return run(name, "answers", *given, *options, *arguments)

    return call


def test_an_arena_of_scored_cases_survives_bad_ones(scored, folder):
    """Each input is a case; a scorer that fails, dies, or gives no single score fails that case."""
    done = scored("arena", ["first", "two"], "--db", folder / "arena.db", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["games"], result["cases"]) == (24, 12)
    first, two = result["bots"]
    assert first["errors"] == two["errors"] == 5 and set(first["worst"]) <= {*"034567"}
    scores = [0, 10, 20, 0, 0, 0, 0, 0, 80, 90, 100, 110]
    assert first["mean"]["value"] == pytest.approx(sum(scores) / 12)
    assert first["lead"]["value"] == -two["lead"]["value"]


@pytest.mark.parametrize(
    ("number", "problem"),
    [
        (3, "wrote 2 scores, one is expected: 'Score = 1"),
        (4, "was killed by SIGKILL"),
        (5, "exited with status 1; it wrote 'wrong answer'"),
        (6, "wrote a score that is no number"),
        (7, "wrote no line 'Score = N'"),
    ],
)
def test_a_scorer_without_a_score_is_quoted(folder, number, problem):
    with pytest.raises(ScorerError, match=f"^the scorer {problem}"):
        score_of(f"sh {folder}/score/score.sh", folder / "in" / f"{number}.txt", b"1")


def test_a_scorer_that_hangs_is_ended(monkeypatch, folder):
    monkeypatch.setattr(scorer, "SCORER_MS", 200)
    with pytest.raises(ScorerError, match="the scorer is late: 200 ms are allowed"):
        score_of("sh -c 'sleep 60 & sleep 60'", folder / "in" / "1.txt", b"")


def test_a_match_is_logged_with_its_fault(scored, folder):
    log = folder / "match.jsonl"
    exits, is_late = ("dead", "20000", "exited with status 7"), (
        "slow",
        "300",
        "is late: 300 ms are",
    )
    for name, limit, problem in (exits, is_late):
        done = scored("match", [name], "--log", log, "--limits", limit, "--seed", 8)
        assert done.returncode == 3 and problem in done.stdout, done.stderr
        assert problem in log.read_text()
    done = scored("match", ["first"], "--seed", 9, "--json")
    assert json.loads(done.stdout)["players"][0]["score"] == 90


def test_a_large_input_meets_a_large_output(folder):
    """Neither pipe's capacity blocks the other; the input's end is told."""
    data = b"0123456789abcdef" * 50_000
    ran = scorer.run_program(["/bin/cat"], {}, data, 10_000, Clock.WALL)
    assert ran.output == data and ran.fault is None
    unread = scorer.run_program(["/bin/echo", "done"], {}, data, 10_000, Clock.WALL)
    assert (unread.output, unread.fault) == (b"done\n", None)


def test_places_of_the_files_in_the_command(folder):
    given = folder / "in" / "9.txt"
    assert score_of("sh -c 'echo Score: 4.5'", given, b"") == 4.5
    assert score_of("sh -c 'echo score = $(cat {output})'", given, b"-3") == -3
    with pytest.raises(ScorerError, match="no number: 'Score = inf"):
        score_of("sh -c 'echo Score = inf'", given, b"")
    for name in ("test.2", "test.10", "{output}.in"):
        (folder / "{output}").mkdir(exist_ok=True)
        (folder / "{output}" / name).write_text("8")
    inputs = str(folder / "{output}")
    assert scored_contest("any", inputs, False).cases == ("test.2", "test.10", "{output}")
    *_, given = input_files(inputs)
    assert score_of(f"sh {folder}/score/score.sh", given, b"7") == 70


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--inputs", "/no/folder"], "no folder of input files"),
        (["--cases", "99"], "has 12 inputs, seeds 0 to 11"),
        (["--scorer", "no-such-program"], "neither a file nor a command"),
    ],
)
def test_errors_tell_what_to_do(scored, folder, arguments, problem):
    done = scored("arena", ["two"], "--db", folder / "arena.db", *arguments)
    assert done.returncode == 2 and problem in done.stderr
