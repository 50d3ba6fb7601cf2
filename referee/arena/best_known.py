"""Keeps the best known scores of contests for one player in a file: JSON, by contest and case.

The file outlives the arena's file of results and edits of bots and rules. For instance:
`{"samegame": {"Standard Testset 1": {"score": 2919.0, "bot": "bots/samegame/beam.py"}}}`. A person
may edit the file, for instance to enter published scores.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from referee.errors import UsageError
from referee.log.schema import FieldError, Number, parse, read


@dataclass(frozen=True)
class BestScore:
    """The best known score of a case, and the bot that reached it, "" if unknown."""

    score: Number
    bot: str = ""


Known = dict[str, dict[str, BestScore]]


def best_file(db: Path) -> Path:
    """Returns the path of the file of best known scores, which lies beside a file of results."""
    # Not by `with_name`: "." has no name, and the store refuses it with a reason.
    return db.parent / f"{db.stem}-best.json"


def read_best(path: Path) -> Known:
    """Returns the best known scores by contest and case, {} without a file. Raises UsageError."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: best known scores cannot be read: {error}") from error
    try:
        known: Known = read(Known, parse(text))
        return known
    except (ValueError, FieldError) as error:
        raise UsageError(
            f'{path}: no best known scores, {{"CONTEST": {{"CASE": {{"score": 1.0}}}}}}: {error}:'
            " correct it, or move it away"
        ) from error


def known_scores(path: Path, contest: str) -> dict[str, float]:
    """Returns the best known score of each case of a contest. Raises UsageError."""
    return {case: best.score for case, best in read_best(path).get(contest, {}).items()}


def improve_best(
    path: Path, contest: str, improved: Mapping[str, BestScore], lowest_wins: bool
) -> int:
    """Write the scores that are better than the known ones, and return how many were written.

    improved: {name of a case: BestScore}. lowest_wins: the lower of two scores is better. Raises
    UsageError.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with sole_user(path.parent):
            known = read_best(path)
            cases = known.setdefault(contest, {})
            better = {
                case: score
                for case, score in improved.items()
                if case not in cases
                or (
                    score.score < cases[case].score
                    if lowest_wins
                    else score.score > cases[case].score
                )
            }
            if better:
                cases.update(better)
                known[contest] = dict(sorted(cases.items()))
                unfinished = path.with_suffix(".unfinished")
                text = json.dumps(known, indent=1, ensure_ascii=False, default=asdict)
                unfinished.write_text(f"{text}\n", encoding="utf-8")
                unfinished.replace(path)
    except OSError as error:
        raise UsageError(
            f"{path}: best known scores cannot be kept there: {error.strerror}: give another --best"
        ) from error
    return len(better)


@contextmanager
def sole_user(folder: Path) -> Iterator[None]:
    """Lock a folder within a context, so that no other arena changes its files at the same time."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
