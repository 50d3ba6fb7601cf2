"""The answers of searches without a path, the same in `shared/path` and `shared/mesh`.

A search returns the cost or the length of its path, or a negative status. FULL: its buffers are too
small; asked again it answers the same. A search in slices returns a status: SEARCHING until it
ends, FOUND for a path that is proved shortest, INCONCLUSIVE for one that is not.
"""

FOUND, NO_PATH, FULL, SEARCHING, INCONCLUSIVE = range(0, -5, -1)
