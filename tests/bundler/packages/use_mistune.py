"""Markdown: plugins named by strings and imported when a parser is made."""

import sys

import mistune
import mistune.plugins.footnotes
import mistune.plugins.formatting
import mistune.plugins.speedup
import mistune.plugins.table
from mistune import HTMLRenderer, create_markdown
from mistune.renderers.rst import RSTRenderer


class Renderer(HTMLRenderer):
    def heading(self, text, level, **attributes):
        return f"<{type(self).__name__} {level}>{text}</>\n"


text = sys.stdin.read()
plain = create_markdown(escape=True, renderer=Renderer())
print(plain(text), mistune.html("*a* <b>"), sep="\n")
print(create_markdown(plugins=[mistune.plugins.table.table, "strikethrough"])(text))
print(
    create_markdown(renderer="ast")("# a\n- b"),
    create_markdown(renderer=RSTRenderer())("`c` **d**"),
)
create_markdown(plugins=["nothing"])
