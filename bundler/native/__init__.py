"""Kernels compiled when the bundle is made, and inserted into it as machine code.

docs/explanation/native-bundles.md follows them from module to module of this package. Its
counterpart, which unpacks the code on the site, is shared/core/backends/native.py.
"""
