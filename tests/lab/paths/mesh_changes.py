"""Random insertions and removals in a triangulation: points, crossing segments and polygons, most
of them collinear, cocircular or equal. Every state must be constrained Delaunay.

    python -m tests.lab.paths.mesh_changes [--changes N] [--seed S]
"""

from random import Random
from typing import Annotated

import typer

from shared.mesh.constraints import insert_ring, remove_chain
from shared.mesh.triangulation import new_mesh
from shared.path.statuses import FULL
from tests.paths.triangulations import points_of, problems, read_mesh

SIZES = (3, 6, 20, 1000)
SERIES = 120  # changes of a triangulation before it is emptied


def change_at_random(rng, size, n_points, n_changes):
    """Returns the faults after each of so many changes on a square of so many places to a side, and
    after the removal of everything; chains have at most so many points.
    """
    mesh, chains, wrong = new_mesh(2000, (0, 0, size, size)), [], []
    for _ in range(n_changes):
        if chains and rng.random() < 0.5:
            remove_chain(mesh, chains.pop(rng.randrange(len(chains))))
        else:
            n = rng.randint(1, n_points)
            places = [(rng.randrange(size), rng.randrange(size)) for _ in range(n)]
            chains.append(insert_ring(mesh, places, n > 2))
            if chains[-1] == FULL:
                wrong.append(f"no room for {places}")
        triangles, fixed = read_mesh(mesh)
        wrong += problems(points_of(mesh), triangles, fixed)
    while chains:
        remove_chain(mesh, chains.pop())
    if points_of(mesh) or read_mesh(mesh) != ([], set()):
        wrong.append("something is left when everything has gone")
    return wrong


def main(
    changes: Annotated[int, typer.Option(min=1)] = 100_000,
    seed: Annotated[int, typer.Option()] = 1,
) -> None:
    """Change triangulations at random, and check every state."""
    rng, n, wrong = Random(f"changes {seed}"), 0, []
    while n < changes:
        wrong += change_at_random(rng, rng.choice(SIZES), rng.randint(1, 6), SERIES)
        n += SERIES
        if n % (SERIES * 50) == 0:
            print(f"{n} changes, {len(wrong)} wrong", flush=True)
    print(f"{n} changes, {len(wrong)} wrong", *wrong[:5], sep="\n")
    raise typer.Exit(bool(wrong))


if __name__ == "__main__":
    typer.run(main)
