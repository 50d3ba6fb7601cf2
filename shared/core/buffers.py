"""Copies between flat buffers.

`jit.py` has no function with a name as common as `copy`: in a bundle with another function of that
name, the whole module would have to be embedded.
"""

from shared.core.jit import inline


@inline
def copy(source, first, target, start, n):
    """Copy n numbers from one place to another."""
    for i in range(n):
        target[start + i] = source[first + i]
