"""Lexers and formatters found in tables of names and imported when asked for."""

import pygments
import pygments.formatters.html
import pygments.formatters.other
import pygments.formatters.terminal
import pygments.lexers.python
import pygments.styles.default
from pygments.formatters import HtmlFormatter, RawTokenFormatter, TerminalFormatter
from pygments.lexer import RegexLexer, bygroups
from pygments.lexers import PythonLexer, get_lexer_by_name
from pygments.styles import get_style_by_name
from pygments.token import Keyword, Name, Text, Token


class Commands(RegexLexer):
    name = "Commands"
    tokens = {"root": [(r"(go|stop)(\s+)", bygroups(Keyword, Text), "arg"), (r"\n", Text)]}
    tokens["arg"] = [(r"\w+", Name, "#pop")]


code = "def f(x):\n    return x + 1  # more\n"
print(pygments.highlight(code, PythonLexer(), HtmlFormatter()), end="")
print(pygments.highlight("go north\n", Commands(), RawTokenFormatter()).decode(), end="")
print(
    list(Commands().get_tokens("stop x\n")),
    Token.Literal.String,
    Keyword in Token,
    repr(PythonLexer()),
)
print(get_lexer_by_name("py").aliases[0], HtmlFormatter().get_style_defs(".c").splitlines()[-1])
print(get_style_by_name("default").__name__, TerminalFormatter.__module__, pygments.lexers.__name__)
get_lexer_by_name("no such language")
