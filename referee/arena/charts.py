"""Draws charts as inline SVG, in the colours of the page that shows them.

An element that shows the bot of number n has the CSS class `bot-k` with k = n % N_COLOURS, to which
the page gives a colour.
"""

import math
from collections import Counter
from html import escape
from typing import Mapping, Sequence

from referee.arena.result import CLASSES_PER_OCTAVE
from referee.arena.statistics.elo import Estimate

WIDTH = 600
BARS_WIDTH = 480
# About as wide as a letter of a label.
LETTER_WIDTH = 8
ROW_HEIGHT = 30
AXIS_HEIGHT = 26
BARS_HEIGHT = 120
LINES_HEIGHT = 170
LINES_LEFT = 46
MARGIN = 18
# Longer names are cut in a chart; the table beside it has the full names.
LABEL_LENGTH = 24
# The number of colours for bots on the page.
N_COLOURS = 8


def interval_chart(
    names: list[str], elos: list[tuple[int, Estimate]], unit: str = "Elo", form: str = "{:+g}"
) -> str:
    """Returns a chart with a row for each (bot, estimate): a dot, and a line over the interval.

    The axis includes 0 if the unit is Elo. form: the format string of all numbers in the chart.
    """
    least = [0.0] if unit == "Elo" else []
    low = min(least + [elo.low for _, elo in elos])
    high = max(least + [elo.high for _, elo in elos])
    texts = {bot: shorten(names[bot]) for bot, _ in elos}
    left = LETTER_WIDTH * max(map(len, texts.values())) + 2 * MARGIN
    marks = ticks(low, high)
    # Half of the last number stands to the right of its line; its sign is wider than a letter.
    number = form.format(marks[-1]) if marks else ""
    scale = Scale(low, high, left, WIDTH - max(MARGIN, LETTER_WIDTH * (len(number) + 1) / 2))
    bottom = ROW_HEIGHT * len(elos)
    parts = [axis(scale, marks, 0, bottom, form)]
    for row, (bot, elo) in enumerate(elos):
        y = ROW_HEIGHT * (row + 0.5)
        value, first, last = (form.format(round(end)) for end in (elo.value, elo.low, elo.high))
        tip = f"{names[bot]}: {value} {unit}, 95% between {first} and {last}"
        parts.append(
            f'<g class="bot-{bot % N_COLOURS}"><title>{escape(tip)}</title>'
            f'<text class="label" x="{left - MARGIN}" y="{y + 5:.1f}">{escape(texts[bot])}</text>'
            f'<path class="reach" d="M{scale.at(elo.low):.1f} {y:.1f}H{scale.at(elo.high):.1f}"/>'
            f'<circle cx="{scale.at(elo.value):.1f}" cy="{y:.1f}" r="6"/></g>'
        )
    return svg(f"{unit} with 95% intervals", WIDTH, bottom + AXIS_HEIGHT, parts)


def length_chart(lengths: Counter[int]) -> str:
    """Returns a histogram of games by their number of turns.

    lengths: the number of games for each number of turns.
    """
    least, most = min(lengths), max(lengths)
    width = max(1, math.ceil((most - least + 1) / 40))
    bars: Counter[int] = Counter()
    for length, n in lengths.items():
        bars[(length - least) // width] += n
    last = (most - least) // width
    scale = Scale(least, least + (last + 1) * width, MARGIN, BARS_WIDTH - MARGIN)
    parts = [axis(scale, ticks(least, most), 0, BARS_HEIGHT, "{:g}")]
    for bar, n in sorted(bars.items()):
        first = least + bar * width
        turns = f"{first}" if width == 1 else f"{first} to {first + width - 1}"
        tip = f"{turns} turns: {n} games"
        parts.append(column(scale.at(first), scale.at(first + width), n / max(bars.values()), tip))
    return svg("Turns of a game", BARS_WIDTH, BARS_HEIGHT + AXIS_HEIGHT, parts)


def time_chart(times: Counter[int], first: int, last: int, limit_ms: float | None) -> str:
    """Returns a histogram of turns by their time, on a logarithmic axis of time classes.

    times: the number of turns in each class (`result.time_class`). first, last: the classes at the
    ends of the axis. limit_ms: the time limit, marked by a line if it lies on the axis.
    """
    scale = Scale(first, last + 1, MARGIN, BARS_WIDTH - MARGIN)
    marks = [10.0**power for power in range(-3, 6)]
    places = {class_of(ms): f"{ms:g} ms" for ms in marks if first <= class_of(ms) <= last + 1}
    parts = [
        f'<path class="grid" d="M{scale.at(place):.1f} 0V{BARS_HEIGHT}"/>'
        f'<text class="tick" x="{scale.at(place):.1f}" y="{BARS_HEIGHT + 18}">{text}</text>'
        for place, text in places.items()
    ]
    for time_class, n in sorted(times.items()):
        low, high = (2 ** (edge / CLASSES_PER_OCTAVE) for edge in (time_class, time_class + 1))
        tip = f"{low:.3g} to {high:.3g} ms: {n} turns"
        x, end = scale.at(time_class), scale.at(time_class + 1)
        parts.append(column(x, end, n / max(times.values()), tip))
    if limit_ms and first <= class_of(limit_ms) <= last + 1:
        x = scale.at(class_of(limit_ms))
        parts.append(
            f'<path class="limit" d="M{x:.1f} 0V{BARS_HEIGHT}"><title>limit: {limit_ms:g} ms'
            "</title></path>"
        )
    return svg("Time of a turn", BARS_WIDTH, BARS_HEIGHT + AXIS_HEIGHT, parts)


def line_chart(
    title: str,
    games: list[int],
    lines: Mapping[int, Sequence[Estimate] | Sequence[float]],
    counted: str = "games",
) -> str:
    """Returns a chart with a line for each bot over the number of games.

    A single line has its intervals. games: the numbers of games at the points of each line. lines:
    {bot: values}. counted: the plural noun for the numbers, such as "generations".
    """
    points = {
        bot: [
            value if isinstance(value, Estimate) else Estimate(value, value, value)
            for value in line
        ]
        for bot, line in lines.items()
    }
    # The first few games carry little information: their intervals would flatten the rest of the
    # chart.
    telling = [value for line in points.values() for value in line[len(line) // 4 :]]
    ends = [
        end
        for value in telling
        for end in ((value.low, value.high) if len(points) == 1 else (value.value,))
    ]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    across = Scale(0, max(games, default=1), LINES_LEFT, BARS_WIDTH - MARGIN)
    up = Scale(low, high, LINES_HEIGHT - 8, 8)

    def within(value: float) -> float:
        return up.at(min(max(value, low), high))

    parts = [level(up, value, f"{value:+g}") for value in ticks(low, high)]
    parts.append(axis(across, ticks(0, max(games, default=1)), 8, LINES_HEIGHT - 8, "{:g}"))
    for bot, line in points.items():
        places = [
            (across.at(n), within(value.value), within(value.low), within(value.high))
            for n, value in zip(games, line)
        ]
        tips = [f"{n} {counted}: {title} {value.value:+.4g}" for n, value in zip(games, line)]
        parts.append(drawn_line(bot, places, tips, has_band=len(points) == 1))
    return svg(f"{title} over the {counted}", BARS_WIDTH, LINES_HEIGHT + AXIS_HEIGHT - 8, parts)


def value_chart(
    title: str, by: str, lines: Mapping[int, Sequence[tuple[int, float, float]]]
) -> str:
    """Returns a chart with a line and a band for each bot; the axis of values includes 0.

    lines: {bot: points}, each point as (place, value, half of the band's width). by: the noun for
    the places, such as "turn".
    """
    points = [point for line in lines.values() for point in line]
    low = min(0.0, *(value - half for _, value, half in points))
    high = max(0.0, *(value + half for _, value, half in points))
    last = max(place for place, _, _ in points)
    across = Scale(0, last, LINES_LEFT, BARS_WIDTH - MARGIN)
    up = Scale(low, high, LINES_HEIGHT - 8, 8)
    parts = [level(up, value, short_number(value)) for value in ticks(low, high, whole=False)]
    parts.append(axis(across, ticks(0, last), 8, LINES_HEIGHT - 8, "{:g}"))
    for bot, line in lines.items():
        places = [
            (across.at(place), up.at(value), up.at(value - half), up.at(value + half))
            for place, value, half in line
        ]
        tips = [
            f"{by} {place}: {title} {value:,.4g}" + (f" ± {half:,.4g}" if half else "")
            for place, value, half in line
        ]
        parts.append(drawn_line(bot, places, tips, has_band=True))
    return svg(f"{title} by {by}", BARS_WIDTH, LINES_HEIGHT + AXIS_HEIGHT - 8, parts)


def drawn_line(
    bot: int, places: list[tuple[float, float, float, float]], tips: list[str], has_band: bool
) -> str:
    """Returns the line of a bot with a tooltip at each point, and with a band if has_band.

    places: the points as (x, y, y of the band's lower end, y of its upper end).
    """
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y, _, _ in places)
    band = ""
    if has_band and any(lowest != highest for _, _, lowest, highest in places):
        there = [f"{x:.1f} {highest:.1f}" for x, _, _, highest in places]
        back = [f"{x:.1f} {lowest:.1f}" for x, _, lowest, _ in reversed(places)]
        band = f'<path class="band" d="M{"L".join(there + back)}Z"/>'
    spots = "".join(
        f'<circle class="spot" cx="{x:.1f}" cy="{y:.1f}" r="5"><title>{escape(tip)}</title>'
        "</circle>"
        for (x, y, _, _), tip in zip(places, tips)
    )
    return f'<g class="bot-{bot % N_COLOURS}">{band}<path class="line" d="M{path}"/>{spots}</g>'


def level(up: "Scale", value: float, text: str) -> str:
    """Returns a horizontal grid line at a value, with a label; the line at 0 is stronger."""
    y = up.at(value)
    return (
        f'<path class="{"grid" if value else "zero"}" d="M{LINES_LEFT} {y:.1f}'
        f'H{BARS_WIDTH - MARGIN}"/><text class="label tick" x="{LINES_LEFT - 6}"'
        f' y="{y + 4:.1f}">{text if value else 0}</text>'
    )


def short_number(value: float) -> str:
    """Returns a number as a text, with an SI prefix from ten units on: 2000, 20k, 15M."""
    for size, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= 10 * size:
            return f"{value / size:g}{prefix}"
    return f"{value:g}"


class Scale:
    """A linear scale that maps numbers from low to high to coordinates from left to right."""

    def __init__(self, low: float, high: float, left: float, right: float) -> None:
        self.low, self.left = low, left
        self.factor = (right - left) / ((high - low) or 1.0)

    def at(self, value: float) -> float:
        """Returns the coordinate of a number."""
        return self.left + (value - self.low) * self.factor


def class_of(ms: float) -> float:
    """Returns the position of a time, in ms, on the axis of time classes."""
    return CLASSES_PER_OCTAVE * math.log2(ms)


def ticks(low: float, high: float, whole: bool = True) -> list[float]:
    """Returns at most seven round numbers in equal steps from low to high; whole: integers only."""
    rough = ((high - low) or 1.0) / 6
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    if whole:
        step = max(1.0, step)
    return [step * index for index in range(math.ceil(low / step), math.floor(high / step) + 1)]


def axis(scale: Scale, values: list[float], top: float, bottom: float, form: str) -> str:
    """Returns vertical grid lines at numbers, with the numbers below; the line at 0 is stronger."""
    return "".join(
        f'<path class="{"zero" if value == 0 else "grid"}"'
        f' d="M{scale.at(value):.1f} {top}V{bottom}"/>'
        f'<text class="tick" x="{scale.at(value):.1f}" y="{bottom + 18}">'
        f"{form.format(value) if value else 0}</text>"
        for value in values
    )


def column(x: float, end: float, share: float, tip: str) -> str:
    """Returns a bar from x to end; share: its height as a share of the greatest height."""
    height = max(1.0, share * (BARS_HEIGHT - 6))
    return (
        f'<rect x="{x:.1f}" y="{BARS_HEIGHT - height:.1f}" width="{max(1.0, end - x - 1):.1f}"'
        f' height="{height:.1f}"><title>{escape(tip)}</title></rect>'
    )


def svg(title: str, width: float, height: float, parts: list[str]) -> str:
    """Returns an SVG element with the given content; title: its label for screen readers."""
    return (
        f'<svg viewBox="0 0 {width} {height:g}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg>"
    )


def shorten(name: str) -> str:
    """Returns a name of at most LABEL_LENGTH characters; the end of a longer name is kept."""
    return name if len(name) <= LABEL_LENGTH else "…" + name[1 - LABEL_LENGTH :]
