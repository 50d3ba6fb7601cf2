"""Tables, trees and markup on a console of a fixed width; most modules are imported on first use."""

import importlib
import sys

import rich
from rich.console import Console, Group
from rich.markdown import Markdown
from rich.markup import MarkupError
from rich.panel import Panel
from rich.pretty import pretty_repr
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

importlib.import_module("rich._unicode_data.unicode17-0-0")  # found by a computed name
console = Console(width=60, file=sys.stdout, color_system="truecolor", force_terminal=True)
table = Table("bot", "score", title="arena", show_lines=True)
for line in iter(input, ""):
    table.add_row(*line.split())
console.print(table, style="on blue")
tree = Tree("[bold]root")
tree.add("leaf :smiley:").add(Panel(Group("a", Text("b", style="red")), expand=False))
console.print(tree)
console.print(Markdown("# Title\n* one\n* `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |"))
console.print({"a": [1, None, "x"], "pod": (1.5,)}, "[u]y[/u]", 12.5)
print(pretty_repr({"long": list(range(30))}, max_width=40), rich.get_console().__class__)
try:
    console.print("[/wrong]")
except MarkupError as error:
    print(type(error), error)
console.print("x", style="no such style")
