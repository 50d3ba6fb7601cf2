"""Rings around the free cells of a grid, and the grid maps of Moving AI
(https://movingai.com/benchmarks/formats.html): lines `type`, `height N`, `width N` and `map`, then
a row of letters for each row of cells. `.`, `G` and `S` are free.
"""

from pathlib import Path

from ...games.wayfinder.polygons import Ring, area2, cross

Cells = set[tuple[int, int]]
FREE = ".GS"


def read_grid(path: Path) -> list[str]:
    """Read a Moving AI map's rows. Raises ValueError."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise ValueError(f"{path}: no map of Moving AI ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: no map of Moving AI ({error})") from error
    head = [line.split() for line in lines[:4]]
    words = [word for line in head for word in line]
    sizes = dict(line for line in head[1:3] if len(line) == 2)
    is_head = len(words) == 7 and words[0] == "type" and words[-1] == "map"
    if not is_head or not all(sizes.get(name, "").isdecimal() for name in ("height", "width")):
        raise ValueError(
            f"{path}: no map of Moving AI (it begins with 'type', 'height N', 'width N', 'map')"
        )
    if not min(int(sizes["height"]), int(sizes["width"])):
        raise ValueError(f"{path}: a map without cells")
    height, width, rows = int(sizes["height"]), int(sizes["width"]), lines[4:]
    if len(rows) < height or any(len(row) != width for row in rows[:height]):
        raise ValueError(f"{path}: expected {height} rows of {width} cells")
    return rows[:height]


def free_cells(rows: list[str]) -> Cells:
    """Returns the free cells (x, y) of the rows of a map."""
    return {(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter in FREE}


def without_pinches(free: Cells) -> Cells:
    """Returns the free cells after blocking some, until no two free cells touch only at a corner,
    which no path can pass.
    """
    free, todo = set(free), list(free)
    while todo:
        x, y = todo.pop()
        if (x, y) not in free:
            continue
        for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            across = (x + dx, y + dy)
            if across in free and (x + dx, y) not in free and (x, y + dy) not in free:
                free -= {(x, y), across}
                todo += [
                    (i + k, j + m)
                    for i, j in ((x, y), across)
                    for k in (-1, 0, 1)
                    for m in (-1, 0, 1)
                ]
                break
    return free


def largest_part(free: Cells) -> Cells:
    """Returns the largest set of free cells connected over edges."""
    best: Cells = set()
    left = set(free)
    for start in sorted(free):
        if start not in left:
            continue
        part, todo = {start}, [start]
        left.discard(start)
        while todo:
            x, y = todo.pop()
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if cell in left:
                    left.discard(cell)
                    part.add(cell)
                    todo.append(cell)
        best = max(best, part, key=len)
    return best


def outlines(free: Cells, cell: int) -> list[Ring]:
    """Returns the rings around the largest part of the free cells, the outer first, all
    counterclockwise.

    cell: the width of a cell. Raises ValueError if no cell is free.
    """
    cells = largest_part(without_pinches(free))
    if not cells:
        raise ValueError("no cell is free")
    # Maps the start of each edge between free and blocked to its end, the free cell on its left
    leads = {}
    for x, y in sorted(cells):
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        beyond = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        for i in range(4):
            if beyond[i] not in cells:
                leads[corners[i]] = corners[(i + 1) % 4]
    loops = []
    while leads:
        first = min(leads)
        loop, here = [first], leads.pop(first)
        while here != first:
            loop.append(here)
            here = leads.pop(here)
        n = len(loop)
        bends = [p for i, p in enumerate(loop) if cross(loop[i - 1], p, loop[(i + 1) % n])]
        loops.append([(cell * x, cell * y) for x, y in bends])
    outer = [ring for ring in loops if area2(ring) > 0]
    return outer + [ring[::-1] for ring in loops if area2(ring) < 0]
