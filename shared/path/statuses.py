"""The statuses that searches of `shared/path` and `shared/mesh` return.

A search returns the cost or the length of its path, or a negative status. FULL means that its
buffers are too small; a repeated call returns FULL again. A search in slices returns SEARCHING
until it ends, FOUND for a path that is proved shortest, INCONCLUSIVE without a proof.
"""

FOUND, NO_PATH, FULL, SEARCHING, INCONCLUSIVE = range(0, -5, -1)
