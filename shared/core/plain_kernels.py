"""Kernels that stay plain Python."""

COMPILED = False


def njit(function):
    return function


def inline(function):
    return function


def kernel(signature):
    return signature if callable(signature) else njit
