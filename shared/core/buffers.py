"""Copies between flat buffers.

`jit.py` has no function of a name as common as `copy`: a bundle with another function of that name
would carry the module whole.
"""

from shared.core.jit import inline


@inline
def copy(source, first, target, start, n):
    """Copy n numbers from one place to another."""
    for i in range(n):
        target[start + i] = source[first + i]
