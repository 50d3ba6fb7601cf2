"""What is done with flat buffers everywhere."""

from shared.core.jit import inline


@inline
def copy(source, first, target, start, n):
    """Copy n numbers from one place to another."""
    for i in range(n):
        target[start + i] = source[first + i]
