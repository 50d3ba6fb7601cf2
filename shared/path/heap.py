"""An open list as a binary heap: the item of the least key first, equal ones in no order.

Each item is in it once, and knows where: a key that falls moves the item up (J. Williams, "Algorithm
232: Heapsort", CACM 7(6), 1964). `buckets.py` is the other open list: twice as fast
where many keys are equal, slower where few are.

    counts  int64[1]    items in the heap
    heap    int64[2 N]  (key, item) pairs
    places  int64[N]    1 + where in the heap an item is, 0 where it is not
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer


class Heap(NamedTuple):
    """An open list; see the module's docstring."""

    counts: Ints
    heap: Ints
    places: Ints


def new_heap(n: int) -> Heap:
    """An empty heap for the items 0..n-1."""
    return Heap(int_buffer(1), int_buffer(2 * n + 2), int_buffer(n))


@inline
def heap_clear(heap):
    """Take everything out."""
    for i in range(heap.counts[0]):
        heap.places[heap.heap[2 * i + 1]] = 0
    heap.counts[0] = 0


@inline
def heap_is_empty(heap):
    return heap.counts[0] == 0


@inline
def heap_push(heap, key, item):
    """Put an item in, or lower its key."""
    pairs, places = heap.heap, heap.places
    i = places[item] - 1
    if i < 0:
        i = heap.counts[0]
        heap.counts[0] = i + 1
    while i > 0:
        parent = (i - 1) >> 1
        if pairs[2 * parent] <= key:
            break
        pairs[2 * i], pairs[2 * i + 1] = pairs[2 * parent], pairs[2 * parent + 1]
        places[pairs[2 * i + 1]] = i + 1
        i = parent
    pairs[2 * i], pairs[2 * i + 1] = key, item
    places[item] = i + 1


@inline
def heap_pop(heap):
    """Take out the item of the least key; there is one."""
    pairs, places = heap.heap, heap.places
    best, n = pairs[1], heap.counts[0] - 1
    heap.counts[0] = n
    places[best] = 0
    if n == 0:
        return best
    key, item = pairs[2 * n], pairs[2 * n + 1]
    i, child = 0, 1
    while child < n:
        if child + 1 < n and pairs[2 * child + 2] < pairs[2 * child]:
            child += 1
        if pairs[2 * child] >= key:
            break
        pairs[2 * i], pairs[2 * i + 1] = pairs[2 * child], pairs[2 * child + 1]
        places[pairs[2 * i + 1]] = i + 1
        i, child = child, 2 * child + 1
    pairs[2 * i], pairs[2 * i + 1] = key, item
    places[item] = i + 1
    return best
