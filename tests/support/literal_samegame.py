"""SameGame as its rules say it, cell by cell, and its best score by exhaustive search. A board is a
list of columns, each a list of colours from the bottom.
"""


def region_of(columns, x, y):
    """The cells connected with (x, y) by cells of its colour."""
    found, todo = {(x, y)}, [(x, y)]
    while todo:
        i, j = todo.pop()
        for near_x, near_y in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= near_x < len(columns) and 0 <= near_y < len(columns[near_x]):
                near = (near_x, near_y)
                if columns[near_x][near_y] == columns[x][y] and near not in found:
                    found.add(near)
                    todo.append(near)
    return found


def legal_regions(columns):
    """The regions of two cells or more, by their first cells."""
    regions = []
    for x, column in enumerate(columns):
        for y in range(len(column)):
            if not any((x, y) in region for region in regions):
                regions.append(region_of(columns, x, y))
    return [region for region in regions if len(region) > 1]


def play(columns, x, y):
    """(the columns after a region is removed, its points)."""
    gone = region_of(columns, x, y)
    after = []
    for i, column in enumerate(columns):
        left = [colour for j, colour in enumerate(column) if (i, j) not in gone]
        if left:
            after.append(left)
    return after, (len(gone) - 2) ** 2 + (1000 if not after else 0)


def random_columns(rng, width, height, n_colours):
    return [[rng.randrange(n_colours) for _ in range(height)] for _ in range(width)]


def best_score(columns, known=None):
    """The most points that can still be won."""
    known = {} if known is None else known
    board = tuple(map(tuple, columns))
    if board not in known:
        known[board] = 0
        for region in legal_regions(columns):
            after, points = play(columns, *min(region))
            known[board] = max(known[board], points + best_score(after, known))
    return known[board]
