"""An open list as a bucket for each key: the item of the least key first, of equal ones the last put in.

On a grid few keys differ at a time, some hundreds: a binary heap holds those alone, and a hash finds
the bucket of a key (R. Dial, "Algorithm 360", CACM 12(11), 1969, has an array of buckets instead,
for small whole numbers). Last in, first out prefers the greater g among equal f: a step that keeps
f is followed by the next one. With as many keys as items it is a heap with a detour.

    counts   int64[N_COUNTS]  see below
    heap     int64[N]         the buckets in use, as a binary heap by key
    buckets  int64[3 N]       key, first item and place in the table of each bucket
    spare    int64[N]         the buckets not in use
    table    int64[2^k > N]   hash of a key -> 1 + bucket, 0 for none (linear probing)
    links    int64[2 items]   next item in the bucket, or -1; 1 + the item before, or -1 - the bucket
                              of a first item, or 0 for an item that is not in the list
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer, njit

N_HEAP, N_BUCKETS, TABLE_BITS, N_SPARE, N_COUNTS = range(5)
KEY, FIRST, PLACE = range(3)
GOLDEN = 0x4F1BBCDD  # 2^31 / golden ratio, odd (Knuth, TAOCP 3, section 6.4)


class Buckets(NamedTuple):
    """An open list; see the module's docstring."""

    counts: Ints
    heap: Ints
    buckets: Ints
    spare: Ints
    table: Ints
    links: Ints


def new_buckets(n: int) -> Buckets:
    """An empty open list for the items 0..n-1."""
    n_buckets = n + 1
    bits = n_buckets.bit_length() + 1
    return Buckets(
        counts=int_buffer([0, 0, bits, 0]),
        heap=int_buffer(n_buckets),
        buckets=int_buffer(3 * n_buckets),
        spare=int_buffer(n_buckets),
        table=int_buffer(1 << bits),
        links=int_buffer(2 * n),
    )


@inline
def is_empty(queue):
    """Whether no item is left; empty buckets at the front are dropped."""
    while queue.counts[N_HEAP] > 0 and queue.buckets[3 * queue.heap[0] + FIRST] < 0:
        drop_first(queue)
    return queue.counts[N_HEAP] == 0


@inline
def least_key(queue):
    """The key of the item that comes next, after `is_empty` has said that there is one."""
    return queue.buckets[3 * queue.heap[0] + KEY]


@inline
def clear(queue):
    """Take everything out."""
    for i in range(queue.counts[N_HEAP]):
        queue.table[queue.buckets[3 * queue.heap[i] + PLACE]] = 0
        item = queue.buckets[3 * queue.heap[i] + FIRST]
        while item >= 0:
            queue.links[2 * item + 1] = 0
            item = queue.links[2 * item]
    queue.counts[N_HEAP] = queue.counts[N_BUCKETS] = queue.counts[N_SPARE] = 0


@inline
def home(queue, key):
    """Where the table has a key if nothing else is there."""
    return (key & 0x7FFFFFFF) * GOLDEN >> 62 - queue.counts[TABLE_BITS] & len(queue.table) - 1


@njit
def drop_first(queue):
    """Take the first bucket, an empty one, out of the heap and of the table."""
    bucket = queue.heap[0]
    queue.spare[queue.counts[N_SPARE]] = bucket
    queue.counts[N_SPARE] += 1
    # What was put behind it for want of place moves up (Knuth, TAOCP 3, algorithm 6.4R).
    mask = len(queue.table) - 1
    hole = queue.buckets[3 * bucket + PLACE]
    place = hole
    while True:
        place = place + 1 & mask
        other = queue.table[place] - 1
        if other < 0:
            break
        if (place - home(queue, queue.buckets[3 * other + KEY]) & mask) >= (place - hole & mask):
            queue.table[hole] = other + 1
            queue.buckets[3 * other + PLACE] = hole
            hole = place
    queue.table[hole] = 0
    n = queue.counts[N_HEAP] - 1
    queue.counts[N_HEAP] = n
    last = queue.heap[n]
    key = queue.buckets[3 * last + KEY]
    i = 0
    while 2 * i + 1 < n:
        child = 2 * i + 1
        key_below = queue.buckets[3 * queue.heap[child] + KEY]
        if child + 1 < n and queue.buckets[3 * queue.heap[child + 1] + KEY] < key_below:
            child += 1
            key_below = queue.buckets[3 * queue.heap[child] + KEY]
        if key_below >= key:
            break
        queue.heap[i] = queue.heap[child]
        i = child
    queue.heap[i] = last


@njit
def new_bucket(queue, key, place):
    """An empty bucket for a key, in the heap and at a free place of the table."""
    if queue.counts[N_SPARE] > 0:
        queue.counts[N_SPARE] -= 1
        bucket = queue.spare[queue.counts[N_SPARE]]
    else:
        bucket = queue.counts[N_BUCKETS]
        queue.counts[N_BUCKETS] = bucket + 1
    queue.table[place] = bucket + 1
    queue.buckets[3 * bucket + KEY] = key
    queue.buckets[3 * bucket + FIRST] = -1
    queue.buckets[3 * bucket + PLACE] = place
    i = queue.counts[N_HEAP]
    queue.counts[N_HEAP] = i + 1
    while i > 0:
        parent = i - 1 >> 1
        if queue.buckets[3 * queue.heap[parent] + KEY] <= key:
            break
        queue.heap[i] = queue.heap[parent]
        i = parent
    queue.heap[i] = bucket
    return bucket


@inline
def push(queue, key, item):
    """Put an item in, or change its key."""
    if queue.links[2 * item + 1] != 0:
        remove(queue, item)
    bucket = -1
    if queue.counts[N_HEAP] > 0 and queue.buckets[3 * queue.heap[0] + KEY] == key:
        bucket = queue.heap[0]
    else:
        place = home(queue, key)
        while bucket < 0:
            found = queue.table[place] - 1
            if found < 0:
                bucket = new_bucket(queue, key, place)
            elif queue.buckets[3 * found + KEY] == key:
                bucket = found
            else:
                place = place + 1 & len(queue.table) - 1
    first = queue.buckets[3 * bucket + FIRST]
    queue.links[2 * item] = first
    queue.links[2 * item + 1] = -1 - bucket
    if first >= 0:
        queue.links[2 * first + 1] = 1 + item
    queue.buckets[3 * bucket + FIRST] = item


@inline
def remove(queue, item):
    """Take an item out that is in it."""
    after, before = queue.links[2 * item], queue.links[2 * item + 1]
    if before < 0:
        queue.buckets[3 * (-1 - before) + FIRST] = after
    else:
        queue.links[2 * (before - 1)] = after
    if after >= 0:
        queue.links[2 * after + 1] = before


@inline
def pop(queue):
    """Take out the item of the least key, after `is_empty` has said that there is one."""
    bucket = queue.heap[0]
    item = queue.buckets[3 * bucket + FIRST]
    after = queue.links[2 * item]
    queue.buckets[3 * bucket + FIRST] = after
    queue.links[2 * item + 1] = 0
    if after >= 0:
        queue.links[2 * after + 1] = -1 - bucket
    return item
