"""`read_arena`: the results in an arena's file, as `onefile table` shows them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from onefile_bots._command import run_command


@dataclass(frozen=True)
class ArenaSeries:
    """Comparable games of an arena's file: games of one contest under the same conditions.

    title: contest and conditions as shown to people. standings: a row for each bot, in the order of
    their first games, with the keys of `onefile arena --json`. games: a row for each game: seed,
    turns, reason, log, and the lists bots (their names), ranks, scores and faults by seat. A list
    of rows becomes a table by `pandas.DataFrame(series.games)`.
    """

    contest: str
    title: str
    conditions: dict[str, Any]
    standings: list[dict[str, Any]]
    games: list[dict[str, Any]]


def read_arena(file: str | os.PathLike[str]) -> list[ArenaSeries]:
    """Returns the results in an arena's file, one ArenaSeries for each contest and conditions.

    Raises OnefileError for a file without games, and for a damaged file.
    """
    said = run_command(["table", os.fspath(file), "--json"])
    return [ArenaSeries(**json.loads(line)) for line in said.output]
