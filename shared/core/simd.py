"""SIMD: n numbers of 16 bits side by side, for sums that stay in the processor's registers.

    make_simd(n) -> Simd, the operations on n numbers at once:

    load(buffer, at)           the numbers of a buffer from an index on
    add(sums, buffer, at)      each with the number of the buffer added
    subtract(sums, buffer, at) each with that taken away
    clip(sums, least, most)    each within these bounds
    dot(sums, buffer, at)      the sum of the products with the buffer's numbers; it has 32 bits
    store(buffer, at, sums)    write them into a buffer, an Int16s

Buffers are Int16s or Int8s. A result beyond 16 bits, or 32, is undefined, as is an index below 0
or beyond the buffer. In plain Python the numbers are a list; compiled they are one of LLVM's
vectors (`backend_numba.py`): LLVM would not keep in registers what a loop over a buffer adds up row
by row.
"""

# The bundler writes the mode of the bundle here, as in `jit.py`.
BUNDLE_MODE = "numba"

if BUNDLE_MODE == "numba":
    from shared.core.backend_numba import make_simd
else:
    from shared.core.backend_python import make_python_simd as make_simd
