"""The backends of `jit.py` and `simd.py`, one for each mode of a bundle."""
