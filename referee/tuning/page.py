"""The page of a tuning: the way of each number, how the estimated gain grew, what was found."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from referee.arena.charts import line_chart
from referee.arena.statistics.elo import Estimate
from referee.arena.table import signed
from referee.tuning.gain import estimated_gain
from referee.tuning.paths import path_chart
from referee.tuning.run import Tuning

HERE = Path(__file__).parent
STYLE = HERE.parent / "arena" / "report.css"
# A chart has at most so many points.
N_POINTS = 60


def write_page(page: Path, title: str, tuning: Tuning, proof: str = "") -> None:
    """Write the page; proof: what the test of the values found came to."""
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = environment.get_template("page.html").render(
        style=STYLE.read_text(), **data_of(title, tuning, proof)
    )
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Row:
    """A number on the page."""

    name: str
    before: str
    found: str
    range: str
    chart: Markup


def data_of(title: str, tuning: Tuning, proof: str) -> dict[str, Any]:
    """What the template shows."""
    space, played = tuning.space, tuning.played
    told = space.told(tuning.method.best())
    shown = chosen_points(len(played))
    games = [sum(trial.games for trial in played[: n + 1]) for n in shown]
    rows = []
    for number, one in enumerate(space.parameters):
        values = [one.low + (one.high - one.low) * tuning.path[n][number] for n in shown]
        chart = path_chart(one.name, [0, *games], [one.value, *values], one.low, one.high)
        rows.append(
            Row(
                one.name,
                f"{one.value:g}",
                f"{told[one.name]:g}",
                f"{one.low:g} to {one.high:g}",
                Markup(chart),
            )
        )
    gains = [gain_after(tuning, n + 1) for n in shown]
    return {
        "title": title,
        "n_trials": len(played),
        "most_trials": tuning.method.n_iterations,
        "n_games": games[-1] if games else 0,
        "n_faults": sum(trial.faults for trial in played),
        "gain": signed(gains[-1]) if gains else ("", ""),
        "gains": Markup(line_chart("gain", games, {0: gains})) if gains else "",
        "proof": proof,
        "rows": rows,
    }


def gain_after(tuning: Tuning, n: int) -> Estimate:
    """How much better the point after n trials is thought to be than the start, by these trials."""
    return estimated_gain(tuning.space, tuning.played[:n], tuning.space.start, tuning.path[n - 1])


def chosen_points(n: int) -> list[int]:
    """The numbers of at most N_POINTS trials out of n, the last one among them."""
    step = max(1, -(-n // N_POINTS))
    return list(range(n - 1, -1, -step))[::-1]
