"""Mazes of Code of Kutulu: made from seeds, read from files, and the paths in them."""

from random import Random

import pytest

from referee.errors import UsageError
from referee.sources.contests import start_match
from shared.games.code_of_kutulu.contest import CONTEST
from shared.games.code_of_kutulu.maps import (
    HEIGHTS,
    WIDTHS,
    MazeError,
    find_all,
    make_rows,
    new_game,
    reached_from,
    read_mazes,
)
from shared.games.code_of_kutulu.maze import (
    MAX_CELLS,
    MAX_SPAWNS,
    cell_at,
    distance,
    is_clear,
    manhattan,
    pair_of,
)


def test_mazes_made_from_seeds_are_like_the_contests():
    for seed in range(60):
        rows = make_rows(seed)
        assert len(rows[0]) in WIDTHS and len(rows) in HEIGHTS
        assert rows == rows[::-1] == [row[::-1] for row in rows]
        floor = [(x, y) for y, row in enumerate(rows) for x, c in enumerate(row) if c != "#"]
        assert len(floor) <= MAX_CELLS
        assert sorted(reached_from(rows, floor[0])) == sorted(floor)
        counts = [len(find_all(rows, mark)) for mark in "SwU"]
        assert counts[:2] == [4, 4] and counts[2] in (0, 4, 8)


def test_paths_of_all_pairs_of_cells():
    """Lengths equal those of a search from each cell, lines of sight a walk along them."""
    rows, maze, _ = new_game(4)
    rng = Random(4)
    cells = find_all(
        [row.replace("S", ".").replace("w", ".").replace("U", ".") for row in rows], "."
    )
    for _ in range(40):
        (x, y), (u, v) = rng.choice(cells), rng.choice(cells)
        pair = pair_of(maze, cell_at(maze, x, y), cell_at(maze, u, v))
        border, length = {(x, y)}, 0
        while (u, v) not in border:
            border |= {p for place in border for p in reached_from_one(rows, place)}
            length += 1
        assert (distance(pair), manhattan(pair)) == (length, abs(x - u) + abs(y - v))
        between = {
            (i, j) for i in range(min(x, u), max(x, u) + 1) for j in range(min(y, v), max(y, v) + 1)
        }
        assert is_clear(pair) == ((x == u or y == v) and between <= set(cells))


def reached_from_one(rows, place):
    x, y = place
    return [
        (u, v) for u, v in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)) if rows[v][u] != "#"
    ]


SMALL = "#####\n#SSw#\n#SSU#\n#####\n"


def test_a_file_of_mazes_is_read(tmp_path):
    path = tmp_path / "mazes.txt"
    path.write_text(SMALL + "\n\n" + SMALL.replace("U", "."))
    assert read_mazes(path) == [SMALL.split(), SMALL.replace("U", ".").split()]
    for league in "17":
        game = start_match(CONTEST, 1, 4, {"mazes": str(path), "league": league})
        assert game.rows in read_mazes(path) and not game.outcome()
        assert game.setup()["league"] == int(league)
    for options, said in (
        ({"league": "8"}, "option league: 1 to 7 is expected, got '8'"),
        ({"mazes": "none.txt"}, "option mazes: none.txt: No such file"),
    ):
        with pytest.raises(UsageError, match=said):
            start_match(CONTEST, 1, 4, options)
    path.write_text('{"mazes": {"one": {"rows": ["#SS#", "#SS#"]}}}')
    assert read_mazes(path) == [["#SS#", "#SS#"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty"),
        ('{"mazes": 3}', "no file of mazes"),
        ("#SS#\n#S#", "equally long"),
        ("#SS#SS#", "cannot reach the others"),
        ("#SSSSx#", "'x' is none of them"),
        ("SSSS" + "w" * (MAX_SPAWNS + 1), "at most 9 spawns, this one 10"),
        ("\n".join(["SSSS" + "." * 16] + ["." * 20] * 15), "1 to 256 walkable cells, this one 320"),
    ],
)
def test_an_invalid_maze_is_one_error_line(tmp_path, text, message):
    path = tmp_path / "mazes.txt"
    path.write_text(text)
    with pytest.raises(MazeError) as error:
        read_mazes(path)
    assert str(error.value).startswith(f"{path}: ") and message in str(error.value)
    assert "\n" not in str(error.value)
