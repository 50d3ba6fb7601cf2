"""The source of a running frame, parsed to find what a value is called."""

import sys

import executing
from varname import argname, nameof, varname


def make():
    return varname()


class Unit:
    def __init__(self):
        self.name = varname()


def describe(value, *rest):
    print(argname("value"), argname("rest"))


first_bot = make()
left_wing = Unit()
names = nameof(first_bot), nameof(left_wing.name)
print(first_bot, left_wing.name, names)
describe(left_wing, first_bot, make)
frame = executing.Source.executing(sys._getframe())
print(type(frame.node).__name__, frame.code_qualname())
print([make()])
