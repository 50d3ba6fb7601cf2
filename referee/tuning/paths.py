"""The way of a number over the games, as inline SVG in the colours of the page it stands in."""

from html import escape

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

HEIGHT = 110
# Room for the numbers of the range
LEFT = LINES_LEFT + 14


def path_chart(name: str, games: list[int], values: list[float], low: float, high: float) -> str:
    """A line through the values after so many games, between the ends of the number's range."""
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
