"""Lexer and parser made from the names and docstrings of the module that calls."""

from ply import lex, yacc

tokens = ("NUMBER", "PLUS", "TIMES")
t_PLUS, t_TIMES, t_ignore = r"\+", r"\*", " "


def t_NUMBER(t):
    r"\d+"
    t.value = int(t.value)
    return t


def t_error(t):
    print("illegal", repr(t.value[0]))
    t.lexer.skip(1)


precedence = (("left", "PLUS"), ("left", "TIMES"))


def p_binary(p):
    """expression : expression PLUS expression
    | expression TIMES expression"""
    p[0] = p[1] + p[3] if p[2] == "+" else p[1] * p[3]


def p_number(p):
    "expression : NUMBER"
    p[0] = p[1]


def p_error(p):
    print("syntax error at", p)


lexer = lex.lex()
parser = yacc.yacc(write_tables=False, debug=False)
for line in iter(input, ""):
    print(parser.parse(line, lexer=lexer))
print(yacc.YaccError, lex.LexToken, lexer.lineno)
