"""The part that all views share: rows, a search at work, and the methods of a view.

A view is made of a `Watched` search and has

    names            one name a tree
    roots()          the handle of each tree's root
    open(handle)     -> (state or None, rows): a node's position and its children, `Row`s
    line(number)     the actions of the principal line of a tree
    counts()         numbers about the whole search: iterations, nodes, depth
    fresh(factor)    an empty tree for a search of as many nodes times `factor`
    after(state, number, action, ply)  the position after an action of a line, None if unknown
    reply(state, number, action)       the position after an action at the root and the expected
                                       answers of those who choose at the same time

An action is a number of the game's, a text, or pairs (player, number) of several players.

All values are from the view of the player that the bot plays, except in the trees of others: there
each agent has its own score.
"""

from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, Callable, NamedTuple

from shared.core.game import CHANCE
from shared.core.jit import int_buffer

# Nodes of a tree that a search of one's own may have: some 32 bytes each.
MOST_NODES = 16_000_000
SEARCHES = "shared.search."
# The value of a proven win, of searches whose evaluations have no bound.
WON = 1e99

Action = int | str | tuple[tuple[int, int], ...]


class Row(NamedTuple):
    """A child: its handle, and its statistics.

    action: a number of the game's, or a text. weight: rows and nodes of the greatest weight are
    kept. visits: None in searches that count none. value: None before any. proven: the value is
    exact. mark: "≤" or "≥" if the value is a bound of the true one. depth: of its search, in plies.
    """

    handle: Any
    action: Action
    weight: float
    visits: int | None = None
    value: float | None = None
    prior: float | None = None
    bound: float | None = None
    proven: bool = False
    mark: str = ""
    depth: int | None = None


@dataclass
class Watched:
    """A search at work: of which module, how it was made, and the arguments of its last call.

    made: of `make_search`: the game, the options and others. kept: of `new_tree`. run: the compiled
    search. root: a copy of the position, by the caller left unchanged or not. n: nodes granted in
    this turn. before: notes of a view, as made when the turn's search began. goal: nodes that will
    be granted in all, if they are known.
    """

    module: ModuleType
    made: tuple[Any, ...]
    run: Callable[..., None]
    kept: tuple[Any, ...] = ()
    setup: Any = None
    root: Any = None
    tree: Any = None
    before: dict[str, Any] = field(default_factory=dict)
    n: int = 0
    viewer: int | None = None
    view: Any = None
    goal: int = 0

    @property
    def name(self) -> str:
        name = self.module.__name__.removeprefix(SEARCHES)
        # Simultaneous UCT is Smitsimax's search with another selection of actions.
        return "simultaneous_uct" if name == "smitsimax" and len(self.made) > 2 else name

    @property
    def game(self) -> Any:
        return self.made[0]

    @property
    def options(self) -> Any:
        return self.made[1]

    def on(self, root: Any, tree: Any) -> "Watched":
        """Returns the same search of another position in another tree, for the same player."""
        viewer = self.viewer
        if viewer is None and hasattr(self.game, "to_move"):
            viewer = int(self.game.to_move(self.setup, self.root))
        return replace(self, setup=copied(self.setup), root=root, tree=tree, n=0, viewer=viewer)

    def search(self, n: int) -> None:
        """Search n more nodes."""
        if self.view is None:
            self.run(self.setup, self.root, self.tree, n)
        else:
            self.view.search(self, n)
        self.n += n


class View:
    """The part that all views share."""

    names: list[str] = ["tree"]
    unit = "value"
    # The search of the position after an action tells that action's value.
    single = False

    def __init__(self, watched: Watched) -> None:
        # Functions of a game may draw random numbers, whose state is in the setup.
        self.watched = replace(watched, setup=copied(watched.setup))
        self.game, self.options, self.tree = watched.game, watched.options, watched.tree

    @classmethod
    def begin(cls, watched: Watched) -> None:
        """Note all that the search will have overwritten later."""

    @classmethod
    def search(cls, watched: Watched, n: int) -> None:
        """Search n more nodes."""
        watched.run(watched.setup, watched.root, watched.tree, n)

    def after(self, state: Any, number: int, action: Any, ply: int = 0) -> Any:
        return None

    def reply(self, state: Any, number: int, action: Any) -> Any:
        return self.after(state, number, action)

    def new_tree(self, factor: float) -> Any:
        """Returns an empty tree for a search of as many nodes times `factor`."""
        make = getattr(self.watched.module, "new_tree", None) or self.watched.module.new_trees
        game, options, capacity, *others = self.watched.kept
        capacity = max(capacity, min(int(capacity * factor), MOST_NODES))
        return make(game, options, capacity, *others)

    def fresh(self, factor: float) -> Any:
        return self.new_tree(factor)


class SameRoomView(View):
    """The part of views of searches whose tree takes as much room for any number of nodes."""

    def fresh(self, factor: float) -> Any:
        make = getattr(self.watched.module, "new_tree", None) or self.watched.module.new_trees
        return make(*self.watched.kept)


class AlternatingView(View):
    """The part of views of two players who move in turns."""

    single = True
    lost = -1.0  # the value of a lost position

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        mover = self.game.to_move(watched.setup, watched.root)
        self.viewer = int(mover) if watched.viewer is None else watched.viewer

    def after(self, state: Any, number: int, action: int, ply: int = 0) -> Any:
        return position_after(self.game, self.watched.setup, state, action)

    def sign(self, state: Any) -> int:
        """1 if the bot's own player is to move."""
        mover = int(self.game.to_move(self.watched.setup, state))
        return 1 if mover == self.viewer else -1


def copied(setup: Any) -> Any:
    """A copy of a game's setup: a buffer, or a NamedTuple of buffers."""
    if isinstance(setup, tuple):
        return type(setup)(*map(copied, setup))
    return setup.copy() if hasattr(setup, "copy") else setup


def worded(mover: int, action: int, n_players: int) -> Any:
    """An action in a tree of several players: with its player's number, unless there are two."""
    return action if n_players <= 2 and mover != CHANCE else ((mover, action),)


def number_of(action: Any) -> int:
    """The number of an action that may have its player's number with it."""
    return int(action[0][1] if isinstance(action, tuple) else action)


def position_after(game: Any, setup: Any, state: Any, action: Any) -> Any:
    """The position after an action of a game in which one agent acts at a time; None after its end
    or an unknown position.
    """
    if state is None or bool(game.is_over(setup, state)):
        return None
    after = int_buffer(state)
    game.apply(setup, state, number_of(action), after)
    return after
