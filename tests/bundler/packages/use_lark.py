"""Grammars as text; what they import of the package stands in data files beside it."""

from lark import Lark, Token, Transformer, Tree, UnexpectedInput, v_args

grammar = r"""
    ?start: sum
    ?sum: product | sum "+" product -> add | sum "-" product -> sub
    ?product: atom | product "*" atom -> mul
    ?atom: NUMBER -> number | "(" sum ")"
    %import common.NUMBER
    %ignore " "
"""


@v_args(inline=True)
class Calculate(Transformer):
    from operator import add, mul, sub

    number = int


parser = Lark(grammar, parser="lalr")
print(parser.parse("1+2*(3-4)").pretty(), Calculate().transform(parser.parse("1+2*(3-4)")))
print(Lark(grammar).parse("2*3"), Token("A", "x"), Tree("t", []))
try:
    parser.parse("1+*")
except UnexpectedInput as error:
    print(type(error), error.line, error.column)
