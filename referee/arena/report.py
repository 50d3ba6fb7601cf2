"""Writes the report of an arena: one HTML page about its file, without network or script.

Games whose logs were kept have pages of their own (`referee.page.page`) in a folder beside the
report; the cells of the crosstable link to the lists of games of two bots, and these lists to the
pages. `report.html` is the template.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import chain, combinations
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from referee.arena.best_known import BestScore
from referee.arena.charts import (
    N_COLOURS,
    class_of,
    interval_chart,
    length_chart,
    time_chart,
    value_chart,
)
from referee.arena.courses import CourseRow
from referee.arena.entrants import find_entrant, labels
from referee.arena.measures import CaseStandings, Standings, clipped, number_text, score_text
from referee.arena.rows import BY_BOT
from referee.arena.series import Series
from referee.arena.standings import scores_of, wins_of
from referee.arena.statistics.elo import Estimate
from referee.arena.statistics.scores import LEAST_CASES
from referee.arena.store import Store
from referee.errors import UsageError
from referee.log.file import read_log
from referee.log.limits import Profile
from referee.page.page import load_template, write_page

FOLDER = Path(__file__).parent
# The number of listed games of two bots without a log: a row costs more than a hundred bytes.
MAX_LISTED, LEAST_LISTED = 300, 10
# The cases listed at most; of more, as many of the worst and of the best ones.
MOST_CASES = 300
# The reported values whose course is drawn.
MOST_COURSES = 12

Tell = Callable[[str], None]
Known = dict[str, dict[str, BestScore]]


def write_report(
    store: Store,
    path: Path,
    tell: Tell = lambda text: None,
    trust: bool = False,
    known: Known | None = None,
    against: str | None = None,
) -> tuple[int, list[str]]:
    """Write the report of a file of results, and the pages of its games.

    Returns the number of new pages, and a text for each log that gives no page. tell: called with
    texts about the progress. trust: logs may name contests outside this installation. known,
    against: in contests for one player, the best known scores, and the bot with which the other
    bots are compared. Raises UsageError.
    """
    all_series = store.all_series()
    pages = path.with_name(f"{path.stem}-games")
    reports = [
        (ScoreReport if store.is_solo(series) else MatchReport)(
            store, series, number, pages, tell, trust, known or {}, against
        )
        for number, series in enumerate(all_series)
    ]
    page = load_template(FOLDER / "report.html").render(
        title=f"Arena: {', '.join(sorted({series.contest for series in all_series}))}",
        style=(FOLDER / "report.css").read_text(encoding="utf-8"),
        series=[report.data() for report in reports],
    )
    path.write_text(page, encoding="utf-8")
    problems = [problem for report in reports for problem in report.problems.values()]
    return sum(report.n_pages for report in reports), problems


class SeriesReport:
    """The part of a report about one series.

    number: the number of this part, which makes the names of its links unique. known, against: see
    write_report.
    """

    def __init__(
        self,
        store: Store,
        series: Series,
        number: int,
        pages: Path,
        tell: Tell,
        trust: bool,
        known: Known,
        against: str | None,
    ) -> None:
        self.store, self.series, self.number, self.pages = store, series, number, pages
        self.tell, self.trust = tell, trust
        self.entrants = store.entrants(series)
        self.names = labels(self.entrants)
        self.numbers = {entrant.key: bot for bot, entrant in enumerate(self.entrants)}
        self.known, self.against = known, against
        tell(f"{series.title()}: standings")
        self.standings = self.count()
        self.n_pages = 0
        self.problems: dict[Path, str] = {}

    def count(self) -> Standings:
        """Returns the standings of the series."""
        raise NotImplementedError

    def data(self) -> dict[str, Any]:
        """Returns the data of the series for the template."""
        standings, against = self.standings, find_entrant(self.entrants, self.against)
        columns = standings.columns(self.names, against, is_page=True)
        values = {bot: value for bot, value in enumerate(standings.values()) if value is not None}
        order = list(range(len(self.names)))
        if not standings.is_solo:
            order = sorted(values, key=lambda bot: -values[bot].value)
        drawn = [(bot, self._drawn(values[bot])) for bot in order if bot in values]
        form = ("{:,g}",) if standings.is_solo else ()
        chart = interval_chart(self.names, drawn, standings.unit, *form) if drawn else ""
        return {
            "title": self.series.title(),
            "is_solo": standings.is_solo,
            "n_games": standings.n_games,
            "n_errors": sum(map(standings.n_failed, range(len(self.names)))),
            "rating_heads": ["bot", *(column.title for column in columns)],
            "ratings": [
                {"bot": self._bot(bot), "cells": [column.cells[bot] for column in columns]}
                for bot in order
            ],
            "intervals": Markup(chart),
            "bots": [self._bot(bot) for bot in range(len(self.names))],
            "lengths": Markup(length_chart(self.store.lengths(self.series))),
            "times": self._times(),
            **self._values(),
        }

    def _drawn(self, value: Estimate) -> Estimate:
        """Returns a bot's value as the chart of intervals shows it."""
        raise NotImplementedError

    def _bot(self, bot: int) -> dict[str, Any]:
        entrant = self.entrants[bot]
        given = f"{entrant.given} ({entrant.key})"
        return {"name": self.names[bot], "given": given, "colour": bot % N_COLOURS}

    def _times(self) -> list[tuple[dict[str, Any], Markup]]:
        """Returns a chart of turn times for each bot, on one axis, with the limit for a turn."""
        limits = self.series.conditions["limits"]
        is_limited = limits != BY_BOT and limits["profile"] != Profile.OFF
        limit_ms = limits["turn_ms"] if is_limited else None
        times_of = {
            self.numbers[bot]: times for bot, times in self.store.times(self.series).items()
        }
        classes = [time for times in times_of.values() for time in times]
        if not classes:
            return []
        last = max(classes)
        if limit_ms:
            last = max(last, round(class_of(limit_ms)))
        return [
            (self._bot(bot), Markup(time_chart(times, min(classes), last, limit_ms)))
            for bot, times in sorted(times_of.items())
        ]

    def _values(self) -> dict[str, Any]:
        """Returns the template's data of reported values: means by bot, and charts by turn."""
        means_by_name = self.store.mean_values(self.series)
        rows = []
        for bot, entrant in enumerate(self.entrants):
            means = [of_bots.get(entrant.key) for of_bots in means_by_name.values()]
            rows.append(
                (self._bot(bot), ["-" if mean is None else f"{mean:,.6g}" for mean in means])
            )
        courses = self.store.courses(self.series)
        return {
            "value_heads": list(means_by_name),
            "value_rows": rows if means_by_name else [],
            "courses": [
                (name, Markup(self._course(name, by_bot)))
                for name, by_bot in list(courses.items())[:MOST_COURSES]
            ],
        }

    def _course(self, name: str, by_bot: dict[str, list[CourseRow]]) -> str:
        """Returns the chart of a value by turn, "" if no bot of the series reported the value."""
        lines = {
            self.numbers[key]: [(row.turn, row.mean, row.deviation) for row in rows]
            for key, rows in by_bot.items()
            if key in self.numbers
        }
        return value_chart(name, "turn", lines) if lines else ""

    def _page(self, relative: str | None) -> tuple[str | None, str | None]:
        """Returns (page, None) or (None, problem) for a log, (None, None) if there is no log.

        The page is a path relative to the report; a new page is written.
        """
        log = relative and self.store.path.parent / relative
        if not log or not is_file(log):
            return None, None
        page = self.pages / f"{log.stem}.html"
        if not page.exists():
            self.tell(f"{self.series.title()}: page of {log.name}")
            self.pages.mkdir(parents=True, exist_ok=True)
            try:
                write_page(read_log(log), page, self.trust)
            except (UsageError, OSError) as error:
                self.problems[log] = f"no page: {error}"
                return None, self.problems[log]
            self.n_pages += 1
        return f"{self.pages.name}/{page.name}", None


class MatchReport(SeriesReport):
    """The part of a report about a contest for several players."""

    def count(self) -> Standings:
        games = list(self.store.alike(self.series))
        self.wins = wins_of(games, self.entrants)
        # For each pair of bots: the numbers of the listed games (with a page or an error, then the
        # first of the others), and the number of unlisted games.
        self.listed: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.unlisted: Counter[tuple[int, int]] = Counter()
        n_pairs = len(self.names) * (len(self.names) - 1) // 2
        most_listed = max(LEAST_LISTED, MAX_LISTED // max(1, n_pairs))
        telling = self.store.telling(self.series)
        pairs: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for number, _, game in games:
            if game.seating not in pairs:
                bots = sorted({self.numbers[key] for key in game.seating})
                pairs[game.seating] = list(combinations(bots, 2))
            for pair in pairs[game.seating]:
                if number in telling or len(self.listed[pair]) < most_listed:
                    self.listed[pair].append(number)
                else:
                    self.unlisted[pair] += 1
        self.games = self.store.find_games(set(chain.from_iterable(self.listed.values())))
        return self.wins

    def data(self) -> dict[str, Any]:
        return {
            **super().data(),
            "is_large": self.wins.most_seats > 2,
            "points": [
                [self._cell(bot, other) for other in range(len(self.names))]
                for bot in range(len(self.names))
            ],
            "lists": [self._list(*pair) for pair in sorted(self.listed)],
        }

    def _drawn(self, value: Estimate) -> Estimate:
        return clipped(value)

    def _cell(self, bot: int, other: int) -> dict[str, Any] | None:
        """Returns a cell of the crosstable, a bot's points against another, None without games."""
        pairing = None if bot == other else self.wins.pairing(bot, other)
        if pairing is None:
            return None
        share = pairing.points / pairing.n_games
        return {
            "colour": "win" if share > 0.5 else "loss",
            "strength": f"{abs(share - 0.5) * 0.8:.2f}",
            "anchor": self._anchor(bot, other),
            "tip": f"{pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost",
            "points": f"{pairing.points:g}",
            "n_games": pairing.n_games,
        }

    def _anchor(self, bot: int, other: int) -> str:
        return f"games-{self.number}-{min(bot, other)}-{max(bot, other)}"

    def _list(self, bot: int, other: int) -> dict[str, Any]:
        return {
            "anchor": self._anchor(bot, other),
            "bots": [self._bot(bot), self._bot(other)],
            "games": [self._game(number) for number in self.listed[bot, other]],
            "unlisted": self.unlisted[bot, other],
        }

    def _game(self, number: int) -> dict[str, Any]:
        game = self.games[number]
        players = ", ".join(
            f"{self.names[self.numbers[key]]} ({seat.rank + 1})"
            for key, seat in zip(game.seating, game.result.seats)
        )
        faults = [seat.fault for seat in game.result.seats if seat.fault]
        page, problem = self._page(game.log)
        return {
            "seed": game.seed,
            "players": players,
            "turns": game.result.turns,
            "ended": "; ".join(faults) or game.result.reason,
            "is_fault": bool(faults),
            "page": page and quote(page),
            "problem": problem,
        }


class ScoreReport(SeriesReport):
    """The part of a report about a contest for one player."""

    def count(self) -> Standings:
        known = {case: best.score for case, best in self.known.get(self.series.contest, {}).items()}
        self.scores = scores_of(self.store, self.series, self.entrants, known)
        # By case and bot: the last log of their games.
        self.logs: dict[tuple[str, int], str] = {}
        for row in self.store.scores(self.series):
            if row.log:
                case = self.scores.case_of(row.seed).name
                self.logs[case, self.numbers[row.bot]] = row.log
        return self.scores

    def _drawn(self, value: Estimate) -> Estimate:
        is_bounded = math.isfinite(value.high - value.low)
        return value if is_bounded else Estimate(value.value, value.value, value.value)

    def data(self) -> dict[str, Any]:
        names, scores = self.names, self.scores
        against = find_entrant(self.entrants, self.against)
        notes = self.store.notes(self.series)
        cases, unlisted = case_rows(scores)
        is_pair = against is None and len(names) == 2
        return {
            **super().data(),
            "reference": "the other bot" if is_pair else names[against or 0],
            "least_cases": LEAST_CASES,
            "notes": [notes.get(entrant.key, "") for entrant in self.entrants],
            "groups": [
                (group, len(some.cases), [score_text(some.mean(bot)) for bot in range(len(names))])
                for group, some in scores.by_group().items()
            ],
            "cases": [
                {**case, "cells": [self._score(case["name"], *cell) for cell in case["cells"]]}
                for case in cases
            ],
            "unlisted": unlisted,
            "left_out": scores.inconstant,
        }

    def _score(self, case: str, bot: int, score: str, share: str) -> dict[str, Any]:
        """Returns a bot's score on a case for the template, with a link to the page of the game."""
        page, problem = self._page(self.logs.get((case, bot)))
        return {"score": score, "share": share, "page": page and quote(page), "problem": problem}


def case_rows(scores: CaseStandings) -> tuple[Sequence[dict[str, Any]], int]:
    """Returns a row for each case, the worst of the last bot first, and the number left out.

    Cases that the last bot has not played come last. A cell is (bot, text of its score, text of its
    share of the best known score).
    """
    order = scores.order(scores.n_bots - 1)
    order += sorted(set(range(len(scores.cases))) - set(order))
    n_unlisted = max(0, len(order) - MOST_CASES)
    if n_unlisted:
        order = order[: MOST_CASES // 2] + order[-MOST_CASES // 2 :]
    best, matrix, share = scores.best(), scores.matrix(), scores.relative()
    played = scores.has_played()
    rows = []
    for row in order:
        cells = []
        for bot in range(scores.n_bots):
            score = float(matrix[row, bot])
            shown = "failed" if math.isnan(score) else number_text(score)
            is_there = bool(played[row, bot])
            cells.append((bot, shown if is_there else "", f"{share[row, bot]:.0%}" * is_there))
        known = float(best[row])
        rows.append(
            {
                "name": scores.cases[row].name,
                "group": scores.cases[row].group,
                "best": "" if math.isnan(known) else number_text(known),
                "cells": cells,
            }
        )
    return rows, n_unlisted


def is_file(path: Path) -> bool:
    """Returns True if a file exists, False also for an impossible path."""
    try:
        return path.is_file()
    except OSError:
        return False
