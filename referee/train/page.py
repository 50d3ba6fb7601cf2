"""Writes the page of a training: Elo by generation, losses by epoch, and a table of generations."""

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from referee.arena.charts import line_chart, value_chart
from referee.arena.measures import clipped, signed
from referee.page.page import load_template
from referee.train.fits import text_of
from referee.train.folder import State
from referee.train.run import elo_of, elos_of

HERE = Path(__file__).parent
STYLE = HERE.parent / "arena" / "report.css"


def write_page(page: Path, contest: str, state: State, weights: Sequence[str] = ()) -> None:
    """Write the page of a training; without a finished round, write nothing.

    weights: a line for each term of the present evaluation.
    """
    rounds = [one for one in state.rounds if one.is_kept is not None]
    if not rounds:
        return
    elos = elos_of(rounds)
    epochs = [losses for one in rounds for losses in one.losses]
    charts = {
        "Elo": (
            Markup(
                line_chart(
                    "Elo", list(elos), {0: [*map(clipped, elos.values())]}, counted="generations"
                )
            )
            if elos
            else ""
        ),
        "Loss of the value": Markup(value_chart("loss", "epoch", loss_lines(epochs, 0))),
    }
    if len(epochs[0]) > 2:
        policy = loss_lines(epochs, 1)
        charts["Loss of the policy"] = Markup(value_chart("loss", "epoch", policy))
    rows = [
        {
            "number": number,
            "games": f"{one.games:,}",
            "rate": f"{one.games_per_s:.0f}",
            "losses": text_of(one.losses[-1]),
            "lead": signed(elo_of(one.pairs))[0],
            "test": 2 * len(one.pairs),
            "elo": "{} ({})".format(*signed(elos[number])) if number in elos else "",
            "kept": "kept" if one.is_kept else "dropped",
        }
        for number, one in enumerate(rounds)
    ]
    text = load_template(HERE / "page.html").render(
        style=STYLE.read_text(encoding="utf-8"),
        title=contest.replace("_", " "),
        settings=state.settings,
        charts=charts,
        rows=rows,
        weights=weights,
    )
    page.write_text(text, encoding="utf-8")


def loss_lines(epochs: list[list[float]], kind: int) -> dict[int, list[tuple[int, float, float]]]:
    """Returns the lines of a loss by epoch, for `value_chart`.

    Line 0 is on positions learned from, line 1 on positions held out. kind: 0 for the loss of the
    value, 1 for the loss of the policy.
    """
    n_kinds = len(epochs[0]) // 2
    return {
        line: [
            (epoch, losses[n_kinds * line + kind], 0.0) for epoch, losses in enumerate(epochs, 1)
        ]
        for line in range(2)
    }
