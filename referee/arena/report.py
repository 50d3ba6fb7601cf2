"""The report of an arena: one HTML page of everything in its file, without network or script.

Games whose logs were kept have pages of their own (`referee.view`) in a folder beside the report;
the cells of the crosstable lead to the games of two bots, and those to their pages.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from html import escape
from itertools import combinations
from pathlib import Path
from string import Template
from urllib.parse import quote

from referee.arena.charts import N_COLOURS, class_of, interval_chart, length_chart, time_chart
from referee.arena.entrants import Entrant, labels
from referee.arena.standings import Standings, standings_of
from referee.arena.store import BY_BOT, Series, Store, Stored
from referee.arena.table import percent, signed
from referee.limits import Profile
from referee.log import read_log
from referee.view import write_page

FOLDER = Path(__file__).parent
# Of the games of two bots without a log so many are listed: a row costs more than a hundred bytes.
MAX_LISTED = 100


@dataclass
class Digest:
    """What the report tells of a series beside the standings, in one pass over its games.

    listed: for every two bots the games to list, those with pages or errors and the first of the
    others; unlisted: how many more there are.
    """

    lengths: Counter[int] = field(default_factory=Counter)
    times: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    listed: dict[tuple[int, int], list[Stored]] = field(default_factory=lambda: defaultdict(list))
    unlisted: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, game: Stored, seating: list[int]) -> None:
        """Take a game into account; seating as numbers of bots."""
        self.lengths[game.result.turns] += 1
        for bot, seat in zip(seating, game.result.seats):
            self.times[bot].update(seat.times)
        telling = game.log or any(seat.fault for seat in game.result.seats)
        for pair in combinations(sorted(set(seating)), 2):
            if telling or len(self.listed[pair]) < MAX_LISTED:
                self.listed[pair].append(game)
            else:
                self.unlisted[pair] += 1


def write_report(store: Store, path: Path) -> None:
    """Write the report of a file of results, and the pages of its games. Raises UsageError."""
    all_series = store.all_series()
    pages = path.with_name(f"{path.stem}-games")
    body = "".join(
        SeriesReport(store, series, number, pages).html()
        for number, series in enumerate(all_series)
    )
    page = Template(_read("report.html")).substitute(
        title=escape(f"Arena: {', '.join(sorted({series.contest for series in all_series}))}"),
        style=_read("report.css"),
        body=body,
    )
    path.write_text(page, encoding="utf-8")


class SeriesReport:
    """The part of the report about one series; `number` tells its links from those of others."""

    def __init__(self, store: Store, series: Series, number: int, pages: Path):
        self.store, self.series, self.number, self.pages = store, series, number, pages
        self.entrants: list[Entrant] = store.entrants(series)
        self.names = labels(self.entrants)
        self.standings: Standings = standings_of(store, series, self.entrants)
        self.numbers = {entrant.key: bot for bot, entrant in enumerate(self.entrants)}
        self.digest = Digest()
        for game in store.games(series):
            self.digest.add(game, [self.numbers[key] for key in game.seating])

    def html(self) -> str:
        """Head, ratings, crosstable, lengths, times and games."""
        games = self.standings.n_games
        errors = sum(self.standings.tally.errors)
        failed = f', <span class="errors">{errors} errors</span>' if errors else ", no errors"
        return (
            f"<header><h1>{escape(self.series.title())}</h1>"
            f'<p class="facts">{len(self.names)} bots, {games} games{failed}</p></header>'
            '<main class="panels">'
            f"{panel('Ratings', self._ratings(), 'wide')}"
            f"{panel('Points', self._crosstable(), 'wide' if len(self.names) > 4 else '')}"
            f"{panel('Turns of a game', length_chart(self.digest.lengths))}"
            f"{panel('Time of a turn', self._times(), 'times')}"
            f"{panel('Games', self._games(), 'wide')}</main>"
        )

    def _name(self, bot: int) -> str:
        given = escape(f"{self.entrants[bot].given} ({self.entrants[bot].key})")
        name = escape(self.names[bot])
        return f'<span class="name bot-{bot % N_COLOURS}" title="{given}">{name}</span>'

    def _ratings(self) -> str:
        standings = self.standings.of_bots()
        order = sorted(range(len(standings)), key=lambda bot: -standings[bot].elo.value)
        chart = interval_chart(self.names, [(bot, standings[bot].elo) for bot in order])
        heads = ["bot", "games", "won", "drawn", "lost", "errors", "score", "95%", "Elo", "95%"]
        rows = []
        for bot in order:
            one = standings[bot]
            counts = [one.games, one.wins, one.draws, one.losses]
            cells = [*map(str, counts), errors_cell(one.errors), *percent(one.score)]
            rows.append([self._name(bot), *cells, *signed(one.elo)])
            if one.skill:
                rows[-1].append(f"{one.skill[0]:.1f} ± {one.skill[1]:.1f}")
        if standings[0].skill:
            heads.append("skill")
        above = "the other bot" if len(standings) == 2 else "the mean of all"
        note = (
            f'<p class="note">Elo above {above}, with 95% intervals from the groups of games.</p>'
        )
        return scrolled(chart, "intervals") + scrolled(html_table(heads, rows)) + note

    def _crosstable(self) -> str:
        bots = range(len(self.names))
        rows = []
        for bot in bots:
            row = [self._name(bot)]
            for other in bots:
                row.append(self._cell(bot, other))
            rows.append(f"<tr><td>{row[0]}</td>{''.join(row[1:])}</tr>")
        heads = "".join(f"<th>{self._name(bot)}</th>" for bot in bots)
        return scrolled(
            f'<table class="cross"><thead><tr><th>points of</th>{heads}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table>"
        )

    def _cell(self, bot: int, other: int) -> str:
        pairing = self.standings.tally.pairing(bot, other)
        if pairing is None:
            return '<td class="none">·</td>'
        share = pairing.points / pairing.n_games
        colour, strength = ("win", share - 0.5) if share > 0.5 else ("loss", 0.5 - share)
        tip = f"{pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost"
        return (
            f'<td style="background: rgb(var(--{colour}) / {strength * 0.8:.2f})">'
            f'<a href="#{self._anchor(bot, other)}" title="{tip}">{pairing.points:g}'
            f" <small>of {pairing.n_games}</small></a></td>"
        )

    def _anchor(self, bot: int, other: int) -> str:
        return f"games-{self.number}-{min(bot, other)}-{max(bot, other)}"

    def _times(self) -> str:
        """A chart a bot, all on one axis, with the limit for a turn where there is one."""
        limits = self.series.conditions["limits"]
        is_limited = limits != BY_BOT and limits["profile"] != Profile.OFF
        limit_ms = limits["turn_ms"] if is_limited else None
        classes = [one for times in self.digest.times.values() for one in times]
        if not classes:
            return (
                '<p class="note">A foreign referee asked the bots: their times are not known.</p>'
            )
        last = max(classes)
        if limit_ms:
            last = max(last, round(class_of(limit_ms)))
        charts = []
        for bot, times in sorted(self.digest.times.items()):
            chart = time_chart(times, min(classes), last, limit_ms)
            charts.append(
                f'<div class="bot-{bot % N_COLOURS}"><h3>{self._name(bot)}</h3>{chart}</div>'
            )
        return f"<div>{''.join(charts)}</div>"

    def _games(self) -> str:
        lists = []
        for (bot, other), games in sorted(self.digest.listed.items()):
            rows = [self._game_row(game) for game in games]
            heads = ["seed", "seats (place)", "turns", "how it ended"]
            more = self.digest.unlisted[bot, other]
            note = f'<p class="note">and {more} more without a log</p>' if more else ""
            lists.append(
                f'<div class="games" id="{self._anchor(bot, other)}">'
                f"<h3>{self._name(bot)} {self._name(other)}</h3>"
                f"{scrolled(html_table(heads, rows, text_columns=(1, 3)))}{note}</div>"
            )
        hint = '<p class="note">Choose two bots in the table of points.</p>'
        return (hint if len(lists) > 1 else "") + "".join(lists)

    def _game_row(self, game: Stored) -> list[str]:
        players = ", ".join(
            f"{escape(self.names[self.numbers[key]])} ({seat.rank + 1})"
            for key, seat in zip(game.seating, game.result.seats)
        )
        seed = str(game.seed)
        if page := self._page(game):
            seed = f'<a href="{quote(page)}">{seed}</a>'
        faults = [seat.fault for seat in game.result.seats if seat.fault]
        ended = (
            f'<span class="errors">{escape("; ".join(faults))}</span>'
            if faults
            else escape(game.result.reason)
        )
        return [seed, players, str(game.result.turns), ended]

    def _page(self, game: Stored) -> str | None:
        """A game's page, relative to the report, made if it is new; None where there is none."""
        log = game.log and self.store.path.parent / game.log
        # A foreign referee shows no states to draw.
        if not log or not log.exists() or self.series.conditions["referee"]:
            return None
        page = self.pages / f"{log.stem}.html"
        if not page.exists():
            self.pages.mkdir(parents=True, exist_ok=True)
            write_page(read_log(log), page)
        return f"{self.pages.name}/{page.name}"


def panel(title: str, content: str, size: str = "") -> str:
    """A part of the page with a title."""
    return f'<section class="panel {size}"><h2>{title}</h2>{content}</section>'


def scrolled(content: str, kind: str = "") -> str:
    """Content that scrolls for itself where it is too wide."""
    return f'<div class="scroll {kind}">{content}</div>'


def html_table(heads: list[str], rows: list[list[str]], text_columns: tuple[int, ...] = ()) -> str:
    """A table of cells that are HTML; text columns stand left."""

    def row(cells: list[str], tag: str) -> str:
        classes = [' class="text"' if place in text_columns else "" for place in range(len(cells))]
        return "".join(f"<{tag}{of}>{cell}</{tag}>" for of, cell in zip(classes, cells))

    body = "".join(f"<tr>{row(cells, 'td')}</tr>" for cells in rows)
    return f"<table><thead><tr>{row(heads, 'th')}</tr></thead><tbody>{body}</tbody></table>"


def errors_cell(errors: int) -> str:
    """A number of errors, which stands out unless it is 0."""
    return f'<span class="errors">{errors}</span>' if errors else "0"


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
