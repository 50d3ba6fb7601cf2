"""Grammars built with operators; the package uses inspect and wraps functions by their frames."""

import pyparsing as pp
from pyparsing import Word, alphas, infix_notation, nums, one_of, opAssoc
from pyparsing import common as ppc

number = Word(nums).set_parse_action(lambda tokens: int(tokens[0])).set_name("number")


def fold(tokens):
    total, *rest = tokens[0]
    for operator, value in zip(rest[::2], rest[1::2]):
        total = {"+": total + value, "-": total - value, "*": total * value}[operator]
    return total


operations = [(one_of("*"), 2, opAssoc.LEFT, fold), (one_of("+ -"), 2, opAssoc.LEFT, fold)]
expression = infix_notation(number, operations)
command = Word(alphas)("verb") + pp.Optional(ppc.fnumber("amount")) + pp.Suppress(";")
print(expression.parse_string("2+3*(4-1)-5", parse_all=True)[0], expression)
print(command.parse_string("move 3.5;").as_dict(), command.search_string("go; x stop 2;").as_list())
print(
    pp.nested_expr().parse_string("(a (b c))").as_list(),
    ppc.integer.matches("12"),
    pp.Group(number),
)
for text in input(), input():
    try:
        print(expression.parse_string(text, parse_all=True))
    except pp.ParseException as error:
        print(type(error), error, error.column, error.explain(depth=0).splitlines()[0])
command.parse_string("7")
