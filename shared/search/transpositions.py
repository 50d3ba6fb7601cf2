"""A transposition table: results of searched positions, reused if another line reaches them.

    table int64[3 E]  key, value, data of each of E entries, in buckets of two

The data are the best action, the flag of the value's kind, its depth in plies, and the number of
its search.
"""

from ..core.jit import Ints, inline

ENTRY_SIZE = 3
BUCKET_SIZE = 2 * ENTRY_SIZE
# The kind of a value: exact, or a bound
EXACT, LOWER, UPPER = 1, 2, 3
ACTION_BITS, FLAG_BITS, DEPTH_BITS = 20, 2, 8
NO_ACTION = (1 << ACTION_BITS) - 1


@inline
def find_entry(table: Ints, key: int) -> int:
    """Returns a key's entry index, or -1."""
    bucket = (key & (len(table) // BUCKET_SIZE - 1)) * BUCKET_SIZE
    for entry in (bucket, bucket + ENTRY_SIZE):
        if table[entry] == key and table[entry + 2] != 0:
            return entry
    return -1


@inline
def entry_action(data: int) -> int:
    """Returns an entry's action, or -1."""
    action = data & NO_ACTION
    return -1 if action == NO_ACTION else action


@inline
def put_first(actions: Ints, n: int, action: int) -> None:
    """Move an action to the front of n, if it is one of them; the others keep their order."""
    place = 0
    while place < n and actions[place] != action:
        place += 1
    while 0 < place < n:
        actions[place] = actions[place - 1]
        place -= 1
        actions[place] = action


@inline
def entry_flag(data: int) -> int:
    """Returns an entry's kind: EXACT, LOWER or UPPER."""
    return data >> ACTION_BITS & ((1 << FLAG_BITS) - 1)


@inline
def entry_depth_left(data: int) -> int:
    """Returns an entry's depth in plies."""
    return data >> ACTION_BITS + FLAG_BITS & ((1 << DEPTH_BITS) - 1)


@inline
def entry_data(action: int, flag: int, depth_left: int, age: int) -> int:
    """Returns an entry's data, greater for later, then deeper searches. action: or -1."""
    known = action & NO_ACTION
    return ((age << DEPTH_BITS | depth_left) << FLAG_BITS | flag) << ACTION_BITS | known


@inline
def store_entry(table: Ints, key: int, value: int, data: int) -> int:
    """Store a result, the deepest of the latest search first in its bucket; returns its entry."""
    entry = (key & (len(table) // BUCKET_SIZE - 1)) * BUCKET_SIZE
    if data >> ACTION_BITS + FLAG_BITS < table[entry + 2] >> ACTION_BITS + FLAG_BITS:
        entry += ENTRY_SIZE
    table[entry] = key
    table[entry + 1] = value
    table[entry + 2] = data
    return entry


@inline
def is_enough(data: int, value: float, depth_left: int, alpha: float, beta: float) -> bool:
    """Returns True if an entry suffices for this depth and window."""
    flag = entry_flag(data)
    return entry_depth_left(data) >= depth_left and (
        flag == EXACT or (flag == LOWER and value >= beta) or (flag == UPPER and value <= alpha)
    )
