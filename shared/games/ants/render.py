"""Draws Ants on the page, from the snapshots of `contest.py`; a cell is a unit wide.

In a player's view, fog covers what its ants do not see; the water is known in all views.
"""

from functools import cache

from ...core.drawing.shapes import (
    Chart,
    Circle,
    Event,
    Fact,
    Fog,
    Frame,
    Raster,
    Rect,
    Sign,
    Swarm,
    Text,
    Turn,
    player_colour,
)

ANT, FALLEN, MEAL = 0.86, 0.5, 0.56


def render(turn: Turn) -> Frame:
    """Draw the torus after a turn: water, hills, food, ants and the places of deaths."""
    setup, after = turn.setup, turn.after
    rows, cols, players = setup["rows"], setup["cols"], range(setup["players"])
    ground, water = terrain(rows, cols, tuple(setup["map"]))
    shapes = [ground, water, *hills(after["hills"], cols)]
    shapes.append(
        Swarm(cols, tuple(after["food"]), MEAL, fill="accent", tip=f"food: {len(after['food'])}")
    )
    for player in players:
        shapes += ants(after, player, cols)
    for player in players:
        key = f"ants of {player}"
        fog = Fog(rows, cols, (key,), reach(setup["viewradius2"]), fill="outside", view=player)
        shapes += [fog, dimmed(water, player)]
    return Frame(
        bounds=(0, 0, cols, rows),
        shapes=tuple(shapes),
        events=tuple(find_events(turn)),
        facts=tuple(facts(turn, player) for player in players),
        charts=(
            Chart("ants", tuple(len(after["ants"][player]) for player in players)),
            Chart("score", tuple(after["scores"])),
            Chart("hive", tuple(after["hives"])),
        ),
        legend=LEGEND,
    )


LEGEND = (
    Sign("ant", (Rect(ANT, ANT, fill=player_colour(0)),), 1.2),
    Sign(
        "ant that died",
        (Rect(FALLEN, FALLEN, fill="alert", stroke=player_colour(0), stroke_width=0.12),),
        1.2,
    ),
    Sign("food", (Rect(MEAL, MEAL, fill="accent"),), 1.2),
    Sign("hill", (Circle(1.4, stroke=player_colour(0), stroke_width=0.5),), 3.6),
    Sign(
        "razed hill, in the colour of its razer",
        (
            Circle(1.4, stroke=player_colour(0), stroke_width=0.5, opacity=0.35),
            Text("x", 2.6, bold=True, fill=player_colour(1)),
        ),
        3.6,
    ),
    Sign("water", (Rect(1, 1, fill="muted", opacity=0.6),), 1.2),
)


@cache
def terrain(rows, cols, squares):
    """Draw the ground and the water on it."""
    ground = Rect(cols, rows, at=(cols / 2, rows / 2), fill="board", stroke="line")
    water = Raster(tuple(row.replace("%", "w") for row in squares), fill="muted", opacity=0.6)
    return ground, water


@cache
def dimmed(water, player):
    """Draw the water dimmed by a player's fog."""
    return Raster(water.rows, fill="muted", opacity=0.25, view=player)


@cache
def reach(radius2):
    """Returns the view's half-width in cells for each row, from the ant's own row outwards."""
    rows = range(int(radius2**0.5) + 1)
    return tuple(int((radius2 - row * row) ** 0.5) for row in rows)


def hills(all_hills, cols):
    """Draw a ring for each hill, crossed out if it is razed."""
    for cell, owner, razer in all_hills:
        at = (cell % cols + 0.5, cell // cols + 0.5)
        tip = f"hill of player {owner}" + (f", razed by player {razer}" if razer >= 0 else "")
        colour = player_colour(owner)
        opacity = 0.35 if razer >= 0 else 1.0
        yield Circle(1.4, at=at, stroke=colour, stroke_width=0.35, opacity=opacity, tip=tip)
        if razer >= 0:
            yield Text("x", 2.4, at=at, bold=True, fill=player_colour(razer))


def ants(after, player, cols):
    """Draw a player's ants, and those that died in the turn."""
    cells, dead = after["ants"][player], after["dead"][player]
    colour = player_colour(player)
    yield Swarm(
        cols,
        tuple(cells),
        ANT,
        came=after["came"][player],
        fill=colour,
        key=f"ants of {player}",
        tip=f"ants of player {player}: {len(cells)}",
    )
    if dead:
        yield Swarm(
            cols,
            tuple(dead),
            FALLEN,
            came=after["fell"][player],
            fill="alert",
            stroke=colour,
            stroke_width=0.12,
            tip=f"died: {len(dead)} of player {player}",
        )


def find_events(turn):
    """List the events of a turn: razed hills, and players who lost their last ant."""
    before, after = turn.before, turn.after
    if before is None:
        return
    for hill in after["razed"]:
        if before["hills"][hill][2] < 0:
            _, owner, razer = after["hills"][hill]
            text = f"player {razer} razes a hill of player {owner}"
            yield Event("hill razed", text, player=razer)
    for player, cells in enumerate(after["ants"]):
        if before["ants"][player] and not cells:
            yield Event("no ants left", f"player {player} has no ants left", player=player)


def facts(turn: Turn, player: int):
    """List the facts shown beside the board for a player."""
    after, setup = turn.after, turn.setup
    squares = setup["rows"] * setup["cols"]
    alive = sum(owner == player and razer < 0 for _, owner, razer in after["hills"])
    return (
        Fact("score", str(after["scores"][player])),
        Fact("ants", f"{len(after['ants'][player])}, {after['hives'][player]} in the hive"),
        Fact("hills", str(alive)),
        Fact("sees", f"{100 * after['seen'][player] / squares:.0f} % of the map"),
    )
