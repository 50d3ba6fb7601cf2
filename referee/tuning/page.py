"""Writes the page of a tuning: the path of each number, and the result."""

from html import escape
from pathlib import Path
from typing import Any

from markupsafe import Markup

from referee.arena.charts import (
    AXIS_HEIGHT,
    BARS_WIDTH,
    LINES_LEFT,
    MARGIN,
    Scale,
    axis,
    svg,
    ticks,
)
from referee.page.page import load_template
from referee.tuning.run import Tuning

HERE = Path(__file__).parent
STYLE = HERE.parent / "arena" / "report.css"
# Largest number of points of a chart.
N_POINTS = 60
# Left margin of a number's chart, with room for the ends of its range.
HEIGHT = 110
LEFT = LINES_LEFT + 14


def write_page(page: Path, title: str, tuning: Tuning, proof: str = "") -> None:
    """Write the page; proof: a text about the test of the values found."""
    template = load_template(HERE / "page.html")
    text = template.render(style=STYLE.read_text(), **page_data(title, tuning, proof))
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")


def page_data(title: str, tuning: Tuning, proof: str) -> dict[str, Any]:
    """Returns the data for the page's template; proof: see write_page."""
    space, played = tuning.space, tuning.played
    rounded = space.rounded_values(tuning.method.best())
    shown = chart_points(len(played))
    games = [sum(trial.games for trial in played[: n + 1]) for n in shown]
    rows = []
    for number, parameter in enumerate(space.parameters):
        values = [
            parameter.low + (parameter.high - parameter.low) * tuning.path[n][number] for n in shown
        ]
        chart = path_chart(
            parameter.name, [0, *games], [parameter.value, *values], parameter.low, parameter.high
        )
        rows.append(
            {
                "name": parameter.name,
                "before": f"{parameter.value:g}",
                "found": f"{rounded[parameter.name]:g}",
                "range": f"{parameter.low:g} to {parameter.high:g}",
                "chart": Markup(chart),
            }
        )
    return {
        "title": title,
        "n_trials": len(played),
        "most_trials": tuning.method.n_iterations,
        "n_games": games[-1] if games else 0,
        "n_faults": sum(trial.faults for trial in played),
        "proof": proof,
        "rows": rows,
    }


def chart_points(n: int) -> list[int]:
    """Returns at most N_POINTS trial numbers out of n, including the last one."""
    step = max(1, -(-n // N_POINTS))
    return list(range(n - 1, -1, -step))[::-1]


def path_chart(name: str, games: list[int], values: list[float], low: float, high: float) -> str:
    """Returns a chart of a number's values over the games; low, high: the ends of its range."""
    across = Scale(0, max(games, default=1), LEFT, BARS_WIDTH - MARGIN)
    up = Scale(low, high, HEIGHT - 8, 8)
    parts = [
        f'<path class="grid" d="M{LEFT} {up.at(value):.1f}H{BARS_WIDTH - MARGIN}"/>'
        f'<text class="label tick" x="{LEFT - 6}" y="{up.at(value) + 4:.1f}">{value:g}</text>'
        for value in (low, (low + high) / 2, high)
    ]
    parts.append(axis(across, ticks(0, max(games, default=1)), 8, HEIGHT - 8, "{:g}"))
    points = [(across.at(n), up.at(value)) for n, value in zip(games, values)]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    spots = "".join(
        f'<circle class="spot" cx="{x:.1f}" cy="{y:.1f}" r="5"><title>{n} games:'
        f" {escape(name)} {value:.4g}</title></circle>"
        for (x, y), n, value in zip(points, games, values)
    )
    begin = f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="4"/>'
    parts.append(f'<g class="bot-0"><path class="line" d="M{line}"/>{begin}{spots}</g>')
    return svg(f"{name} over the games", BARS_WIDTH, HEIGHT + AXIS_HEIGHT - 8, parts)
