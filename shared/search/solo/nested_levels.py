"""The levels of a nested search and their best lines, shared by NMCS and NRPA.

A search of a level is made of searches of the level below; each level at work keeps the best line
that it has met, and level 0 stands for all searches from the root. A `tree` here is a search's
NamedTuple with these fields among others:

    counters [6]          random state, the level at work, iterations and their plies, searches from
                          the root, whether the root's game is over.
    numbers  [L + 1]      the best final score of the search of each level; of all at 0.
    frames   [F (L+1)]    of each level: the length of its best line, then the search's own.
    lines    [(L+1) D]    the best line of each level from the root on; of all at 0.
    path     [D]          the line that is tried.
"""

from typing import TYPE_CHECKING, NamedTuple, Optional

if TYPE_CHECKING:
    from typing import Protocol

    from ...core.jit import Floats, Ints

    class Tree(Protocol):
        """The fields of a search's NamedTuple used here."""

        @property
        def counters(self) -> Ints: ...
        @property
        def numbers(self) -> Floats: ...
        @property
        def frames(self) -> Ints: ...
        @property
        def lines(self) -> Ints: ...
        @property
        def path(self) -> Ints: ...


RNG, CURRENT, ITERATIONS, PLIES, SEARCHES, IS_OVER, N_COUNTERS = range(7)
LENGTH = 0  # the place in a frame of its line's length
WORST = -1e300


def reset(tree: "Tree") -> None:
    """Discard all searches; the random stream goes on."""
    for counter in range(CURRENT, N_COUNTERS):
        tree.counters[counter] = 0
    tree.numbers[0] = WORST


def is_finished(tree: "Tree") -> bool:
    """Returns True if the root's game is over."""
    return bool(tree.counters[IS_OVER])


def best_level(tree: "Tree") -> int:
    """Returns the level of the best line."""
    current = int(tree.counters[CURRENT])
    known = [0, *range(current, len(tree.numbers))] if current else [0]
    return max(known, key=lambda level: tree.numbers[level])


def plan_of(tree: "Tree") -> "list[int]":
    """Returns the best line's actions, to the game's end; [] before the first line."""
    level, n_levels = best_level(tree), len(tree.numbers)
    if tree.numbers[level] == WORST:
        return []
    depth, frame = len(tree.path), len(tree.frames) // n_levels * level
    length = int(tree.frames[frame + LENGTH])
    return [int(action) for action in tree.lines[depth * level : depth * level + length]]


def best_action(tree: "Tree") -> Optional[int]:
    """Returns the best line's first action; None before any."""
    line = plan_of(tree)
    return line[0] if line else None


class Summary(NamedTuple):
    """The counts of a search since `reset`, its best line and its score (None before any).

    iterations: rollouts. searches: complete searches from the root.
    """

    iterations: int
    plies: int
    searches: int
    line: list[int]
    score: Optional[float]


def summary(tree: "Tree") -> Summary:
    """Returns a `Summary`."""
    best = float(tree.numbers[best_level(tree)])
    return Summary(
        iterations=int(tree.counters[ITERATIONS]),
        plies=int(tree.counters[PLIES]),
        searches=int(tree.counters[SEARCHES]),
        line=plan_of(tree),
        score=best if best > WORST else None,
    )
