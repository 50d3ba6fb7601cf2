"""Templates compiled to Python and run by exec; extensions, filters, a sandbox."""

from jinja2 import DictLoader, Environment, StrictUndefined, TemplateSyntaxError, nodes
from jinja2.ext import Extension
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup, escape


class Shout(Extension):
    tags = {"shout"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endshout",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_shout"), [], [], body).set_lineno(line)

    def _shout(self, caller):
        return caller().upper()


pages = {
    "base": "<{% block body %}{% endblock %}>",
    "page": "{% extends 'base' %}{% block body %}{% for b in bots if b.score %}"
    "{{ loop.index }}:{{ b.name|e|pad }}{% endfor %}{% shout %}end{% endshout %}{% endblock %}",
    "macro": "{% macro f(x) %}[{{ x }}]{% endmacro %}{{ [1, 2]|map('string')|join(f(3)) }}",
}
environment = Environment(loader=DictLoader(pages), extensions=[Shout], autoescape=True)
environment.filters["pad"] = lambda text: Markup("_{}_").format(text)
print(environment.get_template("page").render(bots=[{"name": "<a>", "score": 1}, {"score": 0}]))
print(environment.get_template("macro").render(), escape("<&>"), Shout.identifier)
print(environment.from_string("{{ missing }}|{{ x is even }}|{{ 7 // 2 }}").render(x=4))
try:
    environment.from_string("{% if %}")
except TemplateSyntaxError as error:
    print(type(error), error.message, error.lineno)
print(SandboxedEnvironment().from_string("{{ 'a'.upper() }}").render())
Environment(undefined=StrictUndefined).from_string("{{ nothing }}").render()
