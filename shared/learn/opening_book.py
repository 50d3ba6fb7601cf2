"""Opening books: the best actions of the first turns, searched for at home.

    BOOK = read_book(weights("bots/contest/book.npz"))      # once
    action = BOOK.get(key(setup, state))                    # None after the book

The file has a hash and an action for each position, some eleven characters of a bundle.
"""

from typing import TYPE_CHECKING, Callable

from shared.core.game import AlternatingGame
from shared.core.jit import Ints, int_buffer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def make_book(
    game: AlternatingGame,
    setup: Ints,
    start: Ints,
    choose: Callable[[Ints], int],
    turns: int,
    mirror: Callable[[int], int] = int,
) -> "dict[int, int]":
    """Returns {key of a position: its action} for either seat's first `turns` turns.

    choose(state) -> the best action, by a search as long as it takes. All actions of the other
    player are answered, so the book is asked only for positions that its own actions lead to.
    mirror(action) -> the same action in a mirrored game: of two mirrored lines one is searched,
    both are in the book.
    """
    book: dict[int, int] = {}
    actions = int_buffer(game.max_actions)

    def after(state, action):
        new = int_buffer(game.state_size)
        game.apply(setup, state, action, new)
        return new

    def extend(state, other, left):
        """Answer in a position and its mirror image, then after every reply."""
        key = int(game.key(setup, state))
        if left == 0 or key in book or game.is_over(setup, state):
            return
        action = int(choose(state))
        book[int(game.key(setup, other))] = mirror(action)
        book[key] = action
        answer(after(state, action), after(other, mirror(action)), left - 1)

    def answer(state, other, left):
        if not game.is_over(setup, state):
            for reply in [int(actions[i]) for i in range(game.legal(setup, state, actions))]:
                extend(after(state, reply), after(other, mirror(reply)), left)

    extend(start, start, turns)
    answer(start, start, turns)
    return book


def save_book(path: "Path", book: "Mapping[int, int]", header: str) -> None:
    """Write a book as a file of weights. header: how it was made; bundles leave it out."""
    import numpy as np

    keys = sorted(book)
    values = {
        "keys": np.array(keys, np.int64),
        "actions": np.array([book[k] for k in keys], np.int16),
    }
    np.savez_compressed(path, header=np.array(header), **values)


def read_book(arrays: "Mapping[str, Sequence[int]]") -> "dict[int, int]":
    """Returns {key of a position: its action} of a book among a bot's weights."""
    return dict(zip(map(int, arrays["keys"]), map(int, arrays["actions"])))
