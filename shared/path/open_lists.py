"""Open lists: priority queues of items 0..N-1 by whole keys, the least key first.

Heap and Buckets have the same operations: push (which lowers the key of an item in the queue), pop
and clear. Their names begin with `heap_` and `bucket_`, as a bundle has one scope. Buckets are
twice as fast as a heap if many keys are equal, and slower if few are. Jump point search has an open
list of its own (`jps.py`).

Heap: a binary heap, equal keys in no order. It knows the place of each item, so that a lower key
moves the item up (J. Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964).

    counts  int64[1]    items in the heap.
    heap    int64[2 N]  (key, item) pairs.
    places  int64[N]    1 + the place of an item in the heap, 0 outside of it.

Buckets: a bucket for each key, of equal keys the last one pushed first. That prefers the greater g
among equal f: a step that keeps f is followed by the next one. A queue on a grid has some hundreds
of different keys: a binary heap orders these (R. Dial, "Algorithm 360", CACM 12(11), 1969, has an
array of buckets instead, for small whole numbers). A table finds the last bucket made for a key. If
another key has taken its slot there, a second bucket for the key does no harm.

For I items, B = I buckets, numbered from 1 on:

    heap    int64[B + 1]       the number of used buckets; a binary heap of these by key; the rest
    keys    int64[B + 1]       one more than the key of each bucket, 0 of an unused one.
    table   int64[TABLE]       key & TABLE - 1 -> a bucket that may be the key's.
    links   int64[2 (B+1+I)]   rings: the next and the previous node of each bucket, and of each
                               item. A bucket's ring has its items; any other node is alone.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import Ints, inline, int_buffer, njit, unsigned


class Heap(NamedTuple):
    """A binary heap; see the module's docstring."""

    counts: Ints
    heap: Ints
    places: Ints


def new_heap(n: int) -> Heap:
    """Returns an empty heap for the items 0..n-1."""
    return Heap(int_buffer(1), int_buffer(2 * n + 2), int_buffer(n))


@inline
def heap_clear(heap):
    """Remove all items."""
    for i in range(heap.counts[0]):
        heap.places[heap.heap[2 * i + 1]] = 0
    heap.counts[0] = 0


@inline
def heap_is_empty(heap):
    """Returns True for a heap without items."""
    return heap.counts[0] == 0


@inline
def heap_least_key(heap):
    """Returns the least key of a heap that is not empty."""
    return heap.heap[0]


@inline
def heap_push(heap, key, item):
    """Insert an item, or lower its key."""
    pairs, places = heap.heap, heap.places
    i = places[unsigned(item)] - 1
    if i < 0:
        i = heap.counts[0]
        heap.counts[0] = i + 1
    while i > 0:
        i, parent = unsigned(i), unsigned((i - 1) >> 1)
        if pairs[2 * parent] <= key:
            break
        pairs[2 * i], pairs[2 * i + 1] = pairs[2 * parent], pairs[2 * parent + 1]
        places[unsigned(pairs[2 * i + 1])] = i + 1
        i = parent
    i = unsigned(i)
    pairs[2 * i], pairs[2 * i + 1] = key, item
    places[unsigned(item)] = i + 1


@inline
def heap_pop(heap):
    """Remove and return the item of the least key of a heap with items."""
    pairs, places = heap.heap, heap.places
    best, n = unsigned(pairs[1]), unsigned(heap.counts[0] - 1)
    heap.counts[0] = n
    places[best] = 0
    if n == 0:
        return best
    key, item = pairs[2 * n], pairs[2 * n + 1]
    i, child = 0, 1
    while child < n:
        i, child = unsigned(i), unsigned(child)
        if child + 1 < n and pairs[2 * child + 2] < pairs[2 * child]:
            child += 1
        if pairs[2 * child] >= key:
            break
        pairs[2 * i], pairs[2 * i + 1] = pairs[2 * child], pairs[2 * child + 1]
        places[unsigned(pairs[2 * i + 1])] = i + 1
        i, child = child, 2 * child + 1
    i = unsigned(i)
    pairs[2 * i], pairs[2 * i + 1] = key, item
    places[item] = i + 1
    return best


# Buckets


TABLE = 4096


class Buckets(NamedTuple):
    """A bucket queue; see the module's docstring."""

    heap: Ints
    keys: Ints
    table: Ints
    links: Ints


def new_buckets(n: int) -> Buckets:
    """Returns an empty bucket queue for the items 0..n-1."""
    links = int_buffer(np.arange(4 * n + 2) // 2)
    return Buckets(int_buffer(np.arange(n + 1)), int_buffer(n + 1), int_buffer(TABLE), links)


@inline
def unlink(links, node):
    """Remove a node from its ring."""
    after, before = links[2 * node], links[2 * node + 1]
    links[2 * before] = after
    links[2 * after + 1] = before
    links[2 * node] = links[2 * node + 1] = node


@inline
def bucket_clear(queue):
    """Remove all items."""
    for i in range(1, queue.heap[0] + 1):
        bucket = queue.heap[i]
        queue.keys[bucket] = 0
        while queue.links[2 * bucket] != bucket:
            unlink(queue.links, queue.links[2 * bucket])
    queue.heap[0] = 0


@njit
def heapify_bucket(heap, keys, bucket):
    """Move a bucket, the first not in use, to its place in the heap."""
    heap[0] = i = heap[0] + 1
    while i > 1 and keys[heap[i >> 1]] > keys[bucket]:
        heap[i] = heap[i >> 1]
        i >>= 1
    heap[i] = bucket


@njit
def retire_bucket(heap, keys):
    """Remove the first bucket from the heap."""
    n, first = heap[0], heap[1]
    last = heap[n]
    heap[0], heap[n] = n - 1, first
    keys[first] = 0
    i, child = 1, 2
    while child < n:
        if child + 1 < n and keys[heap[child + 1]] < keys[heap[child]]:
            child += 1
        if keys[heap[child]] >= keys[last]:
            break
        heap[i] = heap[child]
        i, child = child, 2 * child
    heap[i] = last


@njit
def new_bucket(heap, keys, links, key):
    """Returns a bucket for a key."""
    n = heap[0]
    if n + 1 == len(heap):
        # Items with a lowered key left empty buckets behind.
        heap[0] = 0
        for i in range(1, n + 1):
            bucket = heap[i]
            if links[2 * bucket] == bucket:
                keys[bucket] = 0
            else:
                heap[i] = heap[heap[0] + 1]
                heapify_bucket(heap, keys, bucket)
    bucket = heap[heap[0] + 1]
    keys[bucket] = key + 1
    heapify_bucket(heap, keys, bucket)
    return bucket


@inline
def bucket_push(queue, key, item):
    """Insert an item, or change its key."""
    keys, links, node = queue.keys, queue.links, len(queue.keys) + item
    unlink(links, node)
    bucket = queue.table[key & TABLE - 1]
    if keys[bucket] != key + 1:
        bucket = queue.table[key & TABLE - 1] = new_bucket(queue.heap, keys, links, key)
    after = links[2 * bucket]
    links[2 * node], links[2 * node + 1] = after, bucket
    links[2 * bucket] = links[2 * after + 1] = node


@inline
def bucket_pop(queue):
    """Remove and return the item of the least key; -1 if there is none."""
    heap, links = queue.heap, queue.links
    while heap[0] and links[2 * heap[1]] == heap[1]:
        retire_bucket(heap, queue.keys)
    if heap[0] == 0:
        return -1
    node = links[2 * heap[1]]
    unlink(links, node)
    return node - len(queue.keys)
